import { compileWildcard } from '../../formats/text/wildcard.ts';
import { entriesOf, scalarAt, stringAt, type TomlValue, textsAt, tomlAt } from '../../formats/toml/tree.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Registry } from '../../model/registry.ts';
import { distinctRegistries, MAX_PATTERNS, MAX_REGISTRIES, registryAt } from '../shared/registry-address.ts';

/** The indexes that one file names. */
export interface Indexes {
  /** For every name that is not assigned to one. */
  readonly everything: readonly Registry[];
  /** By canonical name: where this package alone comes from. */
  readonly assigned: ReadonlyMap<string, readonly Registry[]>;
  /** By canonical name: the indexes, by name, that this package comes from, and that this file does not define. */
  readonly undefinedIndexes?: ReadonlyMap<string, readonly string[]>;
  /** By name: the indexes that other files may mean, too. */
  readonly named?: ReadonlyMap<string, readonly Registry[]>;
  /** Those that patterns choose for a canonical name, beside those for everything. */
  readonly matching?: (name: string) => readonly Registry[];
}

/** An index with a name, by which packages are assigned to it. */
interface NamedIndex {
  readonly name: string;
  /** Absent for a folder. */
  readonly registry?: Registry;
  /** Asked for nothing but what is assigned to it. */
  readonly explicit: boolean;
}

/** A package and the name of its index. */
type Assignment = readonly [name: string, index: string];

/** What a tool makes of an index that the file does not define. */
interface UndefinedIndexRules {
  /** What the tool calls the usual index where nothing defines it. */
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
    matching: pdmSources(itemsOf(tomlAt(root, 'tool', 'pdm', 'source')), from),
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
  const named = itemsOf(tomlAt(uv, 'index')).flatMap((it) => {
    const isDefault = scalarAt(it, 'default') === 'true';
    return readNamedIndex(it, from, !isDefault, scalarAt(it, 'explicit') === 'true');
  });
  const settings = [uv, tomlAt(uv, 'pip')].flatMap((table) => readPipOptions(table, from));
  const found = assignIndexes(named, readAssignments(assigned, 'index'), from, { isShared: true });
  return { ...found, everything: [...found.everything, ...settings] };
}

/** The options of pip, as tables of several tools have them. Without any index everything comes from somewhere else. */
function readPipOptions(table: TomlValue | undefined, from: string): Registry[] {
  const named = (...names: readonly string[]): (TomlValue | undefined)[] =>
    names.flatMap((it) => [tomlAt(table, it), tomlAt(table, it.replaceAll('-', '_'))]);
  return [
    ...named('index-url').flatMap((it) => readAddresses(it, from, false)),
    ...named('extra-index-url', 'extra-index-urls', 'find-links').flatMap((it) => readAddresses(it, from, true)),
    ...(scalarAt(table, 'no-index') === 'true' || scalarAt(table, 'no_index') === 'true' ? [{ from }] : []),
  ];
}

/** `[tool.pip-tools] index-url = "https://…"`, for all of its commands or for one: `[tool.pip-tools.compile]`. */
export function readPipTools(table: TomlValue | undefined, from: string): Registry[] {
  return [table, tomlAt(table, 'compile'), tomlAt(table, 'sync')].flatMap((it) => [
    ...readPipOptions(it, from),
    // What is handed to pip as it stands is not looked into.
    ...[tomlAt(it, 'pip-args'), tomlAt(it, 'pip_args')].flatMap((args) =>
      args?.kind === 'string' && /(?:^|\s)(?:-[if]|--(?:index|extra|find|no-index))/.test(args.text) ? [{ from }] : [],
    ),
  ]);
}

/**
 * Those of a project, of a feature, or of a person (`pypi-config`), and of one package.
 *
 *     [pypi-options]                          [pypi-dependencies]
 *     index-url = "https://…"                 acme-core = { version = "*", index = "https://…" }
 *     find-links = [{ url = "https://…" }]
 */
export function readPixi(pixi: TomlValue | undefined, from: string): Indexes {
  const features = [pixi, ...entriesOf(tomlAt(pixi, 'feature')).map(({ value }) => value)];
  const targets = features.flatMap((it) => [it, ...entriesOf(tomlAt(it, 'target')).map(({ value }) => value)]);
  const settings = [...features.map((it) => tomlAt(it, 'pypi-options')), tomlAt(pixi, 'pypi-config')];
  const assigned = new Map<string, Registry[]>();
  for (const [name, index] of targets.flatMap((it) => readAssignments(tomlAt(it, 'pypi-dependencies'), 'index')))
    add(assigned, canonicalName('PYPI', name), [registryAt(index, from) ?? { from }]);
  return { everything: settings.flatMap((it) => readPipOptions(it, from)), assigned };
}

/** `[[tool.poetry.source]]`, and `source = "acme"` of dependencies in any group. */
function readPoetry(poetry: TomlValue | undefined, from: string): Indexes {
  const groups = entriesOf(tomlAt(poetry, 'group')).map(({ value }) => tomlAt(value, 'dependencies'));
  const tables = [tomlAt(poetry, 'dependencies'), tomlAt(poetry, 'dev-dependencies'), ...groups];
  const named = readNamedIndexes(tomlAt(poetry, 'source'), from, (it) =>
    /^(?:supplemental|secondary)$/i.test(priority(it)),
  );
  return assignIndexes(
    named,
    tables.flatMap((table) => readAssignments(table, 'source')),
    from,
    { defaultName: 'pypi' },
  );
}

/** `[[source]]`, the first of which is the usual one, and `index = "acme"` of packages in any category. */
export function readPipfile(root: TomlValue, from: string): Indexes {
  const tables = entriesOf(root).map(({ value }) => value);
  // Pipenv asks the first index for whatever is assigned to none, and the others for nothing else.
  const named = readNamedIndexes(tomlAt(root, 'source'), from, () => false).map((it, at) => ({
    ...it,
    explicit: at > 0,
  }));
  return assignIndexes(
    named,
    tables.flatMap((table) => readAssignments(table, 'index')),
    from,
    // Without any source Pipenv has one of this name.
    named.length === 0 ? { defaultName: 'pypi' } : {},
  );
}

/** `[pypi] url = "https://…"`, and further sources by name: `[pypi.acme] url = "https://…"`. */
export function readPdm(root: TomlValue, from: string): Indexes {
  const pypi = tomlAt(root, 'pypi');
  const further = entriesOf(pypi).flatMap(({ value }) =>
    value?.kind === 'table' ? readNamedIndex(value, from, true, false) : [],
  );
  const found = assignIndexes(further, [], from);
  return { ...found, everything: [...readAddresses(tomlAt(pypi, 'url'), from, false), ...found.everything] };
}

/** Rye's, to which nothing is assigned. */
function readRyeSources(list: TomlValue | undefined, from: string): Indexes {
  const named = readNamedIndexes(list, from, () => true);
  return assignIndexes(named, [], from);
}

function readNamedIndexes(list: TomlValue | undefined, from: string, beside: (it: TomlValue) => boolean): NamedIndex[] {
  return itemsOf(list).flatMap((it) => readNamedIndex(it, from, beside(it), /^explicit$/i.test(priority(it))));
}

function readNamedIndex(it: TomlValue, from: string, beside: boolean, explicit: boolean): NamedIndex[] {
  const address = stringAt(it, 'url')?.text;
  if (address === undefined) return [];
  const registry = registryAt(address, from, beside);
  return [{ name: stringAt(it, 'name')?.text ?? '', ...(registry && { registry }), explicit }];
}

function priority(it: TomlValue): string {
  return stringAt(it, 'priority')?.text ?? '';
}

function readAssignments(table: TomlValue | undefined, field: string): Assignment[] {
  return entriesOf(table).flatMap(({ key, value }) =>
    itemsOf(value).flatMap((it): Assignment[] => {
      const index = stringAt(it, field)?.text;
      return index === undefined ? [] : [[key.text, index]];
    }),
  );
}

function assignIndexes(
  sources: readonly NamedIndex[],
  assignments: readonly Assignment[],
  from: string,
  { defaultName, isShared }: UndefinedIndexRules = {},
): Indexes {
  const named = new Map<string, Registry[]>();
  for (const { name, registry } of sources) {
    // What is kept to a folder is as private as what is kept to a registry.
    const { beside: _, ...certain } = registry ?? { from };
    if (name !== '') add(named, name.toLowerCase(), [certain]);
  }
  const assigned = new Map<string, Registry[]>();
  const undefinedIndexes = new Map<string, string[]>();
  for (const [name, written] of assignments) {
    const index = written.toLowerCase();
    const key = canonicalName('PYPI', name);
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

function readAddresses(value: TomlValue | undefined, from: string, beside: boolean): Registry[] {
  return itemsOf(value).flatMap((it) => {
    const address = it.kind === 'string' ? it.text : stringAt(it, 'url')?.text;
    const registry = address === undefined ? undefined : registryAt(address, from, beside);
    return registry ? [registry] : [];
  });
}

/** The items of an array; one value stands for itself. */
function itemsOf(value: TomlValue | undefined): readonly TomlValue[] {
  return value === undefined ? [] : value.kind === 'array' ? value.items : [value];
}

/** A source of PDM, and the names that it is asked for, or is not. */
interface PdmSource {
  readonly registry: Registry;
  readonly includes: NameFilter;
  readonly excludes: NameFilter;
}

type NameFilter = (name: string) => boolean;

/**
 * The sources that PDM asks for a canonical name: those that include it, else all that do not exclude it.
 *
 *     [[tool.pdm.source]]
 *     name = "acme"
 *     url = "https://…"
 *     include_packages = ["acme-*"]
 *     exclude_packages = ["*"]
 *
 * So each is read in a pyproject.toml alone: what a pdm.toml says of a source is hidden by one of its name there, patterns
 * included.
 */
export function pdmSources(list: readonly TomlValue[], from: string): (name: string) => readonly Registry[] {
  const written = list.flatMap((it) => [...textsAt(it, 'include_packages'), ...textsAt(it, 'exclude_packages')]);
  // What is not understood as PDM does leaves every source for every name.
  const isPlain = written.length <= MAX_PATTERNS && !written.some((it) => /[[\]]/.test(it));
  const sources = list.flatMap((it): PdmSource[] => {
    const registry = registryAt(stringAt(it, 'url')?.text ?? '', from, true);
    if (!registry) return [];
    const among = (key: string): NameFilter => (isPlain ? matchesAny(textsAt(it, key)) : () => false);
    return [{ registry, includes: among('include_packages'), excludes: among('exclude_packages') }];
  });
  return (name) => {
    const including = sources.filter((it) => it.includes(name));
    const asked = including.length > 0 ? including : sources.filter((it) => !it.excludes(name));
    return asked.slice(0, MAX_REGISTRIES).map((it) => it.registry);
  };
}

/** PDM spells patterns as names, so that `Acme_*` is `acme-*`. */
function matchesAny(patterns: readonly string[]): NameFilter {
  const all = patterns.map((it) => compileWildcard(it.replace(/[^A-Za-z0-9?*-]+/g, '-').toLowerCase()));
  return (name) => all.some((matches) => matches(name));
}
