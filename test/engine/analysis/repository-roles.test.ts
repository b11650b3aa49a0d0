import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../../harness/file-service.ts';
import { folderWith } from '../../terminal/program.ts';
import { runHere } from '../../terminal/terminal.ts';

/*
 * Repositories for plugins count for a library of a catalog only where the build itself uses it: in a class path of a script,
 * in buildSrc, or in a build that is included. For plugins of a catalog those for libraries do not count.
 */

const service = await startServiceForFile({
  'MAVEN com.example:core': { versions: ['1.0.0'] },
  'MAVEN com.example.plugin:com.example.plugin.gradle.plugin': { versions: ['1.0.0'] },
});

const catalog = { 'gradle/libs.versions.toml': '[libraries]\nexample-core = "com.example:core:1.0.0"\n' };
const plugins = (inner = '') => `pluginManagement {\n${inner}\nrepositories { maven("https://plugins.example") } }\n`;
const libraries = 'dependencyResolutionManagement { repositories { mavenCentral() } }\n';
const settings = `${plugins()}${libraries}include(":app")\n`;

const cases: Record<string, readonly [files: Readonly<Record<string, string>>, withheld: number]> = {
  'a library that projects use': [
    { 'settings.gradle.kts': settings, 'app/build.gradle.kts': 'dependencies { implementation(libs.example.core) }\n' },
    0,
  ],
  'a library of a catalog in the settings': [
    {
      'settings.gradle.kts': `${plugins()}dependencyResolutionManagement { repositories { mavenCentral() }
        versionCatalogs { create("tools") { library("example-core", "com.example:core:1.0.0") } } }\n`,
      'gradle/libs.versions.toml': '',
    },
    0,
  ],
  'a library in the class path of the root script': [
    {
      'settings.gradle.kts': settings,
      'build.gradle.kts': 'buildscript { dependencies { classpath(libs.example.core) } }\n',
    },
    1,
  ],
  'a library in the class path of a project': [
    {
      'settings.gradle.kts': settings,
      'app/build.gradle': 'buildscript {\n  def it = libs.example.core.get()\n  dependencies { classpath it }\n}\n',
    },
    1,
  ],
  'a bundle in a class path': [
    {
      'settings.gradle.kts': settings,
      'gradle/libs.versions.toml': `${catalog['gradle/libs.versions.toml']}[bundles]\nall-of = ["example.core"]\n`,
      'app/build.gradle': 'buildscript { dependencies { classpath libs.bundles.all.of } }\n',
    },
    1,
  ],
  'a library in buildSrc': [
    {
      'settings.gradle.kts': settings,
      'buildSrc/build.gradle.kts': 'dependencies { implementation(libs.example.core) }\n',
    },
    1,
  ],
  'a library in an included build, by another name of the catalog': [
    {
      'settings.gradle.kts': `${plugins('includeBuild("logic")')}${libraries}`,
      'logic/settings.gradle.kts': 'include(":own")\n',
      'logic/own/build.gradle.kts': 'dependencies { implementation(deps.findLibrary("example-core").get()) }\n',
    },
    1,
  ],
  'a library of a build whose settings are not there': [
    {
      'build.gradle':
        'buildscript { repositories { maven { url "https://plugins.example" } } }\nrepositories { mavenCentral() }\n',
    },
    1,
  ],
  'a plugin of a catalog': [
    {
      'settings.gradle.kts':
        'pluginManagement { repositories { gradlePluginPortal() } }\ndependencyResolutionManagement { repositories { maven("https://libraries.example") } }\n',
      'gradle/libs.versions.toml': '[plugins]\nexample = { id = "com.example.plugin", version = "1.0.0" }\n',
    },
    0,
  ],
};

const managed = (repository: string) => ({
  'gradle/pom.xml': `<project><artifactId>a</artifactId><repositories>${repository}</repositories><dependencies><dependency>
    <groupId>com.example</groupId><artifactId>core</artifactId></dependency></dependencies></project>`,
  'gradle/libs.versions.toml': '',
});
const snapshots =
  '<repository><id>s</id><url>https://snapshots.example</url><releases><enabled>false</enabled></releases></repository>';
const releases = '<repository><id>r</id><url>https://releases.example</url></repository>';
const plugin = (at: number) => `id("example.p${at}")\n`;
cases['a library where plugins for settings may lie in many places'] = [
  {
    'settings.gradle.kts': `includeBuild("one")\nincludeBuild("two")\nplugins { ${[1, 2, 3, 4, 5, 6].map(plugin).join('')}}\n`,
  },
  0,
];
cases['a dependency without a version where another repository has snapshots alone'] = [managed(snapshots), 0];
cases['a dependency without a version that any repository may have'] = [managed(snapshots + releases), 1];

for (const [title, [files, withheld]] of Object.entries(cases)) {
  test(`${title}: ${withheld === 0 ? 'does not stay' : 'stays'}`, async () => {
    const folder = folderWith({ ...catalog, ...files });
    try {
      const path =
        files['gradle/libs.versions.toml'] === '' && files['settings.gradle.kts'] ? 'settings.gradle.kts' : 'gradle';
      const { out } = await runHere(['check', path, '--format', 'json'], folder.path, { baseUrl: service.url });
      const { coverage } = JSON.parse(out);
      assert.deepEqual([coverage.total, coverage.withheld], [1, withheld], out);
    } finally {
      folder.remove();
    }
  });
}
