import { parseToml } from '../../formats/toml/parse.ts';
import { entriesOf, stringAt, type TomlValue } from '../../formats/toml/tree.ts';
import type { Manifest, ManifestFormat, Scope } from '../../model/manifest.ts';
import { applyLocalSources, namesFromSources } from '../shared/local-sources.ts';
import { interpreterEnvironments } from './graph/markers.ts';
import { folderLink, type LocalFolder } from './local-sources.ts';
import type { ParsedDependencies } from './pep508.ts';
import { preReleasesOfPipfile } from './pre-releases.ts';
import { releasesTaken } from './releases.ts';
import { addRequirementTable } from './requirement-tables.ts';

/** Pipenv's manifest. */
export const pipfile: ManifestFormat = {
  id: 'Pipfile',
  system: 'PYPI',
  environments: interpreterEnvironments,
  files: /(^|\/)Pipfile$/,
  parse,
};

/** The tables that hold no packages. Every other one is a category. Source: Pipenv, "Pipfile and Pipfile.lock". */
const nonPackageTables: ReadonlySet<string> = new Set(['source', 'requires', 'pipenv', 'scripts', 'pipfile']);

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
  const found: ParsedDependencies = { dependencies: [], problems: [...problems] };
  for (const { key, value } of entriesOf(root)) {
    if (value === undefined || nonPackageTables.has(key.text)) continue;
    addRequirementTable(value, { scope: scopes.get(key.text) ?? 'optional', group: key.text }, found);
  }
  const dependencies = applyLocalSources(found.dependencies);
  const projects = entriesOf(root).flatMap(({ key, value }) =>
    nonPackageTables.has(key.text) ? [] : localFolders(value),
  );
  const makes = new Set(namesFromSources(dependencies));
  const takes = releasesTaken(dependencies);
  const preReleases = preReleasesOfPipfile(root);
  const python = /^\d+\.\d+$/.exec(stringAt(root, 'requires', 'python_version')?.text ?? '')?.[0];
  return {
    dependencies,
    definitions: [],
    references: [],
    problems: found.problems,
    ...(projects.length > 0 && { projects: projects.map((it) => it.path), links: projects.map(folderLink) }),
    ...(makes.size > 0 && { makes: [...makes] }),
    ...(takes.size > 0 && { takes }),
    ...(preReleases.size > 0 && { preReleases }),
    ...(python !== undefined && { python: `==${python}.*` }),
  };
}

/** The folders of local packages. Their dependencies come from the sources of the Pipfile, too. */
function localFolders(table: TomlValue | undefined): LocalFolder[] {
  return entriesOf(table).flatMap(({ value }) => {
    const written = stringAt(value, 'path') ?? stringAt(value, 'file');
    const path = written?.text.replace(/[\\/]+$/, '');
    return written === undefined || !path || path.includes('://') ? [] : [{ path, span: written.span }];
  });
}
