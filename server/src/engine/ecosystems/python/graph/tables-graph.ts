import { addTo } from '../../../base/collections.ts';
import { scanPackageFields, stringOf, stringsIn, tablesIn, valuesIn } from '../../../formats/toml/package-fields.ts';
import type { EdgeKind, LockedGraph } from '../../../model/graph/locked-graph.ts';
import { canonicalName } from '../../../model/keys.ts';
import type { Dependency, Source } from '../../../model/manifest.ts';
import { type PythonEntry, type PythonRequirement, type PythonRoot, pythonGraph } from './python-graph.ts';

interface Entry extends PythonEntry {
  name: string;
  version: string;
  source?: Source | undefined;
  registry?: string | undefined;
  marker?: string | undefined;
  readonly requires: PythonRequirement[];
  readonly extras: Map<string, PythonRequirement[]>;
  /** The directory of a project. */
  directory?: string;
}

interface Differences {
  readonly array: 'package' | 'packages';
  readonly sourceOf: (fields: ReadonlyMap<string, string>) => {
    readonly source?: Source | undefined;
    readonly registry?: string | undefined;
    readonly directory?: string | undefined;
  };
}

/**
 * Requirements are tables. One of several locked versions has its version beside its name:
 *
 *     dependencies = [
 *         { name = "click" },
 *         { name = "numpy", version = "1.26.4", source = { registry = "…" }, marker = "python_full_version < '3.10'" },
 *         { name = "uvicorn", extra = ["standard"] },
 *     ]
 *     [package.optional-dependencies]
 *     dev = [ … ]
 *     [package.dev-dependencies]
 *     test = [ … ]
 *
 * The projects of the workspace are among the packages, with their directory as the source.
 */
export function tablesGraph(
  text: string,
  { array, sourceOf }: Differences,
  locked: (dependency: Dependency, importer: string) => string | undefined,
): { readonly graph: LockedGraph; readonly hasRequirements: boolean } {
  const entries: Entry[] = [];
  const roots: PythonRoot[] = [];
  const fields: Map<string, string>[] = [];
  const developed: { readonly entry: Entry; readonly requirement: PythonRequirement }[] = [];
  let hasRequirements = false;
  scanPackageFields(text, array, {
    begin() {
      entries.push({ name: '', version: '', requires: [], extras: new Map() });
      fields.push(new Map());
    },
    field(table, key, value, isInPackage) {
      const entry = entries.at(-1);
      if (!isInPackage) {
        // A workspace whose root is no package has its groups there.
        if (table !== 'manifest.dependency-groups') return;
        for (const it of requirementsIn(value)) roots.push({ importer: '', kind: 'dev', requirement: it });
      } else if (!entry) return;
      else if (table === '' && key === 'dependencies') {
        hasRequirements = true;
        entry.requires.push(...requirementsIn(value));
      } else if (table === 'optional-dependencies') {
        for (const it of requirementsIn(value)) addTo(entry.extras, canonicalName('PYPI', key), it);
      } else if (table === 'dev-dependencies') {
        for (const it of requirementsIn(value)) developed.push({ entry, requirement: it });
      } else if (!table.includes('.')) fields.at(-1)?.set(table === '' ? key : `${table}.${key}`, value);
    },
  });
  for (const [index, entry] of entries.entries()) {
    const own = fields[index] ?? new Map<string, string>();
    entry.name = stringsIn(own.get('name') ?? '')[0] ?? '';
    entry.version = stringsIn(own.get('version') ?? '')[0] ?? '';
    entry.marker = stringsIn(own.get('marker') ?? '')[0];
    const { source, registry, directory } = sourceOf(own);
    Object.assign(entry, { source, registry, directory });
  }
  const projects = entries.filter((it) => it.directory !== undefined);
  for (const it of projects) {
    add(it, 'runtime', it.requires);
    for (const extra of it.extras.values()) add(it, 'optional', extra);
  }
  for (const { entry, requirement } of developed) add(entry, 'dev', [requirement]);
  const importers = projects.map((it) => it.directory ?? '');
  const graph = pythonGraph(
    entries.filter((it) => it.name !== ''),
    { importers, roots },
    locked,
  );
  return { graph, hasRequirements };

  function add({ directory }: Entry, kind: EdgeKind, requirements: readonly PythonRequirement[]): void {
    if (directory === undefined) return;
    for (const requirement of requirements) roots.push({ importer: directory, kind, requirement });
  }
}

function requirementsIn(value: string): PythonRequirement[] {
  return tablesIn(value).flatMap((table) => {
    const values = valuesIn(table);
    const name = stringOf(values.get('name'));
    if (name === undefined) return [];
    const version = stringOf(values.get('version'));
    return {
      name,
      extras: stringsIn(values.get('extra') ?? ''),
      range: version === undefined ? undefined : `==${version}`,
      marker: stringOf(values.get('marker')),
    };
  });
}
