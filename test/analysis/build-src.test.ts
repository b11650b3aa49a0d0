import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkDependencies } from '../../server/src/analysis/link/linker.ts';
import { ManifestReader } from '../../server/src/analysis/load/file-reader.ts';
import { gradle } from '../../server/src/ecosystems/gradle/build-gradle.ts';

const root = 'file:///w/';

/** What the dependencies of `app/build.gradle.kts` come to. */
async function linked(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const name = 'app/build.gradle.kts';
  const reader = new ManifestReader({
    read: async (uri) => files[uri.slice(root.length)],
    find: async () => [],
    isBlocked: async () => false,
    stamp: async () => undefined,
  });
  const chain = await reader.startReading().chain(root + name, gradle, files[name] ?? '');
  return linkDependencies(chain).map(({ key, requirement }) => {
    if (requirement.kind !== 'text') return `${key.name} ${requirement.kind}`;
    return `${key.name} ${requirement.text} ${requirement.place?.uri.slice(root.length) ?? 'composed'}`;
  });
}

const script = `dependencies {
  implementation(Libs.retrofit)
  implementation("g:a:\${Versions.okhttp}")
  implementation(Libs.Square.okhttp)
  implementation(Libs.nothing)
}
`;
const versions = 'object Versions {\n  const val okhttp = "4.12.0"\n  const val retrofit = "2.9.0"\n}\n';
const libs = `object Libs {
  const val retrofit = "com.squareup.retrofit2:retrofit:\${Versions.retrofit}"
  object Square { const val okhttp = "com.squareup.okhttp3:okhttp:4.11.0" }
  const val host = "registry.corp.example:team-secret:1.0"
}
`;

for (const directory of ['buildSrc/src/main/kotlin', 'buildSrc/src/main/java', 'build-logic/src/main/kotlin']) {
  test(`objects of ${directory} give scripts versions and artifacts, and are edited there`, async () => {
    const files = {
      'app/build.gradle.kts': script,
      [`${directory}/Libs.kt`]: libs,
      [`${directory}/Versions.kt`]: versions,
    };
    assert.deepEqual(await linked(files), [
      `com.squareup.retrofit2:retrofit 2.9.0 ${directory}/Versions.kt`,
      `g:a 4.12.0 ${directory}/Versions.kt`,
      `com.squareup.okhttp3:okhttp 4.11.0 ${directory}/Libs.kt`,
      'Libs.nothing unresolved',
    ]);
  });
}

test('one file may hold all of them', async () => {
  const files = {
    'app/build.gradle.kts': script,
    'buildSrc/src/main/kotlin/Dependencies.kt': `package acme\n\n${versions}${libs}`,
  };
  const [first] = await linked(files);
  assert.equal(first, 'com.squareup.retrofit2:retrofit 2.9.0 buildSrc/src/main/kotlin/Dependencies.kt');
});
