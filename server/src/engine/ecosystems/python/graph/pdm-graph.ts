import { scanPackageFields, stringsIn } from '../../../formats/toml/package-fields.ts';
import type { LockedGraph } from '../../../model/graph/locked-graph.ts';
import { canonicalName } from '../../../model/keys.ts';
import type { Dependency } from '../../../model/manifest.ts';
import { canonicalExtras } from '../../shared/graph-builder.ts';
import type { TomlLock } from '../../shared/toml-lock.ts';
import { type PythonEntry, type PythonRequirement, pythonGraph, readRequirement } from './python-graph.ts';

interface Entry {
  name: string;
  version: string;
  marker?: string | undefined;
  ownExtras: readonly string[];
  groups: readonly string[];
  requires: PythonRequirement[];
  readonly origin: Map<string, string>;
}

/**
 * A package with extras is listed once more, and requires itself without them:
 *
 *     [[package]]
 *     name = "uvicorn"
 *     version = "0.30.1"
 *     extras = ["standard"]
 *     dependencies = [
 *         "httptools>=0.5.0",
 *         "uvicorn==0.30.1",
 *     ]
 */
export function pdmGraph(
  text: string,
  { sourceOf }: TomlLock,
  locked: (dependency: Dependency, importer: string) => string | undefined,
): LockedGraph {
  const entries: Entry[] = [];
  scanPackageFields(text, 'package', {
    begin: () => entries.push({ name: '', version: '', ownExtras: [], groups: [], requires: [], origin: new Map() }),
    field(table, key, value, isInPackage) {
      const entry = entries.at(-1);
      if (entry && isInPackage && table === '') readField(entry, key, value);
    },
  });
  const plain = entries.filter((it) => it.name !== '' && it.ownExtras.length === 0);
  const extras = new Map<string, Map<string, PythonRequirement[]>>();
  for (const { name, version, ownExtras, requires } of entries) {
    if (ownExtras.length === 0) continue;
    const id = idOf(name, version);
    const own = requires.filter((it) => canonicalName('PYPI', it.name) !== canonicalName('PYPI', name));
    const known = extras.get(id) ?? new Map<string, PythonRequirement[]>();
    extras.set(id, known.set(canonicalExtras(ownExtras).join(), own));
  }
  const all = plain.flatMap((it): PythonEntry[] => {
    const source = sourceOf(it.origin);
    if (source === 'none') return [];
    const { name, version, marker, requires, groups } = it;
    const isDev = groups.length > 0 && !groups.includes('default');
    return [
      {
        name,
        version,
        marker,
        requires,
        source: source === 'registry' ? undefined : source,
        only: isDev ? 'dev' : undefined,
        extras: extras.get(idOf(name, version)) ?? new Map(),
      },
    ];
  });
  return pythonGraph(all, { pythons: pythonsOf(text) }, locked);
}

/** Of its targets, which stand before the packages. */
function pythonsOf(text: string): string[] {
  const head = text.slice(0, Math.max(0, text.indexOf('[[package]]')));
  const targets = head.split('[[metadata.targets]]').slice(1);
  const found = targets.map((it) => /^requires_python = "([^"]*)"/m.exec(it)?.[1]);
  return found.every((it) => it !== undefined) ? found : [];
}

function idOf(name: string, version: string): string {
  return `${canonicalName('PYPI', name)}@${version}`;
}

function readField(entry: Entry, key: string, value: string): void {
  const [text = ''] = stringsIn(value);
  if (key === 'name') entry.name = text;
  else if (key === 'version') entry.version = text;
  else if (key === 'marker') entry.marker = text;
  else if (key === 'extras') entry.ownExtras = stringsIn(value);
  else if (key === 'groups') entry.groups = stringsIn(value);
  else if (key === 'dependencies') entry.requires = stringsIn(value).flatMap((it) => readRequirement(it) ?? []);
  else entry.origin.set(key, text);
}
