import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gradle } from '../../../server/src/engine/ecosystems/gradle/build-gradle.ts';
import { builds } from './script-lab.ts';

const properties = 'gradle.properties';

builds('functions of Kotlin that look a version up by its name', {
  'app/build.gradle.kts': `fun version(target: String): String = property("\${target}_version") as String
fun inBlock(target: String): String {
    if (target == "a") {
        val snapshot = properties["a_snapshot"]
        if (snapshot != null) return snapshot.toString()
    }
    val name = "\${target}_version"
    return properties[name]?.let { "$it" } ?: gradleProperties.getProperty(name)
}
fun guarded(target: String): String {
    if (target == "a") project.findProperty("a_other")?.let { return it as String }
    return property("\${target}_version") as String
}
fun written(target: String): String {
    if (target == "a") return "7.0"
    return property("\${target}_version") as String
}
fun catalog(alias: String) = libs.findVersion(alias).get().toString()
fun extra(name: String) = rootProject.extra[name] as String
dependencies {
    implementation("g:a:\${version("a")}")   // → g:a 1.0 ${properties}
    implementation("g:b:" + version("b"))    // → g:b 2.0 ${properties}
    implementation("g", "c", inBlock("a"))   // → g:c 1.0 ${properties}
    implementation("g:d:\${guarded("b")}")   // → g:d unresolved
    implementation("g:e:\${written("a")}")   // → g:e 7.0 app/build.gradle.kts
    implementation("g:f:\${catalog("f-x")}") // → g:f 6.0 gradle/libs.versions.toml
    implementation("g:g:\${extra("g")}")     // → g:g 8.0 build.gradle.kts
    implementation("g:h:\${version("none")}") // → g:h unresolved
    implementation("g:i:\${version(name)}")   // → g:i unresolved
}
`,
  'settings.gradle.kts': '',
  'build.gradle.kts': 'extra["g"] = "8.0"\n',
  'gradle/libs.versions.toml': '[versions]\nf-x = "6.0"\n',
  [properties]: 'a_version=1.0\nb_version=2.0\na_other=3.0\n',
});

builds('functions and closures of Groovy', {
  'app/build.gradle': `def version(String name) { return project.property("\${name}Version") }
String last(name) { versions[name] }
static String composed(String minor) { "1.\${minor}" }
def closure = { String name -> versions[name] }
ext.inExt = { rootProject.ext.get("\${it}Version") }
def constant() { '9.0' }
dependencies {
  implementation "g:a:\${version('a')}"   // → g:a 1.0 ${properties}
  implementation "g:b:\${last('b')}"      // → g:b 2.0 build.gradle
  implementation "g:c:\${composed('4')}"  // → g:c 1.4 composed
  implementation "g:d:\${closure('b')}"   // → g:d 2.0 build.gradle
  implementation "g:e:\${inExt('a')}"     // → g:e 1.0 ${properties}
  implementation "g:f:\${constant()}"     // → g:f 9.0 app/build.gradle
}
`,
  'settings.gradle': '',
  'build.gradle': "ext.versions = [b: '2.0']\n",
  [properties]: 'aVersion=1.0\n',
});

builds('functions of the code of a build, in packages and objects', {
  'app/build.gradle.kts': `import com.acme.build.imported
dependencies {
    implementation("g:a:\${plain("a")}")        // → g:a 1.0 ${properties}
    implementation("g:b:\${imported("b")}")     // → g:b 2.0 ${properties}
    implementation("g:c:\${Versions.of("a")}")  // → g:c 1.0 ${properties}
    implementation("g:d:\${overridden("a")}")   // → g:d 1.0 ${properties}
}
`,
  'settings.gradle.kts': '',
  [properties]: 'a_version=1.0\nb_version=2.0\n',
  'buildSrc/src/main/kotlin/Plain.kt': `import org.gradle.api.*
fun Project.plain(target: String): String = property("\${target}_version") as String
object Versions {
    fun of(target: String): String = gradleProperties.getProperty("\${target}_version")
}
fun Project.overridden(target: String): String {
    if (target == "a") {
        snapshot(this)?.let { return it }
    }
    return property("\${target}_version") as String
}
`,
  'buildSrc/src/main/kotlin/com/acme/Imported.kt': `package com.acme.build
fun Project.imported(name: String) = providers.gradleProperty(name + "_version").get()
`,
});

// A function that calls itself, or another one without an end.
builds('functions without an end', {
  'build.gradle.kts': `fun a(x: String): String = b(x)
fun b(x: String): String = a(x)
fun c(x: String): String = property("\${c("y")}") as String
dependencies {
    implementation("g:a:\${a("x")}") // → g:a unresolved
    implementation("g:c:\${c("x")}") // → g:c unresolved
}
`,
});

builds('a type at the end of a line', {
  'build.gradle.kts': `val a = findProperty("x") as String?
val b = "1.0"
dependencies { implementation("g:b:$b") } // → g:b 1.0 build.gradle.kts
`,
});

builds('bodies and braces on the next line', {
  'build.gradle': `dependencies {
  for (x in ['g:a:1.0', 'g:b:2.0'])
    implementation x
  if (old)
  {
    implementation 'g:c:3.0' // → g:c 3.0 build.gradle when old
  }
  // → g:a 1.0 build.gradle
  // → g:b 2.0 build.gradle
  implementation 'g:d:4.0' // → g:d 4.0 build.gradle
}
`,
});

// Gradle 4.4.1 declares these versions.
builds('functions that give whole artifacts', {
  'build.gradle': `ext.v = '1.0'
def lib(artifact) { "g:$artifact:1.1" }
def sum(String artifact) {
  return 'g:' + artifact + ':' + v
}
def all(group, artifact, version) { "$group:$artifact:$version" }
def usual(artifact, version = '1.2') { "g:$artifact:$version" }
def closure = { artifact -> "g:$artifact:1.3" }
ext.map = { artifact, version -> [group: 'g', name: artifact, version: version] }
def several(name) {
  def group = "g.$name"
  ["$group:core:1.4", "$group:more:1.4"]
}
dependencies {
  compile lib('a')                 // → g:a 1.1 build.gradle
  compile(sum('b'))                // → g:b 1.0 build.gradle
  compile all('g', 'c', '1.5')     // → g:c 1.5 build.gradle
  compile all('g', 'd', v)         // → g:d 1.0 build.gradle
  compile usual('e')               // → g:e 1.2 build.gradle
  compile usual('f', '1.6')        // → g:f 1.6 build.gradle
  compile closure('g'), lib('h')   // → g:g 1.3 build.gradle
  compile map('i', '1.7')          // → g:i 1.7 build.gradle
  compile several('x')
  // → g:h 1.1 build.gradle
  // → g.x:core 1.4 build.gradle
  // → g.x:more 1.4 build.gradle
  compile platform(lib('j'))       // → g:j 1.1 build.gradle
}
`,
});

builds('functions of Kotlin that give whole artifacts', {
  'build.gradle.kts': `val v = "1.0"
fun ktor(module: String) = "io.ktor:ktor-$module:$v"
fun lib(module: String, version: String = "1.1"): String {
  return "g:$module:$version"
}
fun DependencyHandlerScope.own(module: String) = create(group = "g", name = module, version = "1.2")
dependencies {
  implementation(ktor("core"))            // → io.ktor:ktor-core 1.0 build.gradle.kts
  implementation(lib("a"))                // → g:a 1.1 build.gradle.kts
  implementation(lib("b", version = "2")) // → g:b 2 build.gradle.kts
  implementation(own("c"))                // → g:c 1.2 build.gradle.kts
}
`,
});

builds('functions of the code of a build that give whole artifacts', {
  'app/build.gradle.kts': `dependencies {
  implementation(ktor("core"))   // → io.ktor:ktor-core 2.0 composed
  implementation(unknown("x"))   // → \${unknown("x")} unresolved
}
`,
  'buildSrc/src/main/kotlin/Libs.kt': `object Versions { const val KTOR = "2.0" }
fun ktor(name: String) = "io.ktor:ktor-$name:\${Versions.KTOR}"
`,
});

builds('functions that find a library of a catalog', {
  'build.gradle.kts': `fun library(alias: String) = libs.findLibrary(alias).get().get().let {
  "\${it.module.group}:\${it.module.name}:\${it.versionConstraint.requiredVersion}"
}
fun found(alias: String) = the<VersionCatalogsExtension>().named("libs").findLibrary(alias).get()
dependencies {
  implementation(library("core")) // → g:core 1.0 gradle/libs.versions.toml
  implementation(found("core"))   // → g:core 1.0 gradle/libs.versions.toml
}
`,
  'gradle/libs.versions.toml': '[libraries]\ncore = "g:core:1.0"\n',
});

test('what other functions give is said not to be read', () => {
  const problems = (text: string) => gradle.parse(text).problems.map((it) => it.message);
  assert.deepEqual(problems(`dependencies { compile lib('a', 'b') }`), ['what a function gives is not read']);
  for (const it of ['gradleApi()', 'project(":a")', 'files("a.jar")', 'localGroovy()', 'sourceSets.named("x")'])
    assert.deepEqual(problems(`dependencies { compile ${it} }`), [], it);
});
