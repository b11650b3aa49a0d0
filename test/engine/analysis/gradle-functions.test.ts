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
