import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report } from '../../../../server/src/engine/report/report.ts';
import { diskFiles } from '../../../../server/src/platform/files.ts';
import { builtInHosts } from '../../../harness/built-in.ts';
import { startServiceForFile } from '../../../harness/file-service.ts';
import { folderWith } from '../../../terminal/program.ts';
import { runHere } from '../../../terminal/terminal.ts';

/*
 * The address of a public registry spelled out in a build is public where it is learned: the service reports it, or a build
 * tool has it built in. Any other stays private until a person declares it.
 */
const service = await startServiceForFile({
  'MAVEN junit:junit': { versions: ['4.13.2'] },
  'MAVEN org.yaml:snakeyaml': { versions: ['2.2'] },
});

/** Of the service for Maven. */
const reported = 'https://registry.example/maven';
const builtIn = 'https://alias.registry.example/m2/';
const unknown = 'https://mirror.example/maven2';

const dependencies = 'dependencies { implementation("org.yaml:snakeyaml:2.2") }';
const scripts: Readonly<Record<string, (address: string) => Readonly<Record<string, string>>>> = {
  'in Groovy': (it) => ({ 'build.gradle': `repositories { maven { url = "${it}" } }\n${dependencies}` }),
  'in Kotlin': (it) => ({ 'build.gradle.kts': `repositories { maven("${it}") }\n${dependencies}` }),
  'in settings': (it) => ({
    'build.gradle.kts': dependencies,
    'settings.gradle.kts': `dependencyResolutionManagement { repositories { maven { url = uri("${it}") } } }`,
  }),
  'in a POM': (it) => ({
    'pom.xml': `<project><repositories><repository><id>a</id><url>${it}</url></repository></repositories><dependencies><dependency><groupId>org.yaml</groupId><artifactId>snakeyaml</artifactId><version>2.2</version></dependency></dependencies></project>`,
  }),
};

async function withheldIn(files: Readonly<Record<string, string>>, flags: readonly string[] = []): Promise<string[]> {
  const folder = folderWith(files);
  const { out } = await runHere(['check', '--format', 'json', '--base-url', service.url, ...flags], folder.path, {
    disk: (roots) => ({ ...diskFiles(() => roots), builtIn: builtInHosts(new URL(builtIn).hostname) }),
  });
  folder.remove();
  const { withheld, coverage }: Report = JSON.parse(out);
  assert.equal(coverage.lookedUp + coverage.withheld, 1);
  return withheld.map((it) => it.host ?? it.origin);
}

for (const [title, files] of Object.entries(scripts)) {
  test(`another address of a public registry is public where it is learned: ${title}`, async () => {
    assert.deepEqual(await withheldIn(files(reported)), []);
    assert.deepEqual(await withheldIn(files(builtIn)), []);
    assert.deepEqual(await withheldIn(files(unknown)), ['mirror.example']);
    assert.deepEqual(await withheldIn(files(unknown), ['--public-registry', 'mirror.example']), []);
  });
}
