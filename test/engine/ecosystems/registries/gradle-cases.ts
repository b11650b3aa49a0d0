import type { PrivateCase } from './cases.ts';

/** Texts of Gradle's scripts that look like artifacts, and are none; and names that only a build could work out. */
export const gradleCases: readonly PrivateCase[] = [
  {
    title: 'texts with colons that no dependency refers to',
    files: {
      'build.gradle': `ext.host = "secret-host:8080"
ext.image = "registry.secret.example:team:1.0"
def images = ["registry.secret.example:one:1.0", "registry.secret.example:two:1.0"]
ext.map = [db: "jdbc:secret:mem", at: [ten: "10:secret:00"]]
cache { artifact = "secret.cache:x:1.0"; force "secret.force:x:1.0" }
dependencies {
  implementation("junit:junit:4.13.2") {
    because "secret.reason:x:1.0"
    note "secret.note:x:1.0"
  }
  implementation "secret-host:8080"
}
`,
    },
    asked: ['junit:junit'],
  },
  {
    title: 'coordinates of Kotlin objects that no dependency refers to',
    files: {
      'build.gradle.kts': `object Images { object Team { const val core = "registry.secret.example:core:1.0" } }
val bom = platform("registry.secret.example:bom:1.0")
dependencies { implementation("junit:junit:4.13.2") }
`,
    },
    asked: ['junit:junit'],
  },
  {
    title: 'names that are put together of what is no half of one',
    files: {
      'build.gradle': `def whole = project.hasProperty("x") ? "registry.secret.example:core" : "other"
dependencies { implementation "junit:junit:4.13.2"; implementation "$other:1.0:1"; implementation "$address:secret" }
`,
      'gradle.properties': 'address=secret.example:8080\nother=registry.secret.example/core\n',
    },
    asked: ['junit:junit'],
  },
  {
    title: 'names of a catalog in the settings that are put together of variables',
    files: {
      'settings.gradle': `def f = System.getenv("SECRET")
dependencyResolutionManagement { versionCatalogs { libs {
  library("a", "$f", "secret-artifact").version("1.0")
  library("b", "secret$f:x:1.0")
  plugin("c", "secret.$f").version("1.0")
  library("d", "junit:junit:4.13.2")
} } }
`,
    },
    asked: ['junit:junit'],
  },
  {
    title: 'repositories that a plugin for settings declares, written as a script of an included build',
    files: {
      'build.gradle.kts': `plugins { id("java") }
dependencies { implementation("com.secret:core:1.0") }
`,
      'settings.gradle.kts': `pluginManagement { includeBuild("build-settings"); repositories { gradlePluginPortal() } }
plugins {
  id("com.open.develocity") version "1.0"
  id("secret.base")
}
dependencyResolutionManagement { repositories { mavenCentral() } }
`,
      'build-settings/src/main/kotlin/secret.base.settings.gradle.kts': 'plugins {\n  id("secret.repositories")\n}\n',
      'build-settings/src/main/kotlin/secret.repositories.settings.gradle.kts':
        'dependencyResolutionManagement { repositories { maven("https://maven.acme.example") { content { includeGroup("com.secret") } } } }\n',
    },
    asked: [],
  },
];
