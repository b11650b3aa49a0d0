import { compileWildcard } from '../../formats/text/wildcard.ts';
import { entriesOf, scalarAt, stringAt, type TomlValue, textsAt, tomlAt } from '../../formats/toml/tree.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Registry } from '../../model/registry.ts';
import {
  distinctRegistries,
  MAX_PATTERNS,
  MAX_REGISTRIES,
  registryAt,
  registryBeside,
} from '../shared/registry-address.ts';

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

/** A package and the name of its index. */
type Assignment = readonly [name: string, index: string];

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
    const at = isDefault ? registryAt : registryBeside;
    return readNamedIndex(it, from, { at, explicit: scalarAt(it, 'explicit') === 'true' });
  });
  const settings = [uv, tomlAt(uv, 'pip')].flatMap((table) => readPipOptions(table, from));
  const found = assignIndexes(named, readAssignments(assigned, 'index'), from, { isShared: true });
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

/** `[[source]]`, the first of which is the default, and `index = "acme"` of packages in any category. */
export function readPipfile(root: TomlValue, from: string): Indexes {
  const tables = entriesOf(root).map(({ value }) => value);
  // Pipenv uses the first index for all packages that are not assigned to one, and the others for assigned packages only.
  const named = readNamedIndexes(tomlAt(root, 'source'), from, () => false).map((it, at) => ({
    ...it,
    explicit: at > 0,
  }));
  return assignIndexes(
    named,
    tables.flatMap((table) => readAssignments(table, 'index')),
    from,
    // Without any source Pipenv has a default one of this name.
    named.length === 0 ? { defaultName: 'pypi' } : {},
  );
}

/** `[pypi] url = "https://…"`, and further sources by name: `[pypi.acme] url = "https://…"`. */
export function readPdm(root: TomlValue, from: string): Indexes {
  const pypi = tomlAt(root, 'pypi');
  const further = entriesOf(pypi).flatMap(({ value }) =>
    value?.kind === 'table' ? readNamedIndex(value, from, { at: registryBeside, explicit: false }) : [],
  );
  const found = assignIndexes(further, [], from);
  return { ...found, everything: [...readAddresses(tomlAt(pypi, 'url'), from), ...found.everything] };
}

/** The sources of Rye, which cannot assign packages to them. */
function readRyeSources(list: TomlValue | undefined, from: string): Indexes {
  const named = readNamedIndexes(list, from, () => true);
  return assignIndexes(named, [], from);
}

function readNamedIndexes(list: TomlValue | undefined, from: string, beside: (it: TomlValue) => boolean): NamedIndex[] {
  return itemsOf(list).flatMap((it) => {
    const at = beside(it) ? registryBeside : registryAt;
    return readNamedIndex(it, from, { at, explicit: /^explicit$/i.test(priority(it)) });
  });
}

/** How an index is asked. */
interface IndexKind extends Pick<NamedIndex, 'explicit'> {
  readonly at: typeof registryAt;
}

function readNamedIndex(it: TomlValue, from: string, { at, explicit }: IndexKind): NamedIndex[] {
  const address = stringAt(it, 'url')?.text;
  if (address === undefined) return [];
  const registry = at(address, from);
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
    // A package that is assigned to a folder is as private as one that is assigned to a registry.
    const { isAdditional: _, ...certain } = registry ?? { from };
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

/** A source of PDM, and the names that PDM looks for in it, or does not. */
interface PdmSource {
  readonly registry: Registry;
  readonly includes: NameFilter;
  readonly excludes: NameFilter;
}

type NameFilter = (name: string) => boolean;

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
export function pdmSources(list: readonly TomlValue[], from: string): (name: string) => readonly Registry[] {
  const written = list.flatMap((it) => [...textsAt(it, 'include_packages'), ...textsAt(it, 'exclude_packages')]);
  // Patterns that cannot be interpreted as PDM does are ignored, so that each source counts for each name.
  const isPlain = written.length <= MAX_PATTERNS && !written.some((it) => /[[\]]/.test(it));
  const sources = list.flatMap((it): PdmSource[] => {
    const registry = registryBeside(stringAt(it, 'url')?.text ?? '', from);
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

/** PDM normalizes patterns like names: `Acme_*` is `acme-*`. */
function matchesAny(patterns: readonly string[]): NameFilter {
  const all = patterns.map((it) => compileWildcard(it.replace(/[^A-Za-z0-9?*-]+/g, '-').toLowerCase()));
  return (name) => all.some((matches) => matches(name));
}
