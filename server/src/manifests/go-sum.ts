import type { Dependency, ManifestFormat } from '../model/manifest.ts';
import { verbatim } from '../text/verbatim.ts';
import { writtenBy } from './written-by.ts';

/**
 * The sums of Go modules. A line for a `go.mod` alone says that the module was looked at, not that it is built in.
 *
 *     golang.org/x/text v0.3.7 h1:…=
 *     ^^^^^^^^^^^^^^^^^ ^^^^^^
 *     golang.org/x/text v0.3.7/go.mod h1:…=
 */
export const goSum: ManifestFormat = {
  id: 'go.sum',
  system: 'GO',
  record: 'lockfile',
  files: /(^|\/)go(?:\.work)?\.sum$/,
  parse: (text) => ({ dependencies: read(text), definitions: [], references: [], problems: [] }),
};

const line = /^\uFEFF?([^\s/@]+(?:\/[^\s@]*)?) (v[^\s/]+) h1:/gm;

function read(text: string): Dependency[] {
  const dependencies: Dependency[] = [];
  for (const { index, 0: whole, 1: name = '', 2: version = '' } of text.matchAll(line)) {
    const start = index + whole.indexOf(name);
    const at = start + name.length + 1;
    dependencies.push({
      key: { system: 'GO', name },
      name,
      nameSpan: { start, end: start + name.length },
      requirement: { kind: 'literal', at: verbatim(text, at, at + version.length) },
      scope: 'runtime',
      frozen: writtenBy('go mod tidy'),
    });
  }
  return dependencies;
}
