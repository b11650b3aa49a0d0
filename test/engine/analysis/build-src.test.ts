import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkedIn } from './script-lab.ts';

/** What the dependencies of `app/build.gradle.kts` come to. */
const linked = (files: Readonly<Record<string, string>>) => linkedIn(files, 'app/build.gradle.kts');

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

test('objects of packages, with imports, of nested objects, and those that only others name', async () => {
  const files = {
    'app/build.gradle.kts': `import com.acme.Deps
import com.acme.Deps.Room as R
import com.acme.more.*
import com.acme.Deps.kotlin
dependencies {
  implementation(Deps.core)
  implementation(R.runtime)
  implementation(Deps.Room.compiler)
  implementation(Tools.lint)
  implementation(kotlin)
  implementation("\${com.acme.more.Names.ui}:\${com.acme.Versions.ui}")
  implementation(Groovy.spock)
  implementation(Java.junit)
  implementation(topLevel)
  implementation(Deps.own)
  implementation(Deps.none)
}
`,
    'buildSrc/src/main/kotlin/com/acme/All.kt': `package com.acme


object Deps {
  const val core = "g:core:\${Versions.core}"
  const val kotlin = "g:kotlin:\${Versions.Kotlin.stdlib}"
  object Room {
    private const val version = "2.4"
    const val runtime = "g:room:$version"
    const val compiler = com.acme.more.Names.room + ":" + version
  }
  object Names { const val own = "g:own" }
  const val own = "\${Names.own}:6.0"

}
`,
    // A package may have the name of a folder with built files.
    'buildSrc/src/main/kotlin/build/Numbers.kt':
      'package com.acme\ninternal object Versions {\n  val core get() = "1.0"\n  const val ui = "3.0"\n  object Kotlin { const val stdlib = "1.9" }\n}\n',
    'buildSrc/src/main/kotlin/com/acme/more/Names.kt':
      'package com.acme.more\nobject Names { const val room = "g:compiler"; const val ui = "g:ui" }\nconst val topLevel = "g:top:5.0"\n',
    'build-logic/convention/src/main/kotlin/Tools.kt':
      'package com.acme.more\nimport com.acme.other.*\nobject Tools { const val lint = "g:lint:${Versions.lint}" }\n',
    'build-logic/convention/src/main/kotlin/Other.kt':
      'package com.acme.other\nobject Versions { const val lint = "4.0"; const val core = "0.1" }\n',
    'buildSrc/src/main/groovy/com/acme/more/Groovy.groovy':
      'package com.acme.more\nclass Groovy {\n  static final String version = "2.3"\n  static spock = "g:spock:$version"\n}\n',
    'buildSrc/src/main/java/com/acme/more/Java.java':
      'package com.acme.more;\npublic final class Java {\n  private static final String V = "4.13";\n  public static final String junit = "g:junit:" + V;\n}\n',
  };
  const all = 'buildSrc/src/main';
  assert.deepEqual(await linked(files), [
    `g:core 1.0 ${all}/kotlin/build/Numbers.kt`,
    `g:room 2.4 ${all}/kotlin/com/acme/All.kt`,
    `g:compiler 2.4 ${all}/kotlin/com/acme/All.kt`,
    'g:lint 4.0 build-logic/convention/src/main/kotlin/Other.kt',
    `g:kotlin 1.9 ${all}/kotlin/build/Numbers.kt`,
    `g:ui 3.0 ${all}/kotlin/build/Numbers.kt`,
    `g:spock 2.3 ${all}/groovy/com/acme/more/Groovy.groovy`,
    `g:junit 4.13 ${all}/java/com/acme/more/Java.java`,
    `g:top 5.0 ${all}/kotlin/com/acme/more/Names.kt`,
    `g:own 6.0 ${all}/kotlin/com/acme/All.kt`,
    'Deps.none unresolved',
  ]);
});

test('objects of a build that settings include', async () => {
  const files = {
    'app/build.gradle.kts': 'import acme.Deps\ndependencies {\n  implementation(Deps.core)\n}\n',
    'settings.gradle.kts': 'pluginManagement { includeBuild("gradle/plugins") }\n',
    'gradle/plugins/src/main/kotlin/acme/Deps.kt': 'package acme\nobject Deps { const val core = "g:core:1.0" }\n',
  };
  assert.deepEqual(await linked(files), ['g:core 1.0 gradle/plugins/src/main/kotlin/acme/Deps.kt']);
});

test('one file may hold all of them', async () => {
  const files = {
    'app/build.gradle.kts': script,
    'buildSrc/src/main/kotlin/Dependencies.kt': `${versions}${libs}`,
  };
  const [first] = await linked(files);
  assert.equal(first, 'com.squareup.retrofit2:retrofit 2.9.0 buildSrc/src/main/kotlin/Dependencies.kt');
});
