import type { Dependency, ManifestFormat } from '../model/manifest.ts';
import { entriesOf } from './locked-entry.ts';

/** The lockfiles of a Gradle project, opened themselves. */
export const gradleLockfile: ManifestFormat = {
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
