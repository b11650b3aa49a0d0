import { entriesOf, stringAt, type TomlValue, tomlAt } from '../../../formats/toml/tree.ts';
import type { FileRef, Manifest, ManifestFormat } from '../../../model/manifest.ts';
import { addSpecifier, type ParsedDependencies, readPep508, specifierAt } from '../pep508.ts';
import { type PythonToken, tokenizePython } from './python-syntax.ts';

/** Names under which hooks add to what a project requires. */
const fields: ReadonlySet<string> = new Set(['dependencies', 'optional-dependencies', 'optional_dependencies']);

/**
 * The code that Hatch or PDM runs when they build a project, which may add dependencies.
 *
 *     def initialize(self, version, build_data):
 *       build_data["dependencies"].append("requests==2.31.0")
 *                                          ^^^^^^^^^^^^^^^^
 */
export const buildHook: ManifestFormat = {
  id: 'build-hook.py',
  system: 'PYPI',
  files: /(^|\/)(?:hatch_build|pdm_build)\.py$/,
  begins: /\b(?:optional[-_])?dependencies\b/,
  beginsAnywhere: true,
  parse,
};

function parse(text: string): Manifest {
  const found: ParsedDependencies = { dependencies: [], problems: [] };
  for (const statement of statementsIn(tokenizePython(text).tokens)) {
    if (!statement.some((it) => it.kind !== 'punctuation' && fields.has(it.text))) continue;
    const before = found.dependencies.length;
    for (const it of statement) {
      if (it.kind !== 'string' || it.isComputed || fields.has(it.text) || !readPep508(it.text)) continue;
      addSpecifier(specifierAt(it.text, it.start), { scope: 'runtime', group: 'build hook' }, found);
    }
    // What it adds may be computed.
    const named = statement.find((it) => it.kind === 'string' && fields.has(it.text));
    const start = named?.kind === 'string' ? named.start : text.search(/\b(?:optional[-_])?dependencies\b/);
    if (found.dependencies.length === before || statement.some((it) => it.kind === 'string' && it.isComputed))
      found.problems.push({ span: { start, end: start + 12 }, message: 'what this code adds is not read' });
  }
  return { dependencies: found.dependencies, definitions: [], references: [], problems: found.problems };
}

function statementsIn(tokens: readonly PythonToken[]): PythonToken[][] {
  const statements: PythonToken[][] = [[]];
  for (const it of tokens) {
    if (it.kind === 'punctuation' && (it.text === '\n' || it.text === ';')) statements.push([]);
    else statements.at(-1)?.push(it);
  }
  return statements;
}

/** The file of a hook; by its usual name where a setting gives no other. */
function hookFile(path: string, required = true): FileRef {
  return { kind: 'include', path, format: buildHook.id, ...(required && { required }) };
}

/**
 * The code of a project's own that Hatch runs, in the settings of Hatch.
 *
 *     [build.hooks.custom]      [build.targets.wheel.hooks.custom]      [metadata.hooks.custom]
 *     path = "hatch_build.py"
 */
export function hatchHooks(hatch: TomlValue | undefined): FileRef[] {
  const targets = entriesOf(tomlAt(hatch, 'build', 'targets')).map(({ value }) => value);
  const holders = [tomlAt(hatch, 'build'), tomlAt(hatch, 'metadata'), ...targets];
  const paths = holders.flatMap((it) => {
    const custom = tomlAt(it, 'hooks', 'custom');
    return custom === undefined ? [] : [stringAt(custom, 'path')?.text ?? 'hatch_build.py'];
  });
  return [...new Set(paths)].map((it) => hookFile(it));
}

/** The code of a project's own that PDM runs: what `custom-hook` names, or the usual file. */
export function pdmHook(root: TomlValue): FileRef[] {
  const named = stringAt(root, 'tool', 'pdm', 'build', 'custom-hook');
  if (named) return [hookFile(named.text)];
  const backend = stringAt(root, 'build-system', 'build-backend')?.text ?? '';
  return backend.startsWith('pdm.') ? [hookFile('pdm_build.py', false)] : [];
}
