import { entriesOf, stringAt, type TomlValue, tomlAt } from '../../../formats/toml/tree.ts';
import { canonicalName } from '../../../model/keys.ts';
import type { AccessInputs, AccessSource } from '../../../model/registries/access.ts';
import type { KeptFor } from '../../shared/client-registry.ts';
import type { Login } from '../../shared/netrc.ts';

/** An index that a client of Python asks for a package. */
export interface AskedIndex {
  /** The address as written. */
  readonly url: string;
  readonly source: AccessSource;
  /** What the client knows beside the address: variables or a file with the name of the index. */
  readonly login?: Login | 'unreadable';
}

/** The indexes of one package, in the order of the client. */
export interface AskedIndexes {
  readonly indexes: readonly AskedIndex[];
  readonly join: 'first' | 'all';
}

/** How a client of Python finds the indexes of a package. */
export interface PythonClient {
  /** What comes first: the user and password in an address, or those beside it. */
  readonly strongest: 'address' | 'login';
  /** Variables in an address of a workspace's file. `${NAME}` where absent. */
  readonly variables?: RegExp;
  /** Whether a program keeps the passwords of users that are named without one. */
  readonly hasKeyring?: (inputs: AccessInputs) => boolean;
  /** Of a canonical name. Undefined where no setting names an index for it. */
  readonly read: (inputs: AccessInputs) => (name: string) => AskedIndexes | undefined;
}

/** The tables of a list; a table of its own is a list of one. */
export function tablesAt(value: TomlValue | undefined, ...path: readonly string[]): readonly TomlValue[] {
  const found = tomlAt(value, ...path);
  const items = found?.kind === 'array' ? found.items : found === undefined ? [] : [found];
  return items.filter((it) => it.kind === 'table').slice(0, MAX_TABLES);
}

/** Indexes of one file. Real ones have a handful. */
const MAX_TABLES = 100;

/** An entry of a list of indexes: `[[source]] name = "acme", url = "https://…"`. */
export interface WrittenIndex {
  /** Empty if it has none. */
  readonly name: string;
  readonly url: string;
  readonly table: TomlValue;
}

export function indexesAt(value: TomlValue | undefined, ...path: readonly string[]): readonly WrittenIndex[] {
  return tablesAt(value, ...path).flatMap((table) => {
    const url = textAt(table, 'url');
    return url === undefined ? [] : [{ name: textAt(table, 'name') ?? '', url, table }];
  });
}

/** `supplemental`, in lower case; empty if it has none. */
export function priorityOf({ table }: WrittenIndex): string {
  return textAt(table, 'priority')?.toLowerCase() ?? '';
}

/**
 * The names of the indexes that packages are assigned to, in lower case and by canonical name.
 *
 *     acme-core = { version = "1", index = "acme" }
 *     acme-log = [{ index = "acme", marker = "…" }, { index = "other" }]
 */
export function assignmentsIn(
  tables: readonly (TomlValue | undefined)[],
  field: 'index' | 'source',
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { key, value } of tables.flatMap(entriesOf)) {
    const items = value?.kind === 'array' ? value.items : [value];
    const indexes = items.flatMap((it) => textAt(it, field)?.toLowerCase() ?? []);
    const name = canonicalName('PYPI', key.text);
    if (indexes.length > 0) found.set(name, [...(found.get(name) ?? []), ...indexes].slice(0, MAX_TABLES));
  }
  return found;
}

/** The text at a key; undefined where it is missing, empty or not a text. */
export function textAt(value: TomlValue | undefined, ...path: readonly string[]): string | undefined {
  return stringAt(value, ...path)?.text || undefined;
}

/** A user and a password that variables of the environment set by the name of an index. */
export function loginOfVariables(
  { variable }: AccessInputs,
  user: string,
  password: string,
  keptFor: KeptFor,
): Login | undefined {
  const [first, second] = [variable(user), variable(password)];
  if (first === undefined && second === undefined) return undefined;
  const name = second === undefined ? user : password;
  const source: AccessSource = { name, label: name, text: '', owner: 'machine' };
  return { user: first ?? '', password: second ?? '', source, keptFor };
}

/** Whether a text is one of the words for true that the clients accept. */
export function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^\s*(?:1|y|yes|t|true|on)\s*$/i.test(value);
}
