import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../../harness/file-service.ts';
import { folderWith } from '../../terminal/program.ts';
import { runHere } from '../../terminal/terminal.ts';

/*
 * buildSrc and included builds are builds of their own: what they declare is for what they take themselves, of which the
 * plugins of other builds are a part. Script plugins and scripts that a project applies are a part of that project.
 */

const service = await startServiceForFile({
  'MAVEN com.example:core': { versions: ['1.0.0'] },
  'MAVEN com.example:logic-plugin': { versions: ['1.0.0'] },
});

const settings = 'dependencyResolutionManagement { repositories { mavenCentral() } }\n';
const library = 'dependencies { implementation("com.example:core:1.0.0") }\n';
const plugin = 'plugins { id("com.example.logic") }\n';
const closed = 'repositories { maven("https://closed.example") }\n';
const logic = 'dependencies { implementation("com.example:logic-plugin:1.0.0") }\n';

/** What of `app/build.gradle.kts`, or of `path`, stays. */
const cases: Record<
  string,
  { readonly files: Readonly<Record<string, string>>; readonly path?: string; readonly stays: readonly string[] }
> = {
  'what buildSrc declares for itself': {
    files: {
      'settings.gradle.kts': settings,
      'app/build.gradle.kts': plugin + library,
      'buildSrc/build.gradle.kts': closed + logic,
    },
    stays: ['com.example:logic-plugin'],
  },
  'what an included build declares for its own plugins': {
    files: {
      'settings.gradle.kts': `pluginManagement { includeBuild("own") }\n${settings}`,
      'app/build.gradle.kts': plugin + library,
      'own/settings.gradle.kts': `pluginManagement { ${closed} }\n${settings}`,
      'own/build.gradle.kts': logic,
    },
    stays: [],
  },
  'what an included build declares for its libraries': {
    files: {
      'settings.gradle.kts': `pluginManagement { includeBuild("own") }\n${settings}`,
      'app/build.gradle.kts': plugin + library,
      'own/settings.gradle.kts': `dependencyResolutionManagement { ${closed} }\n`,
      'own/build.gradle.kts': logic,
    },
    stays: ['com.example:logic-plugin'],
  },
  'what buildSrc declares, of its own': {
    files: { 'settings.gradle.kts': settings, 'buildSrc/build.gradle.kts': closed + logic },
    path: 'buildSrc',
    stays: ['com.example:logic-plugin'],
  },
  'a script plugin of buildSrc': {
    files: {
      'settings.gradle.kts': '',
      'app/build.gradle.kts': `plugins { id("acme") }\ndependencies { implementation("com.example:core") }\n`,
      'buildSrc/build.gradle.kts': 'plugins { `kotlin-dsl` }\n',
      'buildSrc/src/main/kotlin/acme.gradle.kts': `${closed}dependencies { constraints { implementation("com.example:core:1.0.0") } }\n`,
    },
    path: 'app',
    stays: ['com.example:core'],
  },
  'what buildSrc declares, for projects that its plugins add libraries to': {
    files: {
      'settings.gradle.kts': settings,
      'buildSrc/build.gradle.kts': closed + logic,
      'buildSrc/src/main/kotlin/acme.gradle.kts': plugin + library,
    },
    path: 'buildSrc/src',
    stays: ['com.example:logic-plugin'],
  },
  'a script that lies in buildSrc': {
    files: {
      'settings.gradle.kts': '',
      'app/build.gradle.kts': `apply(from = "../buildSrc/repositories.gradle.kts")\n${library}`,
      'buildSrc/repositories.gradle.kts': closed,
    },
    path: 'app',
    stays: ['com.example:core'],
  },
  'the script of buildSrc, applied': {
    files: {
      'settings.gradle.kts': '',
      'app/build.gradle.kts': `apply(from = "../buildSrc/build.gradle.kts")\n${library}`,
      'buildSrc/build.gradle.kts': closed,
    },
    path: 'app',
    stays: ['com.example:core'],
  },
};

for (const [title, { files, path = 'app', stays }] of Object.entries(cases)) {
  test(title, async () => {
    const folder = folderWith(files);
    try {
      const { out } = await runHere(['check', path, '--format', 'json'], folder.path, { baseUrl: service.url });
      const { projects } = JSON.parse(out);
      const all: { name: string; gapKind?: string }[] = projects.flatMap((it: { dependencies: [] }) => it.dependencies);
      const withheld = all.filter((it) => it.gapKind === 'withheld').map((it) => it.name);
      assert.deepEqual([...new Set(withheld)].sort(), stays, out);
    } finally {
      folder.remove();
    }
  });
}
