import type { ManifestFormat } from '../../model/manifest.ts';
import { adjacentEntry, dependencyOf } from '../shared/lockfile.ts';

/**
 * The sums of Go modules. go.mod states the exact versions itself, so the file serves no manifest. A line for a `go.mod`
 * alone says that the module was considered, not that it is built in.
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

const toDependency = dependencyOf('GO', 'go mod tidy');

function read(text: string) {
  return Array.from(text.matchAll(line), ({ index, 0: whole, 1: name = '', 2: version = '' }) =>
    toDependency(adjacentEntry(text, index + whole.indexOf(name), name, version)),
  );
}
