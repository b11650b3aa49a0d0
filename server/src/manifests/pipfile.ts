import type { Manifest, ManifestFormat, Scope } from '../model/manifest.ts';
import { parseToml } from '../text/toml.ts';
import { entriesOf } from '../text/toml-tree.ts';
import type { FoundInPython } from './python-requirement.ts';
import { addTable } from './python-table.ts';
import { takenByAll } from './taken-by-all.ts';

/** Pipenv's manifest. */
export const pipfile: ManifestFormat = {
  id: 'Pipfile',
  system: 'PYPI',
  files: /(^|\/)Pipfile$/,
  parse,
};

/** The tables that hold no packages. Every other one is a category. Source: Pipenv, "Pipfile and Pipfile.lock". */
const others: ReadonlySet<string> = new Set(['source', 'requires', 'pipenv', 'scripts', 'pipfile']);

const scopes: ReadonlyMap<string, Scope> = new Map([
  ['packages', 'runtime'],
  ['dev-packages', 'dev'],
]);

/**
 *     [packages]
 *     requests = "*"
 *     [dev-packages]
 *     pytest = { version = "==8.0", extras = ["x"] }
 *     [docs]
 *     sphinx = "~=7.2"
 */
function parse(text: string): Manifest {
  const { root, problems } = parseToml(text);
  const found: FoundInPython = { dependencies: [], problems: [...problems] };
  for (const { key, value } of entriesOf(root)) {
    if (value === undefined || others.has(key.text)) continue;
    addTable(value, { scope: scopes.get(key.text) ?? 'optional', group: key.text }, found);
  }
  return {
    dependencies: takenByAll(found.dependencies),
    definitions: [],
    references: [],
    problems: found.problems,
  };
}
