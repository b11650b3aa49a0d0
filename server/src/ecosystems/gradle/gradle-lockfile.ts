import type { Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { Dependency, ManifestFormat } from '../../model/manifest.ts';
import { addVersion, entriesOf } from '../shared/lockfile.ts';
import { maven } from '../shared/maven-versions.ts';

/** The lockfiles of a Gradle project, opened themselves. */
export const gradleLock: ManifestFormat = {
  id: 'gradle.lockfile',
  system: 'MAVEN',
  record: 'lockfile',
  files: /(^|\/)(?:buildscript-)?gradle\.lockfile$/,
  parse: (text) => ({ dependencies: read(text), definitions: [], references: [], problems: [] }),
};

/**
 *     org.yaml:snakeyaml:1.33=compileClasspath,runtimeClasspath
 *     ^^^^^^^^^^^^^^^^^^ ^^^^
 */
const line = /^(\uFEFF?)([^\s:=#]+:[^\s:=]+):([^\s:=]+)=/gm;

const entry = entriesOf('MAVEN', 'gradle dependencies --write-locks');

function read(text: string): Dependency[] {
  return Array.from(text.matchAll(line), ({ index, 1: mark = '', 2: name = '', 3: version = '' }) =>
    entry(text, index + mark.length, name, version),
  );
}

/** The lockfile of a Gradle project. */
export const gradleLockfile: LockfileFormat = {
  id: 'gradle.lockfile',
  serves: ['build.gradle'],
  below: false,
  update: 'gradle dependencies --write-locks',
  parse: (text) => readLockedEntry(text, (it) => !ofTheBuild(it)),
};

/** The one of what the build itself runs on: the class path of scripts, and plugins. */
export const buildscriptLockfile: LockfileFormat = {
  ...gradleLockfile,
  id: 'buildscript-gradle.lockfile',
  parse: (text) => readLockedEntry(text, ofTheBuild),
};

function ofTheBuild({ group = '' }: Dependency): boolean {
  return group === 'plugins' || group.startsWith('buildscript');
}

/** `group:artifact:version=compileClasspath,runtimeClasspath` */
const lockedLine = /^\uFEFF?([^\s:=#]+:[^\s:=]+):([^\s:=]+)=/gm;

function readLockedEntry(text: string, serves: (dependency: Dependency) => boolean): Lockfile {
  const versions = new Map<string, string[]>();
  for (const [, name = '', version = ''] of text.matchAll(lockedLine)) addVersion(versions, name, version);
  return {
    packages: [],
    problems: [],
    locked: (it) => (serves(it) ? locked(versions.get(it.key.name) ?? [], it) : undefined),
  };
}

/**
 * The version asked for, where it is locked. Gradle takes a higher one where another dependency asks for it, and that is
 * no reason to update the lockfile: nothing is said of it. A lower one has been left behind.
 */
function locked(versions: readonly string[], { requirement }: Dependency): string | undefined {
  const range = requirement.kind === 'literal' ? requirement.at.text : '';
  const asked = versions.filter((it) => maven.satisfies(it, range)).toSorted(maven.compare);
  if (asked.length > 0) return asked.at(-1);
  const reading = maven.read(range);
  if (reading.kind !== 'pin') return versions.toSorted(maven.compare).at(-1);
  return versions.find((it) => maven.compare(it, reading.version) < 0);
}
