import type { Lockfile, LockfileFormat } from '../../../model/lockfile.ts';
import type { Dependency } from '../../../model/manifest.ts';
import { adjacentEntry, lockfileFormat, versionsByName } from '../../shared/lockfile.ts';
import { maven } from '../../shared/maven-versions.ts';

/** The lockfile of a Gradle project. */
export const gradleLockfile = lockfileFormat({
  id: 'gradle.lockfile',
  system: 'MAVEN',
  files: /(^|\/)(?:buildscript-)?gradle\.lockfile$/,
  serves: ['build.gradle'],
  below: false,
  update: 'gradle dependencies --write-locks',
  parse: (text) => parse(text, (it) => !isForBuildscript(it)),
});

/** The lockfile of the build itself: the class path of its scripts, and its plugins. */
export const buildscriptLockfile: LockfileFormat = {
  ...gradleLockfile,
  id: 'buildscript-gradle.lockfile',
  parse: (text) => parse(text, isForBuildscript),
};

function isForBuildscript({ group = '' }: Dependency): boolean {
  return group === 'plugins' || group.startsWith('buildscript');
}

/**
 *     org.yaml:snakeyaml:1.33=compileClasspath,runtimeClasspath
 *     ^^^^^^^^^^^^^^^^^^ ^^^^
 */
const line = /^(\uFEFF?)([^\s:=#]+:[^\s:=]+):([^\s:=]+)=/gm;

function parse(text: string, serves: (dependency: Dependency) => boolean): Lockfile {
  const packages = Array.from(text.matchAll(line), ({ index, 1: bom = '', 2: name = '', 3: version = '' }) =>
    adjacentEntry(text, index + bom.length, name, version),
  );
  const versions = versionsByName('MAVEN', packages);
  return {
    packages,
    problems: [],
    locked: (it) => (serves(it) ? lockedVersion(versions.get(it.key.name) ?? [], it) : undefined),
    graph: () => 'unrecorded',
  };
}

/**
 * The required version, where it is locked. Gradle resolves to a higher one if another dependency requires that; the
 * lockfile is up to date then, so the result is undefined. A lower locked version is out of date.
 */
function lockedVersion(versions: readonly string[], { requirement }: Dependency): string | undefined {
  const range = requirement.kind === 'literal' ? requirement.at.text : '';
  const inRange = versions.filter((it) => maven.satisfies(it, range)).toSorted(maven.compare);
  if (inRange.length > 0) return inRange.at(-1);
  const reading = maven.read(range);
  if (reading.kind !== 'pin') return versions.toSorted(maven.compare).at(-1);
  return versions.find((it) => maven.compare(it, reading.version) < 0);
}
