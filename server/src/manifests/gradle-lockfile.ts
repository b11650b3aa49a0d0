import type { Dependency, ManifestFormat } from '../model/manifest.ts';
import { verbatim } from '../text/verbatim.ts';
import { writtenBy } from './written-by.ts';

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

function read(text: string): Dependency[] {
  const dependencies: Dependency[] = [];
  for (const { index, 1: mark = '', 2: name = '', 3: version = '' } of text.matchAll(line)) {
    const start = index + mark.length;
    const at = start + name.length + 1;
    dependencies.push({
      key: { system: 'MAVEN', name },
      name,
      nameSpan: { start, end: at - 1 },
      requirement: { kind: 'literal', at: verbatim(text, at, at + version.length) },
      scope: 'runtime',
      frozen: writtenBy('gradle dependencies --write-locks'),
    });
  }
  return dependencies;
}
