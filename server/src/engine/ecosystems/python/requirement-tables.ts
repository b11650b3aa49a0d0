import type { TomlString } from '../../formats/toml/strings.ts';
import { tomlLiteral } from '../../formats/toml/strings.ts';
import {
  entriesOf,
  scalarAt,
  stringAt,
  type TomlEntry,
  type TomlTable,
  type TomlValue,
} from '../../formats/toml/tree.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency, Requirement, Source } from '../../model/manifest.ts';
import { type ParsedDependencies, type PythonSection, placementOf, sourceOfUrl } from './pep508.ts';
import { requirementAt } from './releases.ts';
import { pypi } from './versions.ts';

/** The keys of sources other than an index. */
const sourceKeys: ReadonlyMap<string, Source> = new Map([
  ['git', 'git'],
  ['hg', 'git'],
  ['svn', 'git'],
  ['bzr', 'git'],
  ['path', 'path'],
  ['file', 'path'],
  ['url', 'url'],
  ['workspace', 'workspace'],
]);

/** Keys that restrict where a package is installed: Poetry's, and Pipenv's, which are names of environment markers. */
const markerKeys: readonly string[] = [
  'python',
  'platform',
  'os_name',
  'sys_platform',
  'platform_machine',
  'platform_python_implementation',
  'platform_release',
  'platform_system',
  'platform_version',
  'python_version',
  'python_full_version',
  'implementation_name',
  'implementation_version',
];

/**
 * Reads a table that has a name on the left of each line.
 *
 *     requests = "^2.31"
 *     pandas = { version = "~2.1", extras = ["excel"], markers = "sys_platform == 'win32'", optional = true }
 *     numpy = [{ version = "<2", python = "<3.9" }, { version = "^2", python = ">=3.9" }]
 *     mine = { path = "../mine" }
 *     "requests[socks]" = "*"
 */
export function addRequirementTable(table: TomlValue, section: PythonSection, found: ParsedDependencies): void {
  if (table.kind !== 'table') {
    found.problems.push({ span: table.span, message: 'this should be a table of packages' });
    return;
  }
  for (const entry of table.entries) {
    // `python` is the interpreter.
    if (entry.key.text === 'python' || entry.key.text === '' || entry.value === undefined) continue;
    const values = entry.value.kind === 'array' ? entry.value.items : [entry.value];
    for (const value of values) addEntry(entry, value, section, found);
  }
}

function addEntry({ key }: TomlEntry, value: TomlValue, section: PythonSection, found: ParsedDependencies): void {
  // Pipenv accepts extras behind the name.
  const name = key.text.replace(/\s*\[.*$/s, '');
  if (name === '') return;
  if (value.kind === 'scalar' || value.kind === 'array') {
    found.problems.push({ span: value.span, message: `the version of ${name} should be a string or a table` });
    return;
  }
  if (value.kind === 'table' && isIncomplete(value)) return;
  const requirement = requirementOf(value, found);
  const isOptional = value.kind === 'table' && scalarAt(value, 'optional') === 'true';
  const extras = extrasOf(key.text, value);
  const dependency: Dependency = {
    key: { system: 'PYPI', name: canonicalName('PYPI', name) },
    name,
    nameSpan: name === key.text ? key.span : { start: key.span.start, end: key.span.start + name.length },
    requirement,
    ...requirementAt(urlsIn(value), name, requirement.kind === 'source' ? requirement.span : key.span),
    ...placementOf(isOptional ? { ...section, scope: 'optional' } : section, conditionOf(value)),
    ...(extras.length > 0 && { extras }),
  };
  found.dependencies.push(dependency);
}

/** The address of a file in the place of a version: `{ url = "https://…" }`, and as PDM overrides with it. */
function urlsIn(value: TomlString | TomlTable): string[] {
  const named = value.kind === 'string' ? value : (stringAt(value, 'url') ?? stringAt(value, 'file'));
  return named === undefined ? [] : [named.text];
}

function extrasOf(name: string, value: TomlString | TomlTable): string[] {
  const behind = /\[([^\]]*)\]?$/.exec(name)?.[1]?.split(',') ?? [];
  const listed = value.kind === 'table' ? value.entries.find((it) => it.key.text === 'extras')?.value : undefined;
  const items = listed?.kind === 'array' ? listed.items.flatMap((it) => (it.kind === 'string' ? it.text : [])) : [];
  return [...behind, ...items].map((it) => it.trim()).filter((it) => it !== '');
}

/**
 * Whether an entry is half-typed. The package is not looked up before its source is known.
 *
 *     mine = { }     mine = { pa
 */
export function isIncomplete(table: TomlTable): boolean {
  const isOpen = table.entries.length === 0 || table.entries.some(({ value }) => value === undefined);
  return isOpen && sourceOfTable(table) === undefined && stringAt(table, 'version') === undefined;
}

function requirementOf(value: TomlString | TomlTable, found: ParsedDependencies): Requirement {
  const source = value.kind === 'table' ? sourceOfTable(value) : undefined;
  if (source) return { kind: 'source', ...source };
  const version = value.kind === 'string' ? value : stringAt(value, 'version');
  if (version === undefined) return { kind: 'none' };
  // PDM accepts an address as an override.
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(version.text))
    return { kind: 'source', source: sourceOfUrl(version.text), span: version.span };
  if (version.text !== '' && pypi.read(version.text).kind === 'invalid') {
    found.problems.push({ span: version.span, message: 'not a version constraint' });
  }
  return { kind: 'literal', at: tomlLiteral(version) };
}

/** The source in a table; undefined for an index. */
export function sourceOfTable(table: TomlTable): (Pick<TomlValue, 'span'> & { readonly source: Source }) | undefined {
  for (const { key, value } of table.entries) {
    const isAddress = key.text === 'file' && value?.kind === 'string';
    // Pipenv's `file` may be a URL.
    const source = isAddress ? sourceOfUrl(value.text) : sourceKeys.get(key.text);
    if (source && value && !(value.kind === 'scalar' && value.text === 'false')) return { source, span: value.span };
  }
  return undefined;
}

/**
 *     { markers = "os_name == 'nt'" }    os_name == 'nt'
 *     { python = "^3.9" }                python ^3.9
 */
function conditionOf(value: TomlString | TomlTable): string | undefined {
  const conditions: string[] = [];
  for (const { key, value: written } of entriesOf(value)) {
    if (written?.kind !== 'string' || written.text === '') continue;
    if (key.text === 'markers') conditions.push(written.text);
    else if (markerKeys.includes(key.text)) conditions.push(`${key.text} ${written.text}`);
  }
  return conditions.length > 0 ? conditions.join(' and ') : undefined;
}
