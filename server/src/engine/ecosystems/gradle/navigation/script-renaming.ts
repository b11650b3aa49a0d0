import * as l10n from '@vscode/l10n';
import type { Renaming } from '../../../model/manifest.ts';

/** What every project of Gradle has. Source: the properties of `org.gradle.api.Project` and of the plugins for Java. */
const ofGradle: ReadonlySet<string> = new Set([
  ...['ant', 'archivesBaseName', 'artifacts', 'buildDir', 'buildFile', 'buildscript', 'childProjects', 'components'],
  ...[
    'configurations',
    'convention',
    'defaultTasks',
    'dependencies',
    'description',
    'displayName',
    'ext',
    'extensions',
  ],
  ...[
    'extra',
    'gradle',
    'group',
    'layout',
    'libs',
    'logger',
    'logging',
    'name',
    'objects',
    'parent',
    'path',
    'plugins',
  ],
  ...['project', 'projectDir', 'properties', 'providers', 'repositories', 'resources', 'rootDir', 'rootProject'],
  ...['settings', 'sourceCompatibility', 'sourceSets', 'state', 'status', 'targetCompatibility', 'tasks', 'version'],
]);
/** Words of Groovy and Kotlin. */
const keywords: ReadonlySet<string> = new Set(
  (
    'abstract as assert boolean break by byte case catch char class companion const continue data def default do double else ' +
    'enum extends false final finally float for fun get goto if implements import in init inner instanceof int interface ' +
    'internal is it lateinit long native new null object open operator override package private protected public return ' +
    'sealed set short static strictfp super switch synchronized this throw throws trait transient true try typealias typeof ' +
    'val var void volatile when where while yield'
  ).split(' '),
);

/** Variables and properties of scripts. What no dependency uses may be one that a plugin reads by its name. */
export const scriptRenaming: Renaming = {
  kinds: { property: (name) => `property:${name}` },
  isOnlyOfDependencies: true,
  files: /\.gradle(?:\.kts)?$/,
  keep: keepByGradle,
  refuse: refuseWord,
  namesOf: (_, { span }) => [span],
};

/** Keys of gradle.properties. Scripts name most of them as variables. */
export const propertiesRenaming: Renaming = {
  ...scriptRenaming,
  files: /(^|\/)gradle\.properties$/,
};

function keepByGradle(name: string): string | undefined {
  const isOwn = ofGradle.has(name) || /^(?:org\.gradle|systemProp|kotlin|android)\./.test(name);
  return isOwn ? l10n.t('Gradle itself defines {0}', name) : undefined;
}

function refuseWord(name: string): string | undefined {
  if (ofGradle.has(name)) return l10n.t('Gradle itself defines {0}', name);
  if (keywords.has(name)) return l10n.t('{0} is a word of Groovy or Kotlin', name);
  return /^[A-Za-z_]\w*$/.test(name) ? undefined : l10n.t('a variable has letters, digits and _');
}
