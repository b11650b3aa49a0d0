import { parseToml } from '../../../formats/toml/parse.ts';
import { scalarAt, type TomlValue, textsAt, tomlAt } from '../../../formats/toml/tree.ts';
import type { AccessInputs, AccessSource } from '../../../model/registries/access.ts';
import type { Login } from '../../shared/netrc.ts';
import {
  type AskedIndex,
  assignmentsIn,
  indexesAt,
  isTrue,
  loginOfVariables,
  type PythonClient,
  tablesAt,
  textAt,
  type WrittenIndex,
} from './client.ts';

/** How an index of uv is asked. */
interface UvKind {
  readonly isDefault: boolean;
  readonly isExplicit: boolean;
  /** It is a page of links, which is no index. */
  readonly isPage: boolean;
}

interface UvIndex extends AskedIndex, UvKind {
  readonly name: string | undefined;
}

export function uvKindOf({ table }: WrittenIndex): UvKind {
  return {
    isDefault: scalarAt(table, 'default') === 'true',
    isExplicit: scalarAt(table, 'explicit') === 'true',
    isPage: textAt(table, 'format') === 'flat',
  };
}

const plainKind: UvKind = { isDefault: false, isExplicit: false, isPage: false };

/**
 * The first index that has a package has all of its versions; the default index is the last one. An index that
 * `tool.uv.sources` assigns to a package is its only one.
 *
 *     [[tool.uv.index]]              UV_INDEX=acme=https://…          before those of files
 *     name = "acme"                  UV_INDEX_ACME_USERNAME=ci        where the address has none
 *     url = "https://…"              UV_DEFAULT_INDEX=https://…
 */
export const uv: PythonClient = {
  strongest: 'address',
  hasKeyring: (inputs) => {
    const provider =
      inputs.variable('UV_KEYRING_PROVIDER') ??
      settingsOf(inputs)
        .map(({ table }) => textAt(table, 'keyring-provider') ?? textAt(table, 'pip', 'keyring-provider'))
        .find((it) => it !== undefined);
    return provider === 'subprocess' || provider === 'native';
  },
  read(inputs) {
    const settings = settingsOf(inputs);
    const variables = indexesOfVariables(inputs);
    const of = (key: 'index' | 'extra' | 'only'): UvIndex[] => settings.flatMap((it) => indexesIn(it, inputs)[key]);
    const known = firstOfNames([
      ...variables.index,
      ...of('index'),
      ...variables.extra,
      ...of('extra'),
      ...variables.only,
      ...of('only'),
    ]);
    const indexes = known.filter((it) => !it.isPage);
    const isNone =
      isTrue(inputs.variable('UV_NO_INDEX')) || settings.some(({ table }) => scalarAt(table, 'no-index') === 'true');
    const beside = indexes.filter((it) => !it.isDefault && !it.isExplicit);
    const usual = indexes.find((it) => it.isDefault);
    const everything = [...beside, ...(usual ? [usual] : [])];
    const strategy =
      inputs.variable('UV_INDEX_STRATEGY') ??
      settings.map(({ table }) => textAt(table, 'index-strategy')).find((it) => it !== undefined);
    const join = strategy === undefined || strategy === 'first-index' ? 'first' : 'all';
    const assigned = assignments(inputs);
    const named = [...known, ...projects(inputs).flatMap((it) => indexesIn(it, inputs).index)];
    return (name) => {
      const own = assigned.get(name);
      if (own !== undefined) {
        const found = own.flatMap((index) => named.find((it) => it.name === index) ?? []);
        return { indexes: found.filter((it) => !it.isPage), join: 'all' };
      }
      if (isNone) return { indexes: [], join };
      return everything.length === 0 ? undefined : { indexes: everything, join };
    };
  },
};

interface UvTable {
  readonly table: TomlValue | undefined;
  readonly source: AccessSource;
}

/** The `[tool.uv]` of each project above a manifest, the nearest first. */
function projects({ sources }: AccessInputs): UvTable[] {
  return sources
    .filter((it) => it.name === 'pyproject.toml')
    .map((source) => ({ table: tomlAt(parseToml(source.text).root, 'tool', 'uv'), source }));
}

/** The settings that are in force: of the root of the workspace, of the person, of the machine. */
function settingsOf(inputs: AccessInputs): UvTable[] {
  const all = projects(inputs);
  const root = all.findLast(({ table }) => tomlAt(table, 'workspace') !== undefined) ?? all[0];
  const files = inputs.sources
    .filter((it) => it.name === 'uv.toml')
    .map((source) => ({ table: parseToml(source.text).root, source }));
  // Beside a uv.toml the table of the project is not read.
  const ofWorkspace =
    files.find(({ source }) => source.owner === 'workspace' && isBesideOrNearer(source, root?.source)) ?? root;
  return [...(ofWorkspace ? [ofWorkspace] : []), ...files.filter(({ source }) => source.owner === 'machine')];
}

function isBesideOrNearer({ directory }: AccessSource, project: AccessSource | undefined): boolean {
  return project?.directory === undefined || directory === undefined || directory.startsWith(project.directory);
}

function indexesIn(
  { table, source }: UvTable,
  inputs: AccessInputs,
): Readonly<Record<'index' | 'extra' | 'only', UvIndex[]>> {
  const plain = (url: string, isDefault: boolean): UvIndex => {
    return { url, source, name: undefined, ...plainKind, isDefault };
  };
  const only = textAt(table, 'index-url');
  return {
    index: indexesAt(table, 'index').map(
      (it): UvIndex => ({
        url: it.url,
        source,
        name: it.name === '' ? undefined : it.name.toLowerCase(),
        ...uvKindOf(it),
        ...loginOf(it.name, textAt(it.table, 'authenticate'), inputs),
      }),
    ),
    extra: textsAt(table, 'extra-index-url').map((it) => plain(it, false)),
    only: only === undefined ? [] : [plain(only, true)],
  };
}

function loginOf(
  name: string | undefined,
  authenticate: string | undefined,
  inputs: AccessInputs,
): { readonly login?: Login } {
  if (!name || authenticate === 'never') return {};
  const variable = `UV_INDEX_${variablePart(name)}`;
  const add = { setting: `[[index]] name = "${name}", url = …`, file: '~/.config/uv/uv.toml' };
  const keptFor = { name, addresses: addressesOf(name, inputs), add };
  const login = loginOfVariables(inputs, `${variable}_USERNAME`, `${variable}_PASSWORD`, keptFor);
  return login ? { login } : {};
}

/** The addresses that settings of the machine give to a name. */
function addressesOf(name: string, { sources }: AccessInputs): string[] {
  return sources.flatMap((source) => {
    if (source.owner !== 'machine') return [];
    const named =
      source.name === 'uv.toml'
        ? tablesAt(parseToml(source.text).root, 'index').map((it) => [textAt(it, 'name'), textAt(it, 'url')])
        : source.name === 'UV_INDEX' || source.name === 'UV_DEFAULT_INDEX'
          ? source.text.split(/\s+/).map(nameAndAddress)
          : [];
    return named.flatMap(([its, url]) => (variablePart(its ?? '') === variablePart(name) ? (url ?? []) : []));
  });
}

function variablePart(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/** `acme=https://…` */
function nameAndAddress(text: string): [name: string | undefined, address: string] {
  const [, name, url = ''] = /^(?:([A-Za-z0-9_.-]+)=)?(.+)$/.exec(text) ?? [];
  return [name, url];
}

function indexesOfVariables(inputs: AccessInputs): Readonly<Record<'index' | 'extra' | 'only', UvIndex[]>> {
  const read = (variable: string, isDefault: boolean): UvIndex[] => {
    const source = inputs.sources.find((it) => it.name === variable);
    return (source?.text ?? '').split(/\s+/).flatMap((text): UvIndex[] => {
      const [name, url] = nameAndAddress(text);
      if (url === '' || source === undefined) return [];
      const login = loginOf(name, undefined, inputs);
      return [{ url, source, name: name?.toLowerCase(), ...plainKind, isDefault, ...login }];
    });
  };
  return {
    index: [...read('UV_INDEX', false), ...read('UV_DEFAULT_INDEX', true)],
    extra: read('UV_EXTRA_INDEX_URL', false),
    only: read('UV_INDEX_URL', true),
  };
}

/** Of several indexes with one name the first counts. */
function firstOfNames(indexes: readonly UvIndex[]): UvIndex[] {
  const seen = new Set<string>();
  return indexes.filter(({ name }) => {
    if (name === undefined) return true;
    const isFirst = !seen.has(name);
    seen.add(name);
    return isFirst;
  });
}

/** The names of the indexes that packages are assigned to: by the nearest project that says so. */
function assignments(inputs: AccessInputs): ReadonlyMap<string, readonly string[]> {
  const all = projects(inputs).toReversed();
  return new Map(all.flatMap(({ table }) => [...assignmentsIn([tomlAt(table, 'sources')], 'index')]));
}
