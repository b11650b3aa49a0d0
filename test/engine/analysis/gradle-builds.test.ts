import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gradle } from '../../../server/src/engine/ecosystems/gradle/build-gradle.ts';
import { builds } from './script-lab.ts';

const versions = 'gradle/versions.gradle';

builds('maps that are filled before they are put into another one', {
  'app/build.gradle': `apply from: "$rootDir/gradle/versions.gradle"
dependencies {
  implementation deps.room.runtime // → g:room 2.4 ${versions}
  implementation deps.plain        // → g:plain 1.0 ${versions}
  implementation deps.room.none    // → deps.room.none unresolved
}
`,
  [versions]: `ext.deps = [:]
def versions = [:]
versions.room = '2.4'
ext.versions = versions
def deps = [:]
def room = [:]
room.runtime = "g:room:$versions.room"
deps.room = room
deps.plain = 'g:plain:1.0'
ext.deps = deps
`,
});

// Gradle 4.4.1 reads it so: group org.acme, name core, version 1.0, classifier 1.
builds('a group and an artifact in one variable', {
  'build.gradle': `dependencies {
  implementation "$other:1.0:1" // → org.acme:core 1.0 build.gradle
}
`,
  'gradle.properties': 'other=org.acme:core\n',
});

builds('another name for a catalog', {
  'app/build.gradle': `dependencies {
  implementation libraries.guava.testlib // → g:testlib 33 gradle/libs.versions.toml
  implementation libraries.none          // → libraries.none unresolved
  implementation "g:b:\${libraries.versions.guava.get()}" // → g:b 33 gradle/libs.versions.toml
}
`,
  'build.gradle': 'subprojects {\n  ext { libraries = libs }\n}\n',
  'gradle/libs.versions.toml': `[versions]
guava = "33"
[libraries]
guava-testlib = { module = "g:testlib", version.ref = "guava" }
`,
});

builds('another name for versions', {
  'app/build.gradle': `def v = versions
def own = rootProject.ext.versions.test
dependencies {
  implementation "g:a:$v.a"       // → g:a 1.0 build.gradle
  implementation "g:b:\${own.b}"  // → g:b 2.0 build.gradle
}
`,
  'build.gradle': "ext.versions = [a: '1.0', test: [b: '2.0']]\n",
});

builds('names that mean each other', {
  'build.gradle': `def a = b
def b = a
ext.c = [x: d]
ext.d = c
dependencies {
  implementation a.x // → a.x unresolved
  implementation c.x.x.x.x // → c.x.x.x.x unresolved
}
`,
});

builds('maps that get more entries', {
  'app/build.gradle': `dependencies {
  implementation libs.put      // → g:put 1.0 build.gradle
  implementation libs.shifted  // → g:shifted 2.0 build.gradle
  implementation libs.added    // → g:added 3.0 build.gradle
  implementation libs.base     // → g:base 4.0 build.gradle
  implementation all.base      // → g:base 4.0 build.gradle
  implementation all.more      // → g:more 5.0 build.gradle
  implementation spread.base   // → g:base 4.0 build.gradle
  implementation spread.more   // → g:more 6.0 build.gradle
  implementation libs.all      // → g:all 7.0 build.gradle
}
`,
  'build.gradle': `ext.libs = [base: 'g:base:4.0']
libs.put('put', 'g:put:1.0')
ext.libs << [shifted: 'g:shifted:2.0']
ext.libs += [added: 'g:added:3.0']
ext.all = libs + [more: 'g:more:5.0']
ext.spread = [*: libs, more: 'g:more:6.0']
libs.putAll([all: 'g:all:7.0'])
`,
});

builds('several names at once', {
  'build.gradle': `def (a, b) = ['1.0', '2.0']
def (String c, d) = ['3.0', 'g:d:4.0'] // → g:d 4.0 build.gradle
dependencies {
  implementation "g:a:$a" // → g:a 1.0 build.gradle
  implementation "g:b:$b" // → g:b 2.0 build.gradle
  implementation "g:c:$c" // → g:c 3.0 build.gradle
  implementation d        // → g:d 4.0 build.gradle
}
`,
});

builds('a variable with an artifact and its version', {
  'build.gradle': `def both = 'a:1.0'
ext.module = 'g:b'
ext.rest = 'c:2.0:tests@jar'
dependencies {
  implementation "g:$both"    // → g:a 1.0 composed
  implementation "$module:$v" // → g:b 3.0 gradle.properties
  implementation "g:$rest"    // → g:c 2.0 composed
}
`,
  'gradle.properties': 'v=3.0\n',
});

builds('names of artifacts without a version', {
  'app/build.gradle.kts': `val own = "2.0"
dependencies {
  implementation("\${Libs.A}:\${Versions.A}") // → g:a 1.0 buildSrc/src/main/kotlin/Versions.kt
  implementation("\${Libs.B}:$own")           // → g:b 2.0 app/build.gradle.kts
  implementation("\${Libs.B}:\${Versions.A}:tests") // → g:b 1.0 buildSrc/src/main/kotlin/Versions.kt
  constraints { api("\${Libs.C}:$own") } // → g:c 2.0 app/build.gradle.kts
  implementation(Libs.C) // → g:c 2.0 app/build.gradle.kts
}
`,
  'buildSrc/src/main/kotlin/Libs.kt':
    'object Libs {\n  const val A = "g:a"\n  const val B = "g:b"\n  const val C = "g:c"\n}\n',
  'buildSrc/src/main/kotlin/Versions.kt': 'object Versions {\n  const val A = "1.0"\n}\n',
});

builds('groups and artifacts of variables', {
  'build.gradle': `def group1 = 'g'
def name1 = 'a'
dependencies {
  implementation "$group1:$name1"     // → g:a unresolved
  implementation "$group1:$name1:1.0" // → g:a 1.0 build.gradle
}
`,
});

builds('numbers', {
  'build.gradle': `def major = 2
ext.minor = 1.5
def old = ['x': 3]
dependencies {
  implementation "g:a:\${major}.0"     // → g:a 2.0 composed
  implementation "g:b:$minor"          // → g:b 1.5 composed
  implementation "g:c:\${old.x}.1"     // → g:c 3.1 composed
  implementation 'g:d:' + major + '.1' // → g:d 2.1 composed
  implementation 'g:e:' + 4 + '.1'     // → g:e 4.1 composed
}
`,
});

// As Gradle 4.4.1 prints them.
builds('what defines a property of several, of a project in a project', {
  'a/b/build.gradle': `dependencies {
  implementation "g:u:$u" // → g:u b-ext a/b/build.gradle
  implementation "g:w:$w" // → g:w a-ext a/build.gradle
  implementation "g:v:$v" // → g:v a-properties a/gradle.properties
  implementation "g:x:$x" // → g:x root-properties gradle.properties
  implementation "g:y:$y" // → g:y b-properties a/b/gradle.properties
  implementation "g:z:$z" // → g:z root-ext build.gradle
}
ext.u = 'b-ext'
`,
  'a/b/gradle.properties': 'u=b-properties\ny=b-properties\n',
  'a/build.gradle': "ext.w = 'a-ext'\next.x = 'a-ext'\n",
  'a/gradle.properties': 'w=a-properties\nv=a-properties\nx=a-properties\ny=a-properties\n',
  'build.gradle': "ext.x = 'root-ext'\next.z = 'root-ext'\next.y = 'root-ext'\n",
  'gradle.properties': 'x=root-properties\ny=root-properties\n',
  'settings.gradle': "include ':a', ':a:b'\n",
});

builds('plugins of a catalog as dependencies', {
  'build-logic/build.gradle.kts': `dependencies {
  implementation(plugin(libs.plugins.kotlin.jvm)) // → org.k.jvm:org.k.jvm.gradle.plugin 1.9 gradle/libs.versions.toml
  implementation(libs.plugins.kotlin.jvm.asDependency()) // → org.k.jvm:org.k.jvm.gradle.plugin 1.9 gradle/libs.versions.toml
}
`,
  'gradle/libs.versions.toml': '[plugins]\nkotlin-jvm = { id = "org.k.jvm", version = "1.9" }\n',
});

// As Gradle 4.4.1 resolves them, as far as Groovy's; and Kotlin's.
builds('loops over lists that a script writes out', {
  'build.gradle': `def names = ['a', 'b']
dependencies {
  names.each { implementation "g:$it:1.0" }            // → g:a 1.0 build.gradle
  names.each { testImplementation "h:$it:2.0" }        // → h:a 2.0 build.gradle
  for (x in ['g:c:1.0', libs.core]) { implementation x } // → g:c 1.0 build.gradle
  for (String y : ['d']) implementation "g:$y:1.0"     // → g:d 1.0 build.gradle
  [e: '1.0'].each { k, v -> implementation "g:$k:$v" } // → g:e 1.0 build.gradle
  [f: '1.0'].each { implementation "g:\${it.key}:\${it.value}" } // → g:f 1.0 build.gradle
  [['i', '1.0']].each { n, v -> implementation "g:$n:$v" } // → g:i 1.0 build.gradle
  ['j', 'k'].each { implementation "g:$it:1.0"; api "h:$it:2.0" } // → g:j 1.0 build.gradle
}
// → g:b 1.0 build.gradle
// → h:b 2.0 build.gradle
// → h:j 2.0 build.gradle
// → g:k 1.0 build.gradle
// → h:k 2.0 build.gradle
// → g:core 3.0 gradle/libs.versions.toml
['g:l:1.0'].each { dependencies.implementation it }    // → g:l 1.0 build.gradle
['m'].each { n -> project.dependencies.add('implementation', "g:$n:1.0") } // → g:m 1.0 build.gradle
['g:n:1.0'].each { x -> dependencies { implementation x } } // → g:n 1.0 build.gradle
`,
  'gradle/libs.versions.toml': '[libraries]\ncore = "g:core:3.0"\n',
});

builds('loops of Kotlin', {
  'build.gradle.kts': `val names = listOf("a", "b")
dependencies {
  for (n in names) { implementation("g:$n:1.0") } // → g:a 1.0 build.gradle.kts
  for (x in listOf("g:c:1.0")) implementation(x)  // → g:c 1.0 build.gradle.kts
  for ((n, v) in mapOf("d" to "1.0")) { implementation("g:$n:$v") } // → g:d 1.0 build.gradle.kts
  listOf("g:e:1.0").forEach(::implementation)     // → g:e 1.0 build.gradle.kts
  listOf("f" to "1.0").forEach { (n, v) -> implementation("g:$n:$v") } // → g:f 1.0 build.gradle.kts
  listOf("i").forEach { add("implementation", "g:$it:1.0") } // → g:i 1.0 build.gradle.kts
  (names + listOf("j")).forEach { api("h", it, "1.0") } // → h:a 1.0 build.gradle.kts
}
// → g:b 1.0 build.gradle.kts
// → h:b 1.0 build.gradle.kts
// → h:j 1.0 build.gradle.kts
`,
});

test('what an unknown list adds is a gap', () => {
  const text = `dependencies {
  findAll().each { implementation it }
  findAll().each { x -> implementation x }
  others.forEach { api(it) }
  [1, 2].each { println it }
  subprojects.each { implementation it }
}
configurations.all { c -> c.exclude group: 'x' }
`;
  const { problems } = gradle.parse(text);
  assert.deepEqual(
    problems.map(({ span, message }) => `${message}: ${text.slice(span.start, span.end)}`),
    ['it', 'x', 'it'].map((it) => `what a loop adds is not read: ${it}`),
  );
});

builds('maps and texts in one call', {
  'build.gradle': `dependencies {
  implementation([group: 'g', name: 'a', version: '1.0'], 'g:b:1.0') // → g:a 1.0 build.gradle
  implementation('g:c:1.0', [group: 'g', name: 'd', version: '1.0']) // → g:c 1.0 build.gradle
}
// → g:b 1.0 build.gradle
// → g:d 1.0 build.gradle
`,
});

builds('branches in braces, and in the arguments of a call', {
  'build.gradle.kts': `val v = if (old) { "1.0" } else if (older) { "0.9" } else { "2.0" }
val w = when {
  old -> "1.0"
  else -> "2.0"
}
dependencies {
  implementation("g:a:$v") // → g:a 1.0 build.gradle.kts when old
  // → g:a 0.9 build.gradle.kts when !(old) and older
  // → g:a 2.0 build.gradle.kts when !(old) and !(older)
  implementation("g:b:$w") // → g:b 1.0 build.gradle.kts when old
  // → g:b 2.0 build.gradle.kts when !(old)
  if (old) implementation("g:c:1.0") else implementation("g:c:2.0") // → g:c 1.0 build.gradle.kts when old
  // → g:c 2.0 build.gradle.kts when !(old)
  implementation(if (old) "g:d:1.0" else "g:d:2.0") // → g:d 1.0 build.gradle.kts when old
  // → g:d 2.0 build.gradle.kts when !(old)
  if (old) { if (older) { implementation("g:e:1.0") } } // → g:e 1.0 build.gradle.kts when old and older
}
`,
});

builds("a project's own version", {
  'bom/build.gradle.kts': `dependencies {
  constraints {
    api("g:core:$version")           // → g:core source
    api("g:ui:\${project.version}")  // → g:ui source
  }
}
`,
});

builds('a platform of a catalog under a name', {
  'build.gradle.kts': `dependencies {
  val composeBom = platform(libs.compose.bom) // → g:bom 2024 gradle/libs.versions.toml
  implementation(composeBom) // → g:bom 2024 gradle/libs.versions.toml
}
`,
  'gradle/libs.versions.toml': '[libraries]\ncompose-bom = "g:bom:2024"\n',
});

// As java.util.Properties reads them.
builds('escapes of properties', {
  'build.gradle': `dependencies {
  implementation "g:a:$a" // → g:a 1.0 gradle.properties
  implementation "g:b:$b" // → g:b 2.0 gradle.properties
  implementation "g:c:$c" // → g:c 3.0 gradle.properties
  implementation "g:d:$d" // → g:d 4.0 gradle.properties
  implementation lib      // → g:lib 7.0 gradle.properties
  implementation "g:e:$e" // → g:e unresolved
  implementation "g:f:$f" // → g:f 5.0 gradle.properties
}
`,
  'gradle.properties':
    'a=1.\\\n   0\nb \\\r\n : 2.0\nc=3\\u002e0\nd=4\\.0\nlib=\\\n  g:lib:\\\n  7.0\n# \\\nf=5.0\n#\\\n! e=1\n',
});

// Source: Gradle's documentation of version catalogs, and of 7.0 for \`alias\`.
builds('a catalog of settings with variables, chains and loops', {
  'app/build.gradle': `dependencies {
  implementation libs.a   // → g:a 1.0 settings.gradle
  implementation libs.b   // → g:b 1.0 settings.gradle
  implementation libs.c   // → g:c 2.0 settings.gradle
  implementation libs.d   // → g:d 3.0 settings.gradle
  implementation libs.e.f // → g:e 4.0 settings.gradle
  implementation libs.h   // → g:h 5.0 settings.gradle
  implementation libs.i   // → g:i 6.0 settings.gradle
  implementation libs.j   // → g:j 4.0 settings.gradle
}
`,
  'settings.gradle': `def v = '1.0'
def art = 'a'
def grp = 'g'
dependencyResolutionManagement { versionCatalogs { libs {
  version('x', '4.0')
  library('a', "$grp:$art:$v")
  library('b', grp, 'b').version(v)
  def named = 'c'
  library(named, 'g', 'c').version('2.0')
  ['d'].each { library(it, 'g', it).version('3.0') }
  alias('e-f').to('g', 'e').versionRef('x')
  alias 'h' to 'g:h:5.0'
  library 'i', 'g:i:6.0'
  library('j', 'g', 'j') versionRef 'x'
} } }
`,
});

builds('platforms and dependencies under a name', {
  'build.gradle.kts': `dependencies {
  val w = dependencies.platform("g:w:1.0") // → g:w 1.0 build.gradle.kts
  api(w) // → g:w 1.0 build.gradle.kts
  val q = create("g:q:1.0") // → g:q 1.0 build.gradle.kts
  api(q) // → g:q 1.0 build.gradle.kts
  val r = project.dependencies.enforcedPlatform(libs.x) // → g:x 1.0 gradle/libs.versions.toml
  api(r) // → g:x 1.0 gradle/libs.versions.toml
}
`,
  'gradle/libs.versions.toml': '[libraries]\nx = "g:x:1.0"\n',
});

// As Gradle 4.4.1 applies them.
for (const [title, apply, files] of [
  ['properties', '${dir}/x.gradle', { 'gradle.properties': 'dir=gradle\n', 'app/gradle/x.gradle': "ext.v = '1.0'\n" }],
  [
    'the root',
    '$rootDir/${dir}/x.gradle',
    { 'gradle.properties': 'dir=gradle\n', 'gradle/x.gradle': "ext.v = '1.0'\n" },
  ],
  [
    'another script',
    '$dir/x.gradle',
    { 'build.gradle': 'ext.dir = "$rootDir/gradle"\n', 'gradle/x.gradle': "ext.v = '1.0'\n" },
  ],
  [
    'properties, with another end',
    '${dir}/x.txt',
    { 'gradle.properties': 'dir=gradle\n', 'app/gradle/x.txt': "ext.v = '1.0'\n" },
  ],
] as const) {
  const [of = ''] = Object.keys(files).slice(1);
  builds(`a script in a directory of ${title}`, {
    'app/build.gradle': `apply from: "${apply}"\ndependencies {\n  implementation "g:a:$v" // → g:a 1.0 ${of}\n}\n`,
    'build.gradle': "ext.v = '9.0'\n",
    ...files,
  });
}

builds('placeholders of refreshVersions', {
  'build.gradle.kts': `plugins {
  id("acme.tool") // → acme.tool:acme.tool.gradle.plugin 2.0 versions.properties
}
dependencies {
  implementation("com.squareup.okhttp3:okhttp:_") // → com.squareup.okhttp3:okhttp 4.9.0 versions.properties
  implementation("com.squareup.retrofit2:retrofit:_") // → com.squareup.retrofit2:retrofit 2.9.0 versions.properties
  implementation("org.jetbrains.kotlinx:kotlinx-coroutines-core:_") // → org.jetbrains.kotlinx:kotlinx-coroutines-core 1.6 versions.properties
  implementation("androidx.room:room-ktx:_") // → androidx.room:room-ktx 2.4 versions.properties
  implementation("acme:one:_") // → acme:one 4.9.0 versions.properties
  implementation("acme:none:_") // → acme:none unresolved
  implementation(libs.core) // → acme:core 7.0 versions.properties
}
`,
  'gradle/libs.versions.toml': '[libraries]\ncore = "acme:core:_"\n',
  'versions.properties': `#### Dependencies and versions
plugin.acme.tool=2.0
version.okhttp3=4.9.0
##      # available=4.10.0
version.com.squareup.retrofit2..retrofit=2.9.0
version.kotlinx.coroutines=1.6
version.androidx.room=2.4
version.acme..one=version.okhttp3
version.acme..core=7.0
`,
});

builds('a platform project with versions of buildSrc, of a catalog and of its own properties', {
  'app/build.gradle.kts': `dependencies {
  implementation(platform(project(":versions"))) 
  implementation("g:a") // → g:a 1.0 buildSrc/src/main/kotlin/Versions.kt
  implementation("g:b") // → g:b 2.0 gradle/libs.versions.toml
  implementation("g:c") // → g:c 3.0 versions/gradle.properties
}
`,
  'versions/build.gradle.kts': `val a = Versions.A
dependencies {
  constraints {
    api("\${Libs.A}:$a")
    api(libs.b)
    api("g:c:\${property("c")}")
  }
}
`,
  'versions/gradle.properties': 'c=3.0\n',
  'buildSrc/src/main/kotlin/Versions.kt': 'object Versions {\n  const val A = "1.0"\n}\n',
  'buildSrc/src/main/kotlin/Libs.kt': 'object Libs {\n  const val A = "g:a"\n}\n',
  'gradle/libs.versions.toml': '[libraries]\nb = "g:b:2.0"\n',
});

builds('what code finds in a catalog, under a name', {
  'buildSrc/src/main/kotlin/Compose.kt': `fun Project.compose() {
  dependencies {
    val bom = libs.findLibrary("acme-bom").get()
    val acme = libs.findVersion("acme").get().toString()
    "implementation"(platform(bom)) // → g:bom 1.0 gradle/libs.versions.toml
    "implementation"(libs.findLibrary("acme.core").get()) // → g:core 2.0 gradle/libs.versions.toml
    "implementation"("g:c:$acme") // → g:c 2.0 gradle/libs.versions.toml
    "implementation"("g:d:\${libs.findVersion("acme").get().requiredVersion}") // → g:d 2.0 gradle/libs.versions.toml
  }
}
`,
  'gradle/libs.versions.toml': `[versions]
acme = "2.0"
[libraries]
acme-bom = "g:bom:1.0"
acme-core = { module = "g:core", version.ref = "acme" }
`,
});

builds('versions of a properties file that the code of the build reads', {
  'app/build.gradle': `dependencies {
  implementation "g:a:\${versions.a}"        // → g:a 1.0 versions.properties
  implementation "g:b:$libVersions.b"        // → g:b 2.0 gradle/libVersions.properties
  implementation "g:c:\${versions.none}"     // → g:c unresolved
}
`,
  'settings.gradle': '',
  'versions.properties': 'a=1.0\n',
  'gradle/libVersions.properties': 'b=2.0\n',
});
