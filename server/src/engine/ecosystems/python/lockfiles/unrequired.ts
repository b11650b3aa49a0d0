import { addTo } from '../../../base/collections.ts';
import { scanPackageFields, stringsIn, tablesIn, valuesIn } from '../../../formats/toml/package-fields.ts';
import { canonicalName } from '../../../model/keys.ts';
import { projectDirectory } from '../graph/uv-graph.ts';

/*
 * What a lockfile has although nothing requires it. Poetry and PDM install every package of their groups, and
 * `uv sync --frozen` whatever the project requires by the file, without a look at the manifest.
 */

/** A package, with the names that it requires under any conditions. */
interface Entry {
  name: string;
  /** Of uv: where it comes from. */
  source: string;
  readonly requires: string[];
  /** Of uv: the sources that it names for packages which the file has several times. */
  readonly named: [name: string, source: string][];
}

/**
 * The first package of a file of Poetry or PDM that neither one of some names requires, nor what these require.
 * @param required canonical names
 */
export function unrequiredIn(text: string, required: ReadonlySet<string>): string | undefined {
  const byName = new Map<string, string[]>();
  for (const { name, requires } of entriesIn(text)) for (const it of [name, ...requires]) addTo(byName, name, it);
  const reached = new Set(required);
  for (const name of reached) for (const it of byName.get(name) ?? []) reached.add(it);
  return [...byName.keys()].find((it) => !reached.has(it));
}

/**
 * The first package that a member of a workspace requires by the file of uv alone.
 * @param required canonical names
 * @param directory of the member, `''` beside the file
 */
export function unrequiredByMember(text: string, required: ReadonlySet<string>, directory: string): string | undefined {
  const all = entriesIn(text);
  const members = new Set(all.flatMap((it) => (projectDirectory(it.source) === undefined ? [] : it.name)));
  const own = all.filter((it) => projectDirectory(it.source) === directory).flatMap((it) => it.requires);
  return own.find((it) => !required.has(it) && !members.has(it));
}

/** Whether a member of a workspace takes a package that uv's file has several times from no registry, always. */
export function takesElsewhere(text: string, name: string, directory: string): boolean {
  const own = entriesIn(text).filter((it) => projectDirectory(it.source) === directory);
  const sources = own.flatMap((it) => it.named.flatMap(([of, source]) => (of === name ? source : [])));
  return sources.length > 0 && !sources.some((it) => /\bregistry\b/.test(it));
}

function entriesIn(text: string): Entry[] {
  const entries: Entry[] = [];
  scanPackageFields(text, 'package', {
    begin: () => entries.push({ name: '', source: '', requires: [], named: [] }),
    field(table, key, value, isInPackage) {
      const entry = entries.at(-1);
      if (!entry || !isInPackage) return;
      if (table === '' && key === 'name') entry.name = canonical(value.replace(/^["']|["']$/g, ''));
      else if (table === '' && key === 'source') entry.source = value;
      else if (table === 'dependencies') entry.requires.push(canonical(key));
      else if (isList(table, key)) {
        entry.requires.push(...namesIn(value));
        entry.named.push(...sourcesIn(value));
      }
    },
  });
  return entries.filter((it) => it.name !== '');
}
/** The tables of which each field is a list of requirements. */
const lists: ReadonlySet<string> = new Set(['extras', 'optional-dependencies', 'dev-dependencies']);

function isList(table: string, key: string): boolean {
  return table === '' ? key === 'dependencies' : lists.has(table);
}

function sourcesIn(list: string): [string, string][] {
  return tablesIn(list).flatMap((it): [string, string][] => {
    const values = valuesIn(it);
    const [name = ''] = stringsIn(values.get('name') ?? '');
    const source = values.get('source');
    return source === undefined ? [] : [[canonical(name), source]];
  });
}

/** `[{ name = "click", marker = "…" }]`, `["click>=8; …"]`, `["PySocks (>=1.5.6)"]` */
function namesIn(list: string): string[] {
  const tables = tablesIn(list);
  const texts = tables.length > 0 ? tables.flatMap((it) => stringsIn(valuesIn(it).get('name') ?? '')) : stringsIn(list);
  return texts.map((it) => canonical(/^[\w.-]+/.exec(it)?.[0] ?? it));
}

function canonical(name: string): string {
  return canonicalName('PYPI', name);
}
