import { entriesOf, scalarAt, stringAt, type TomlValue, tomlAt } from '../../../formats/toml/tree.ts';
import { canonicalName } from '../../../model/keys.ts';
import type { Registry } from '../../../model/registry.ts';
import { distinctRegistries, MAX_REGISTRIES, registryAt, registryBeside } from '../../shared/registry-address.ts';
import { assignmentsIn, indexesAt, priorityOf, type WrittenIndex } from './client.ts';
import { pdmPatternsIn, pdmSelection } from './pdm.ts';
import { packagesIn } from './pipenv.ts';
import { dependenciesIn } from './poetry.ts';
import { uvKindOf } from './uv.ts';

/** The indexes in one file. */
export interface Indexes {
  /** For all names that are not assigned to an index. */
  readonly everything: readonly Registry[];
  /** By canonical name: the only indexes of this package. */
  readonly assigned: ReadonlyMap<string, readonly Registry[]>;
  /** By canonical name: the names of indexes that this package is assigned to, and that this file does not define. */
  readonly undefinedIndexes?: ReadonlyMap<string, readonly string[]>;
  /** By name: the indexes that other files may refer to. */
  readonly named?: ReadonlyMap<string, readonly Registry[]>;
  /** The indexes whose patterns match a canonical name, in addition to those for all names. */
  readonly matching?: (name: string) => readonly Registry[];
}

/** An index with a name. Packages are assigned to it by that name. */
interface NamedIndex {
  readonly name: string;
  /** Absent for a folder. */
  readonly registry?: Registry;
  /** Only for the packages that are assigned to it. */
  readonly explicit: boolean;
}

/** How a tool handles an index that the file does not define. */
interface UndefinedIndexRules {
  /** The tool's name for its default index, if nothing defines it. */
  readonly defaultName?: string;
  /** Set where another file may define it. */
  readonly isShared?: true;
}

/** `[tool.uv]`, `[tool.poetry]`, `[tool.pdm]` and `[tool.rye]` */
export function readPyproject(root: TomlValue, from: string): Indexes {
  const uv = readUv(tomlAt(root, 'tool', 'uv'), tomlAt(root, 'tool', 'uv', 'sources'), from);
  const parts = [
    uv,
    readPoetry(tomlAt(root, 'tool', 'poetry'), from),
    readRyeSources(tomlAt(root, 'tool', 'rye', 'sources'), from),
    { everything: readPipTools(tomlAt(root, 'tool', 'pip-tools'), from), assigned: new Map() },
    readPixi(tomlAt(root, 'tool', 'pixi'), from),
  ];
  return {
    ...uv,
    everything: parts.flatMap((it) => it.everything),
    assigned: new Map(parts.flatMap((it) => [...it.assigned])),
    matching: pdmSources(tomlAt(root, 'tool', 'pdm'), from),
  };
}

/**
 *     index-url = "https://…"
 *     [[index]]                                   [tool.uv.sources]
 *     name = "acme"                               acme-core = { index = "acme" }
 *     url = "https://…"
 *     explicit = true
 *
 * @param assigned the packages with their indexes; absent for a uv.toml, which cannot assign any
 */
export function readUv(uv: TomlValue | undefined, assigned: TomlValue | undefined, from: string): Indexes {
  const named = indexesAt(uv, 'index').map((it) => {
    const { isDefault, isExplicit } = uvKindOf(it);
    return namedIndex(it, from, { at: isDefault ? registryAt : registryBeside, explicit: isExplicit });
  });
  const settings = [uv, tomlAt(uv, 'pip')].flatMap((table) => readPipOptions(table, from));
  const found = assignIndexes(named, assignmentsIn([assigned], 'index'), from, { isShared: true });
  return { ...found, everything: [...found.everything, ...settings] };
}

/** The options of pip in a tool's table. With `no-index` all packages come from an unknown registry. */
function readPipOptions(table: TomlValue | undefined, from: string): Registry[] {
  const named = (...names: readonly string[]): (TomlValue | undefined)[] =>
    names.flatMap((it) => [tomlAt(table, it), tomlAt(table, it.replaceAll('-', '_'))]);
  return [
    ...named('index-url').flatMap((it) => readAddresses(it, from)),
    ...named('extra-index-url', 'extra-index-urls', 'find-links').flatMap((it) =>
      readAddresses(it, from, registryBeside),
    ),
    ...(scalarAt(table, 'no-index') === 'true' || scalarAt(table, 'no_index') === 'true' ? [{ from }] : []),
  ];
}

/** `[tool.pip-tools] index-url = "https://…"`, for all of its commands or for one: `[tool.pip-tools.compile]`. */
export function readPipTools(table: TomlValue | undefined, from: string): Registry[] {
  return [table, tomlAt(table, 'compile'), tomlAt(table, 'sync')].flatMap((it) => [
    ...readPipOptions(it, from),
    // Arguments that are passed on to pip are not parsed.
    ...[tomlAt(it, 'pip-args'), tomlAt(it, 'pip_args')].flatMap((args) =>
      args?.kind === 'string' && /(?:^|\s)(?:-[if]|--(?:index|extra|find|no-index))/.test(args.text) ? [{ from }] : [],
    ),
  ]);
}

/**
 * The indexes of a project, of a feature, of a user (`pypi-config`), and of single packages.
 *
 *     [pypi-options]                          [pypi-dependencies]
 *     index-url = "https://…"                 acme-core = { version = "*", index = "https://…" }
 *     find-links = [{ url = "https://…" }]
 */
export function readPixi(pixi: TomlValue | undefined, from: string): Indexes {
  const features = [pixi, ...entriesOf(tomlAt(pixi, 'feature')).map(({ value }) => value)];
  const targets = features.flatMap((it) => [it, ...entriesOf(tomlAt(it, 'target')).map(({ value }) => value)]);
  const settings = [...features.map((it) => tomlAt(it, 'pypi-options')), tomlAt(pixi, 'pypi-config')];
  const tables = targets.flatMap((it) => entriesOf(tomlAt(it, 'pypi-dependencies')));
  const assigned = new Map<string, Registry[]>();
  for (const { key, value } of tables) {
    const addresses = itemsOf(value).flatMap((it) => stringAt(it, 'index')?.text ?? []);
    const registries = addresses.map((it) => registryAt(it, from) ?? { from });
    if (registries.length > 0) add(assigned, canonicalName('PYPI', key.text), registries);
  }
  return { everything: settings.flatMap((it) => readPipOptions(it, from)), assigned };
}

/** `[[tool.poetry.source]]`, and `source = "acme"` of dependencies in any group. */
function readPoetry(poetry: TomlValue | undefined, from: string): Indexes {
  const named = indexesAt(poetry, 'source').map((it) => {
    const priority = priorityOf(it);
    const at = /^(?:supplemental|secondary)$/.test(priority) ? registryBeside : registryAt;
    return namedIndex(it, from, { at, explicit: priority === 'explicit' });
  });
  return assignIndexes(named, assignmentsIn(dependenciesIn(poetry), 'source'), from, { defaultName: 'pypi' });
}

/** `[[source]]`, the first of which is the default, and `index = "acme"` of packages in any category. */
export function readPipfile(root: TomlValue, from: string): Indexes {
  // Pipenv uses the first index for all packages that are not assigned to one, and the others for assigned packages only.
  const named = indexesAt(root, 'source').map((it, at) => namedIndex(it, from, { at: registryAt, explicit: at > 0 }));
  return assignIndexes(
    named,
    assignmentsIn(packagesIn(root), 'index'),
    from,
    // Without any source Pipenv has a default one of this name.
    named.length === 0 ? { defaultName: 'pypi' } : {},
  );
}

/** `[pypi] url = "https://…"`, and further sources by name: `[pypi.acme] url = "https://…"`. */
export function readPdm(root: TomlValue, from: string): Indexes {
  const pypi = tomlAt(root, 'pypi');
  const further = entriesOf(pypi).flatMap(({ value }) =>
    indexesAt(value).map((it) => namedIndex(it, from, { at: registryBeside, explicit: false })),
  );
  const found = assignIndexes(further, new Map(), from);
  return { ...found, everything: [...readAddresses(tomlAt(pypi, 'url'), from), ...found.everything] };
}

/** The sources of Rye, which cannot assign packages to them. */
function readRyeSources(list: TomlValue | undefined, from: string): Indexes {
  const named = indexesAt(list).map((it) => {
    return namedIndex(it, from, { at: registryBeside, explicit: priorityOf(it) === 'explicit' });
  });
  return assignIndexes(named, new Map(), from);
}

/** How an index is asked. */
interface IndexKind extends Pick<NamedIndex, 'explicit'> {
  readonly at: typeof registryAt;
}

function namedIndex({ name, url }: WrittenIndex, from: string, { at, explicit }: IndexKind): NamedIndex {
  const registry = at(url, from);
  return { name, ...(registry && { registry }), explicit };
}

function assignIndexes(
  sources: readonly NamedIndex[],
  assignments: ReadonlyMap<string, readonly string[]>,
  from: string,
  { defaultName, isShared }: UndefinedIndexRules = {},
): Indexes {
  const named = new Map<string, Registry[]>();
  for (const { name, registry } of sources) {
    // A package that is assigned to a folder is as private as one that is assigned to a registry.
    const { isAdditional: _, ...certain } = registry ?? { from };
    if (name !== '') add(named, name.toLowerCase(), [certain]);
  }
  const assigned = new Map<string, Registry[]>();
  const undefinedIndexes = new Map<string, string[]>();
  for (const [key, index] of [...assignments].flatMap(([name, all]) => all.map((it) => [name, it] as const))) {
    const known = named.get(index) ?? (index === defaultName ? [] : undefined);
    if (known === undefined && isShared) add(undefinedIndexes, key, [index]);
    else add(assigned, key, distinctRegistries(known ?? [{ from }]));
  }
  const everything = sources.flatMap(({ registry, explicit }) => (registry && !explicit ? [registry] : []));
  return { everything, assigned, ...(isShared && { undefinedIndexes, named }) };
}

function add<T>(to: Map<string, T[]>, name: string, items: readonly T[]): void {
  const list = to.get(name);
  if (list === undefined) to.set(name, [...items]);
  else if (list.length < MAX_REGISTRIES) list.push(...items);
}

function readAddresses(value: TomlValue | undefined, from: string, at = registryAt): Registry[] {
  return itemsOf(value).flatMap((it) => {
    const address = it.kind === 'string' ? it.text : stringAt(it, 'url')?.text;
    const registry = address === undefined ? undefined : at(address, from);
    return registry ? [registry] : [];
  });
}

/** The items of an array; for another value, that value. */
function itemsOf(value: TomlValue | undefined): readonly TomlValue[] {
  return value === undefined ? [] : value.kind === 'array' ? value.items : [value];
}

/**
 * The sources in which PDM looks for a canonical name: those that include it, else all that do not exclude it.
 *
 *     [[tool.pdm.source]]
 *     name = "acme"
 *     url = "https://…"
 *     include_packages = ["acme-*"]
 *     exclude_packages = ["*"]
 *
 * Patterns are read in a pyproject.toml alone: there, a source hides that of the same name in a pdm.toml, patterns included.
 */
function pdmSources(pdm: TomlValue | undefined, from: string): (name: string) => readonly Registry[] {
  const sources = indexesAt(pdm, 'source').flatMap(({ url, table }) => {
    const registry = registryBeside(url, from);
    return registry ? [{ registry, ...pdmPatternsIn(table) }] : [];
  });
  // Patterns that cannot be interpreted as PDM does are ignored, so that each source counts for each name.
  const isPlain = !sources.some((it) => [...it.includes, ...it.excludes].some((pattern) => /[[\]]/.test(pattern)));
  const select = pdmSelection(isPlain ? sources : sources.map((it) => ({ ...it, includes: [], excludes: [] })));
  return (name) => select(name).map((it) => it.registry);
}
