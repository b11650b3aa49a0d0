import { scanPackageFields, stringOf, stringsIn, tablesIn, valuesIn } from '../../../formats/toml/package-fields.ts';
import type { LockedGraph } from '../../../model/graph/locked-graph.ts';
import { canonicalName } from '../../../model/keys.ts';
import type { Dependency } from '../../../model/manifest.ts';
import type { TomlLock } from '../../shared/toml-lock.ts';
import { type PythonEntry, type PythonRequirement, pythonGraph, readRequirement } from './python-graph.ts';

interface Entry extends PythonEntry {
  name: string;
  version: string;
  only?: 'dev' | 'optional' | undefined;
  marker?: string | undefined;
  readonly requires: PythonRequirement[];
  readonly extras: Map<string, PythonRequirement[]>;
  /** What only extras require, by name. */
  readonly optional: Map<string, PythonRequirement[]>;
  readonly origin: Map<string, string>;
}

/**
 *     [package.dependencies]
 *     idna = ">=2.5,<4"
 *     PySocks = {version = ">=1.5.6,<1.5.7 || >1.5.7", optional = true, markers = "extra == \"socks\""}
 *     numpy = [
 *         {version = ">=1.22.4", markers = "python_version < \"3.11\""},
 *         {version = ">=1.23.2", markers = "python_version == \"3.11\""},
 *     ]
 *     [package.extras]
 *     socks = ["PySocks (>=1.5.6,!=1.5.7)"]
 *
 * The project itself is not in the file.
 */
export function poetryGraph(
  text: string,
  { sourceOf, registryOf }: TomlLock,
  locked: (dependency: Dependency, importer: string) => string | undefined,
): LockedGraph {
  const entries: Entry[] = [];
  scanPackageFields(text, 'package', {
    begin() {
      const maps = { extras: new Map(), optional: new Map(), origin: new Map() };
      entries.push({ name: '', version: '', requires: [], ...maps });
    },
    field(table, key, value, isInPackage) {
      const entry = entries.at(-1);
      if (entry && isInPackage) readField(entry, table, key, value);
    },
  });
  const all = entries.flatMap((it): PythonEntry[] => {
    const source = sourceOf(it.origin);
    if (it.name === '' || source === 'none') return [];
    return [{ ...it, source: source === 'registry' ? undefined : source, registry: registryOf?.(it.origin) }];
  });
  const [, python] = /^python-versions = "([^"]*)"/m.exec(text.slice(text.lastIndexOf('\n[metadata]'))) ?? [];
  return pythonGraph(all, { importers: [], pythons: python === undefined ? [] : [python] }, locked);
}

function readField(entry: Entry, table: string, key: string, value: string): void {
  const [text] = stringsIn(value);
  if (table === 'dependencies') readDependency(entry, key, value);
  else if (table === 'extras') {
    const required = stringsIn(value).flatMap((it) => readRequirement(it) ?? []);
    const own = required.flatMap((it) => entry.optional.get(canonicalName('PYPI', it.name)) ?? it);
    entry.extras.set(canonicalName('PYPI', key), own);
  } else if (table === 'source') entry.origin.set(`source.${key}`, text ?? value);
  else if (table === 'markers') entry.marker ??= text;
  else if (table !== '') return;
  else if (key === 'name') entry.name = text ?? '';
  else if (key === 'version') entry.version = text ?? '';
  else if (key === 'markers') entry.marker = text;
  else if (key === 'category' && text === 'dev') entry.only = 'dev';
  else if (key === 'optional' && value === 'true') entry.only ??= 'optional';
}

function readDependency({ requires, optional }: Entry, name: string, value: string): void {
  const tables = tablesIn(value);
  if (tables.length === 0) requires.push({ name, extras: [], range: stringsIn(value)[0] });
  for (const table of tables) {
    const values = valuesIn(table);
    const requirement: PythonRequirement = {
      name,
      extras: stringsIn(values.get('extras') ?? ''),
      range: stringOf(values.get('version')),
      marker: stringOf(values.get('markers')),
    };
    if (values.get('optional') !== 'true') requires.push(requirement);
    else {
      const id = canonicalName('PYPI', name);
      optional.set(id, [...(optional.get(id) ?? []), requirement]);
    }
  }
}
