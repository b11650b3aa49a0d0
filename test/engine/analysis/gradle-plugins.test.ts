import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkDependencies } from '../../../server/src/engine/analysis/link/linker.ts';
import { startReading } from '../../../server/src/engine/analysis/load/file-chain.ts';
import { ManifestReader } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { formatOf } from '../../../server/src/engine/ecosystems/manifest-formats.ts';
import { builds, root } from './gradle-lab.ts';
import { filesOf } from './members-lab.ts';

const ownPlugins = {
  'settings.gradle.kts': 'pluginManagement { includeBuild("logic") }\ninclude(":app")\n',
  'logic/settings.gradle.kts': 'include(":convention")\n',
  'logic/convention/build.gradle.kts': `gradlePlugin {
  plugins {
    register("library") {
      id = libs.plugins.acme.library.get().pluginId
      implementationClass = "LibraryPlugin"
    }
    register("libraryTests") { id = libs.plugins.acme.library.tests.asProvider().get().pluginId }
    create("other") { id = "acme.other" }
  }
}
`,
};

builds('own plugins whose ids a catalog has, in a project', {
  'app/build.gradle.kts': `plugins {
  alias(libs.plugins.acme.library)       // → acme.library own
  alias(libs.plugins.acme.library.tests) // → acme.library.tests own
  alias(libs.plugins.acme.other)         // → acme.other own
  id("acme.library")                     // → acme.library own
  alias(libs.plugins.acme.published)     // → acme.published 1.0 gradle/libs.versions.toml
}
`,
  'gradle/libs.versions.toml': `[plugins]
acme-library = { id = "acme.library" }
acme-library-tests = { id = "acme.library.tests", version = "unspecified" }
acme-other.id = "acme.other"
acme-published = "acme.published:1.0"
`,
  ...ownPlugins,
});

builds('own plugins whose ids a catalog has, in the catalog', {
  'gradle/libs.versions.toml': `[plugins]
acme-library = { id = "acme.library" } # → acme.library own
acme-library-tests = { id = "acme.library.tests", version = "unspecified" } # → acme.library.tests own
`,
  ...ownPlugins,
});

// Without a namespace it is one of Gradle's own.
builds('plugins of Gradle in a catalog', {
  'build.gradle.kts': `plugins {
  alias(libs.plugins.java) // → java own
  alias(libs.plugins.spotless) // → com.acme.spotless 1.0 gradle/libs.versions.toml
}
`,
  'gradle/libs.versions.toml': '[plugins]\njava = { id = "java" }\nspotless = "com.acme.spotless:1.0"\n',
});

builds('plugins of Gradle, in the catalog', {
  'gradle/libs.versions.toml':
    '[plugins]\njava = { id = "java" }\nsign = { id = "org.gradle.signing" }\na = "a.b:1" # → a.b 1 gradle/libs.versions.toml\n',
});

builds('plugins on the class path of a parent script', {
  'app/build.gradle.kts': `plugins {
  id("com.android.application") // → com.android.tools.build:gradle 8.1 buildSrc/src/main/kotlin/Versions.kt
  kotlin("android")             // → org.jetbrains.kotlin:kotlin-gradle-plugin 1.9 build.gradle.kts
  kotlin("kapt")                // → org.jetbrains.kotlin:kotlin-gradle-plugin 1.9 build.gradle.kts
  id("com.acme.tool.reports")   // → com.acme.tool:reports-gradle-plugin 3.0 gradle/libs.versions.toml
  id("com.acme.tool.charts")    // → com.acme.tool:tool-charts-plugin 4.0 build.gradle.kts
  id("org.other.thing")         // → org.other.thing no script of this build gives the plugin a version
}
dependencies {
  implementation(kotlin("stdlib"))   // → org.jetbrains.kotlin:kotlin-stdlib 1.9 build.gradle.kts
  testImplementation("org.jetbrains.kotlin:kotlin-test") // → org.jetbrains.kotlin:kotlin-test 1.9 build.gradle.kts
}
`,
  'build.gradle.kts': `val kotlinVersion = "1.9"
buildscript {
  dependencies {
    classpath("com.android.tools.build:gradle:\${Versions.AGP}")
    classpath("org.jetbrains.kotlin:kotlin-gradle-plugin:$kotlinVersion")
    classpath(libs.acme.reports)
    classpath("com.acme.tool:tool-charts-plugin:4.0")
    classpath("com.acme.tool:library:5.0")
  }
}
`,
  'settings.gradle.kts': 'include(":app")\n',
  'gradle/libs.versions.toml': '[libraries]\nacme-reports = "com.acme.tool:reports-gradle-plugin:3.0"\n',
  'buildSrc/src/main/kotlin/Versions.kt': 'object Versions {\n  const val AGP = "8.1"\n}\n',
});

builds('plugins that a parent script names by a catalog', {
  'app/build.gradle.kts': `plugins {
  id("com.acme.tool")       // → com.acme.tool 1.0 gradle/libs.versions.toml
  kotlin("jvm")             // → org.jetbrains.kotlin.jvm 2.0 gradle/libs.versions.toml
  alias(libs.plugins.bare)  // → com.acme.bare 3.0 settings.gradle.kts
}
dependencies {
  implementation(kotlin("reflect")) // → org.jetbrains.kotlin:kotlin-reflect 2.0 gradle/libs.versions.toml
}
`,
  'build.gradle.kts': `plugins {
  alias(libs.plugins.tool) apply false
  kotlin("jvm") version libs.versions.kotlin.get() apply false
}
`,
  'settings.gradle.kts': `pluginManagement { plugins { id("com.acme.bare") version "3.0" } }
include(":app")
`,
  'gradle/libs.versions.toml': `[versions]
kotlin = "2.0"
[plugins]
tool = "com.acme.tool:1.0"
bare = { id = "com.acme.bare" }
`,
});

builds('plugins on the class path of buildSrc', {
  'app/build.gradle': `plugins {
  id 'com.acme.tool' // → com.acme.tool:tool-plugin 1.0 buildSrc/build.gradle
  id 'com.acme.marked' // → com.acme.marked 2.0 buildSrc/build.gradle
  id 'com.acme.tests' // → com.acme.tests no script of this build gives the plugin a version
}
`,
  'settings.gradle': "include ':app'\n",
  'buildSrc/build.gradle': `plugins { id 'com.acme.marked' version '9.9' }
dependencies {
  implementation 'com.acme.tool:tool-plugin:1.0'
  implementation 'com.acme.marked:com.acme.marked.gradle.plugin:2.0'
  testImplementation 'com.acme.tests:tests-gradle-plugin:3.0'
}
`,
});

builds('plugins of a script plugin, on the class path of its build', {
  'logic/convention/src/main/kotlin/acme.library.gradle.kts': `plugins {
  id("com.acme.tool") // → com.acme.tool:tool-plugin 1.0 versions/tools.toml
  kotlin("jvm")       // → org.jetbrains.kotlin:kotlin-gradle-plugin 1.9 logic/convention/build.gradle.kts
}
dependencies {
  testImplementation(kotlin("test")) // → org.jetbrains.kotlin:kotlin-test 1.9 logic/convention/build.gradle.kts
}
`,
  'settings.gradle.kts': 'pluginManagement { includeBuild("logic") }\ninclude(":app")\n',
  'logic/settings.gradle.kts': `versionCatalogs { create("libs") { from(files("../versions/tools.toml")) } }
include(":convention")
`,
  'logic/convention/build.gradle.kts': `dependencies {
  implementation(libs.tool)
  implementation("org.jetbrains.kotlin:kotlin-gradle-plugin:1.9")
}
`,
  'versions/tools.toml': '[libraries]\ntool = "com.acme.tool:tool-plugin:1.0"\n',
});

builds('plugins on the class path of an included build', {
  'app/build.gradle.kts': `plugins {
  id("com.acme.tool") // → com.acme.tool:tool-plugin 1.0 gradle/libs.versions.toml
}
`,
  'settings.gradle.kts': 'pluginManagement { includeBuild("logic") }\ninclude(":app")\n',
  'logic/settings.gradle.kts': `dependencyResolutionManagement {
  versionCatalogs { create("libs") { from(files("../gradle/libs.versions.toml")) } }
}
include(":convention")
`,
  'logic/convention/build.gradle.kts': 'dependencies { implementation(libs.tool) }\n',
  'gradle/libs.versions.toml': '[libraries]\ntool = "com.acme.tool:tool-plugin:1.0"\n',
});

builds('an own plugin beside an artifact of its group', {
  'build.gradle': `plugins {
  id 'com.acme.tool.library' // → com.acme.tool.library own
  id 'com.acme.tool.tests'   // → com.acme.tool:tests-gradle-plugin 1.0 buildSrc/build.gradle
}
`,
  'settings.gradle': '',
  'buildSrc/build.gradle': "dependencies { implementation 'com.acme.tool:tests-gradle-plugin:1.0' }\n",
  'buildSrc/src/main/groovy/com.acme.tool.library.gradle': '',
});

builds('a plugin whose version on the class path is not known', {
  'build.gradle': `plugins {
  id 'com.acme.tool' // → com.acme.tool:tool-plugin no definition found for toolVersion()
}
`,
  'buildSrc/build.gradle': 'dependencies { implementation "com.acme.tool:tool-plugin:${toolVersion()}" }\n',
});

builds('libraries of Kotlin that a platform manages, too', {
  'app/build.gradle.kts': `plugins {
  kotlin("jvm") // → org.jetbrains.kotlin.jvm 1.9 build.gradle.kts
}
dependencies {
  implementation(platform(project(":versions")))
  implementation(kotlin("stdlib"))  // → org.jetbrains.kotlin:kotlin-stdlib 2.0 versions/build.gradle.kts
  implementation(kotlin("reflect")) // → org.jetbrains.kotlin:kotlin-reflect 1.9 build.gradle.kts
}
`,
  'build.gradle.kts': 'plugins { kotlin("jvm") version "1.9" apply false }\n',
  'settings.gradle.kts': 'include(":app", ":versions")\n',
  'versions/build.gradle.kts': 'dependencies { constraints { api("org.jetbrains.kotlin:kotlin-stdlib:2.0") } }\n',
});

builds('a plugin in a project with a published platform', {
  'build.gradle.kts': `plugins {
  id("com.acme.tool") // → com.acme.tool no script of this build gives the plugin a version
}
dependencies {
  implementation(platform("g:bom:1.0")) // → g:bom 1.0 build.gradle.kts
  implementation("g:a") // → g:a g:bom:1.0
}
`,
});

builds('what a script plugin manages for the projects that apply it', {
  'app/build.gradle': `plugins {
  id 'acme.library' // → acme.library own
}
dependencies {
  implementation 'g:a' // → g:a g:bom:1.0
  implementation 'g:b' // → g:b 2.0 buildSrc/src/main/groovy/acme.base.gradle
  implementation 'g:c' // → g:c 3.0 versions/build.gradle
  implementation 'h:d' // → h:d g:bom:1.0
}
`,
  'settings.gradle': "include ':app', ':versions'\n",
  'buildSrc/build.gradle': "dependencies { implementation platform('x:y:9.0') }\n",
  'buildSrc/src/main/groovy/acme.library.gradle': `plugins { id 'acme.base' }
dependencies {
  implementation platform("g:bom:\${bomVersion}")
  implementation platform(project(':versions'))
}
`,
  'buildSrc/src/main/groovy/acme.base.gradle': "dependencies { constraints { api 'g:b:2.0' } }\n",
  'buildSrc/src/main/groovy/acme.other.gradle': "dependencies { implementation platform('x:z:9.0') }\n",
  'versions/build.gradle': "dependencies { constraints { api 'g:c:3.0' } }\n",
  'gradle.properties': 'bomVersion=1.0\n',
});

builds('script plugins without a dot, applied by a word, by a call, and in a package', {
  'app/build.gradle.kts': `plugins { \`acme-library\` }
apply(plugin = "acme-tests")
dependencies {
  implementation("g:a") // → g:a 1.0 logic/src/main/kotlin/acme-library.gradle.kts
  implementation("g:b") // → g:b 2.0 logic/src/main/kotlin/acme-tests.gradle.kts
  implementation("g:c") // → g:c 3.0 logic/src/main/kotlin/com/acme/inner.gradle.kts
}
`,
  'settings.gradle.kts': 'pluginManagement { includeBuild("logic") }\ninclude(":app")\n',
  'logic/build.gradle.kts': '',
  'logic/src/main/kotlin/acme-library.gradle.kts':
    'plugins { id("com.acme.inner") }\ndependencies { constraints { api("g:a:1.0") } }\n',
  'logic/src/main/kotlin/acme-tests.gradle.kts': 'dependencies { constraints { api("g:b:2.0") } }\n',
  'logic/src/main/kotlin/com/acme/inner.gradle.kts':
    'package com.acme\ndependencies { constraints { api("g:c:3.0") } }\n',
});

const composeCode = `class ComposePlugin : Plugin<Project> {
  override fun apply(target: Project) = with(target) {
    dependencies {
      val bom = libs.findLibrary("acme-bom").get()
      add("implementation", platform(bom))
    }
  }
}
`;

builds('what classes of plugins manage', {
  'app/build.gradle.kts': `plugins {
  id("acme.compose") // → acme.compose own
}
dependencies {
  implementation("g:a") // → g:a g:bom:1.0
}
`,
  'settings.gradle.kts': 'pluginManagement { includeBuild("logic") }\ninclude(":app")\n',
  'logic/settings.gradle.kts':
    'versionCatalogs { create("libs") { from(files("../gradle/libs.versions.toml")) } }\ninclude(":convention")\n',
  'logic/convention/build.gradle.kts': 'gradlePlugin { plugins { create("c") { id = "acme.compose" } } }\n',
  'logic/convention/src/main/kotlin/ComposePlugin.kt': composeCode,
  'gradle/libs.versions.toml': '[libraries]\nacme-bom = "g:bom:1.0"\n',
});

builds('what a function of a plugin manages, with a catalog that it finds', {
  'app/build.gradle.kts': `plugins {
  id("acme.compose") // → acme.compose own
}
dependencies {
  implementation("g:a") // → g:a g:bom:1.0
}
`,
  'settings.gradle.kts': 'pluginManagement { includeBuild("logic") }\ninclude(":app")\n',
  'logic/settings.gradle.kts':
    'versionCatalogs { create("libs") { from(files("../gradle/libs.versions.toml")) } }\ninclude(":convention")\n',
  'logic/convention/build.gradle.kts': 'gradlePlugin { plugins { create("c") { id = "acme.compose" } } }\n',
  'logic/convention/src/main/kotlin/acme/Compose.kt': `fun Project.compose() = dependencies {
  "implementation"(platform(libs.findLibrary("acme-bom").get()))
}
`,
  'gradle/libs.versions.toml': '[libraries]\nacme-bom = "g:bom:1.0"\n',
});

builds('a library of a catalog without a version, in a project', {
  'app/build.gradle.kts': `dependencies {
  implementation(libs.core) // → g:core g:bom:1.0
}
`,
  'gradle/libs.versions.toml': '[libraries]\nbom = "g:bom:1.0"\ncore = { module = "g:core" }\n',
});

builds('a library of a catalog without a version, in the catalog', {
  'gradle/libs.versions.toml': `[libraries]
bom = "g:acme-bom:1.0" # → g:acme-bom 1.0 gradle/libs.versions.toml
core = { module = "g:core" } # → g:core g:acme-bom:1.0
`,
});

builds('a library of Kotlin on a class path without a version', {
  'buildSrc/src/main/kotlin/acme.gradle.kts': `dependencies {
  implementation("org.jetbrains.kotlin:kotlin-gradle-plugin") // → org.jetbrains.kotlin:kotlin-gradle-plugin no platform, constraint or plugin of this build gives it a version
}
`,
  'buildSrc/build.gradle.kts': 'dependencies { implementation("org.jetbrains.kotlin:kotlin-gradle-plugin") }\n',
});

builds('libraries of a published catalog, and those that nothing manages', {
  'app/build.gradle.kts': `dependencies {
  implementation(acmeLibs.core) // → acmeLibs.core the catalog acmeLibs is a published one, whose entries are not read
  implementation("g:a") // → g:a no platform, constraint or plugin of this build gives it a version
  implementation(otherLibs.core) // → otherLibs.core no definition found for otherLibs.core
}
`,
  'settings.gradle.kts': `dependencyResolutionManagement {
  versionCatalogs { create("acmeLibs") { from("g:catalog:1.0") } }
}
`,
});

test('the builds of plugins are read again once one of their files has changed', async () => {
  const script = 'dependencies { implementation "com.acme.tool:tool-plugin:1.0" }\n';
  const texts = new Map([[`${root}buildSrc/build.gradle`, script]]);
  const reads: string[] = [];
  const reader = new ManifestReader({
    read: async (uri) => {
      reads.push(uri);
      return texts.get(uri);
    },
    find: async () => [],
    isBlocked: async () => false,
  });
  const uri = `${root}build.gradle`;
  const format = formatOf('/build.gradle');
  assert.ok(format);
  async function versionIn(text: string): Promise<string> {
    const reading = startReading(reader);
    const [plugin] = linkDependencies(await reading.chain(uri, format as NonNullable<typeof format>, text));
    assert.ok(reading.touched.has(`${root}buildSrc/build.gradle`));
    return plugin?.requirement.kind === 'text' ? plugin.requirement.text : '';
  }
  assert.equal(await versionIn("plugins { id 'com.acme.tool' }"), '1.0');
  reads.length = 0;
  assert.equal(await versionIn("plugins { id 'com.acme.tool' } // typed"), '1.0');
  assert.ok(!reads.includes(`${root}buildSrc/build.gradle`));
  texts.set(`${root}buildSrc/build.gradle`, script.replace('1.0', '2.0'));
  reader.builds.forget([`${root}buildSrc/build.gradle`]);
  assert.equal(await versionIn("plugins { id 'com.acme.tool' } // typed"), '2.0');
  texts.set(`${root}buildSrc/build.gradle`, '');
  reader.builds.forget([`${root}buildSrc/build.gradle`]);
  assert.equal(await versionIn("plugins { id 'com.acme.tool' } // typed"), '');
});

builds('a script whose name cannot be computed is called that', {
  'build.gradle': `apply from: otherScript()
dependencies {
  implementation "g:a:$lib" // → g:a no definition found for lib; not readable from here: a file with a computed name
}
`,
});

builds('a plugin of a catalog without a version, which a parent names, too', {
  'app/build.gradle.kts': `val name = property("group")
plugins {
  alias(libs.plugins.acme) // → com.acme:acme-plugin 1.0 gradle/libs.versions.toml
}
dependencies { implementation("g:a:$name") } // → g:a no definition found for property("group")
`,
  'build.gradle.kts': 'plugins {\n  alias(libs.plugins.acme)\n}\n',
  'settings.gradle.kts': 'pluginManagement { includeBuild("logic") }\n',
  'logic/settings.gradle.kts':
    'dependencyResolutionManagement { versionCatalogs { create("libs") { from(files("../gradle/libs.versions.toml")) } } }\n',
  'logic/build.gradle.kts': 'dependencies { implementation(libs.acme) }\n',
  'gradle/libs.versions.toml': `[versions]
acme = "1.0"
[libraries]
acme = { module = "com.acme:acme-plugin", version.ref = "acme" }
[plugins]
acme = { id = "com.acme.acme" }
`,
});

test('code of a build that is not read to its end is a gap', async () => {
  const text = 'plugins { `java-library` }\ndependencies {\n  implementation("g:a")\n}\n';
  const chainWith = (count: number) => {
    const code = Array.from({ length: count }, (_, at) => [`buildSrc/src/main/kotlin/A${at}.kt`, 'class A'] as const);
    const files = { 'build.gradle.kts': text, 'buildSrc/build.gradle.kts': '', ...Object.fromEntries(code) };
    const format = formatOf('/build.gradle.kts');
    assert.ok(format);
    return startReading(new ManifestReader(filesOf(files))).chain(`${root}build.gradle.kts`, format, text);
  };
  assert.equal((await chainWith(500)).truncatedAt, undefined);
  assert.equal((await chainWith(501)).truncatedAt?.uri, `${root}build.gradle.kts`);
});
