import * as l10n from '@vscode/l10n';
import { addTo } from '../../base/collections.ts';
import { parseToml } from '../../formats/toml/parse.ts';
import { type TomlString, tomlLiteral, tomlSpan } from '../../formats/toml/strings.ts';
import { entriesOf, stringAt, type TomlEntry, type TomlValue, tomlAt } from '../../formats/toml/tree.ts';
import type { Definition, Dependency, Manifest, ManifestFormat, Requirement } from '../../model/manifest.ts';
import type { Literal, Problem, Span } from '../../model/span.ts';
import { readNotation, readStrict } from './arguments.ts';
import { normalizeAlias } from './files/alias-id.ts';
import { isPlaceholder, versionsFile } from './files/placeholders.ts';
import { catalogRenaming } from './navigation/catalog-renaming.ts';
import { usesInCatalog } from './navigation/catalog-uses.ts';
import { addPluginBoms, isOfGradle } from './plugins.ts';
import { catalogIds, emptyRequirement, managedVersion, pluginMarker } from './values.ts';

/** Gradle's catalog of libraries, plugins and their versions. Build files refer to them as `libs.…`. */
export const versionCatalog: ManifestFormat = {
  id: 'libs.versions.toml',
  system: 'MAVEN',
  files: /(^|\/)[^/]+\.versions\.toml$/,
  parse,
  uses: usesInCatalog,
  renaming: catalogRenaming,
};

/** The contents found so far. */
interface CatalogBuilder {
  readonly dependencies: Dependency[];
  readonly definitions: Definition[];
  readonly problems: Problem[];
  /** The tables of `[versions]`, by key. */
  readonly rejected: ReadonlyMap<string, TomlValue>;
  /** The accessors of the bundles that have a library, by its own. */
  readonly bundles: ReadonlyMap<string, readonly string[]>;
}

function parse(text: string): Manifest {
  const { root, problems } = parseToml(text);
  const tables = entriesOfTable(root, 'versions').flatMap(({ key, value }) =>
    value && value.kind !== 'string' ? [[key.text, value] as const] : [],
  );
  const found: CatalogBuilder = {
    dependencies: [],
    definitions: [],
    problems: [...problems],
    rejected: new Map(tables),
    bundles: bundlesIn(root),
  };
  for (const it of entriesOfTable(root, 'versions')) readVersion(it, found);
  for (const it of entriesOfTable(root, 'libraries')) readLibrary(it, found);
  for (const it of entriesOfTable(root, 'plugins')) readPlugin(it, found);
  for (const { key } of entriesOfTable(root, 'bundles'))
    found.definitions.push({ id: catalogIds.bundle(key.text), span: key.span, value: { kind: 'none' } });
  found.dependencies.sort((a, b) => a.nameSpan.start - b.nameSpan.start);
  const { definitions, problems: all } = found;
  const isPlaced = [...found.dependencies.map((it) => it.requirement), ...definitions.map((it) => it.value)].some(
    isPlaceholder,
  );
  return {
    definitions,
    problems: all,
    dependencies: addPluginBoms(found.dependencies),
    references: isPlaced ? [versionsFile] : [],
  };
}

function entriesOfTable(root: TomlValue, name: string): readonly TomlEntry[] {
  return entriesOf(root).flatMap(({ key, value }) => (key.text === name ? entriesOf(value) : []));
}

/** A requirement, and why it is not edited. */
interface Version {
  readonly requirement: Requirement;
  readonly frozen?: string;
}

function readVersion({ key, value }: TomlEntry, found: CatalogBuilder): void {
  const blank = blankOf(value);
  const version: Version | undefined = blank
    ? { requirement: emptyRequirement(key.text, key.span) }
    : value && versionOf(value);
  if (!version) {
    if (value)
      found.problems.push({ span: value.span, message: `the version ${key.text} should be a string or a table` });
    return;
  }
  found.definitions.push({
    id: catalogIds.version(key.text),
    span: key.span,
    value: version.requirement,
    ...(blank && { blank }),
    ...frozenBy(version.frozen),
  });
}

/**
 *     guava = "com.google.guava:guava:33.0.0-jre"
 *     guava = { module = "com.google.guava:guava", version.ref = "guava" }
 *     guava = { group = "com.google.guava", name = "guava", version = { strictly = "[33,34[", prefer = "33.0.0-jre" } }
 */
function readLibrary({ key, value }: TomlEntry, found: CatalogBuilder): void {
  if (value === undefined) return;
  const coordinates = value.kind === 'string' ? readNotationString(value) : readCoordinates(value);
  if (!coordinates) {
    found.problems.push({ span: key.span, message: `the library ${key.text} should name a group and an artifact` });
    return;
  }
  const { name, nameSpan, version, blank } = coordinates;
  const read = version ?? { requirement: managedVersion(name, nameSpan) };
  const accessor = normalizeAlias(key.text);
  const rejected = value.kind === 'string' ? [] : rejectedIn(tomlAt(value, 'version'), found.rejected);
  found.dependencies.push({
    key: { system: 'MAVEN', name },
    name,
    nameSpan,
    scope: 'runtime',
    group: 'libraries',
    accessors: [accessor, ...(found.bundles.get(accessor) ?? [])],
    ...(blank && { blank }),
    ...(rejected.length > 0 && { rejected }),
    ...read,
  });
  define(found, key.span, name, read, catalogIds.library(key.text), catalogIds.module(key.text));
}

/** `[bundles]`, by each library: `networking = ["okhttp", "okio"]` */
function bundlesIn(root: TomlValue): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { key, value } of entriesOfTable(root, 'bundles')) {
    for (const it of value?.kind === 'array' ? value.items : [])
      if (it.kind === 'string') addTo(found, normalizeAlias(it.text), `bundles-${normalizeAlias(key.text)}`);
  }
  return found;
}

/** A plugin is published as a marker artifact, which depends on the one with the code: `id:id.gradle.plugin`. */
function readPlugin({ key, value }: TomlEntry, found: CatalogBuilder): void {
  if (value === undefined) return;
  const colon = value.kind === 'string' ? value.text.indexOf(':') : -1;
  const id = value.kind === 'string' ? value : stringAt(value, 'id');
  if (!id?.text || colon === 0) {
    found.problems.push({ span: key.span, message: `the plugin ${key.text} should have an id` });
    return;
  }
  const end = colon < 0 ? id.text.length : colon;
  const name = id.text.slice(0, end);
  const written = value.kind === 'string' ? shortVersionAt(value, colon < 0 ? end : end + 1) : versionOfEntry(value);
  const marker = pluginMarker(name);
  const nameSpan = tomlSpan(id, 0, end);
  const isOwn = written === undefined && isOfGradle(name);
  const none: Requirement = isOwn
    ? { kind: 'source', source: 'workspace', span: nameSpan }
    : managedVersion(marker, nameSpan);
  const read = written ?? { requirement: none };
  const blank = value.kind === 'string' ? undefined : blankOf(tomlAt(value, 'version'));
  define(found, key.span, marker, read, catalogIds.plugin(key.text), catalogIds.pluginModule(key.text));
  if (isOwn) return;
  found.dependencies.push({
    key: { system: 'MAVEN', name: marker },
    name,
    nameSpan,
    scope: 'build',
    group: 'plugins',
    role: 'plugin',
    ...(blank && { blank }),
    ...read,
  });
}

/** Defines the version and the package of an accessor: `libs.…`. */
function define(
  found: CatalogBuilder,
  span: Span,
  name: string,
  { requirement, frozen }: Version,
  id: string,
  module: string,
) {
  found.definitions.push({ id, span, value: requirement, ...(frozen !== undefined && { frozen }) });
  found.definitions.push({ id: module, span, value: { kind: 'template', parts: [name], span } });
}

interface Coordinates {
  readonly name: string;
  readonly nameSpan: Span;
  readonly version?: Version;
  readonly blank?: Literal;
}

function readNotationString(value: TomlString): Coordinates | undefined {
  const notation = readNotation(value.text);
  if (!notation) return undefined;
  const { name, version } = notation;
  const nameSpan = tomlSpan(value, name.start, name.end);
  const text = value.text.slice(name.start, name.end);
  const read = version && versionAt(value, version.start, version.end);
  // `group:artifact:`
  const isBlank = !version && value.text.length === name.end + 1;
  return {
    name: text,
    nameSpan,
    ...(read && { version: { ...read, ...frozenBy(notation.frozen) } }),
    ...(isBlank && { blank: tomlLiteral(value, value.text.length) }),
  };
}

function readCoordinates(value: TomlValue): Coordinates | undefined {
  const version = versionOfEntry(value);
  const blank = blankOf(tomlAt(value, 'version'));
  const written = { ...(version && { version }), ...(blank && { blank }) };
  const module = stringAt(value, 'module');
  if (module && /^[^:\s]+:[^:\s]+$/.test(module.text)) {
    return { name: module.text, nameSpan: module.span, ...written };
  }
  const group = stringAt(value, 'group');
  const name = stringAt(value, 'name');
  if (!group?.text || !name?.text) return undefined;
  return { name: `${group.text}:${name.text}`, nameSpan: name.span, ...written };
}

/** The versions that a rich version refuses: `reject = ["1.2", "[2,3["]`; all of them with `rejectAll = true`. */
function rejectedIn(version: TomlValue | undefined, tables: CatalogBuilder['rejected']): readonly string[] {
  const ref = stringAt(version, 'ref')?.text;
  const rich = ref === undefined ? version : tables.get(ref);
  const list = tomlAt(rich, 'reject');
  const all = tomlAt(rich, 'rejectAll');
  if (all?.kind === 'scalar' && all.text === 'true') return ['(,)'];
  return (list?.kind === 'array' ? list.items : [list]).flatMap((it) => (it?.kind === 'string' ? it.text : []));
}

/** The empty place between the quotes of an empty string. */
function blankOf(value: TomlValue | undefined): Literal | undefined {
  return value?.kind === 'string' && value.text === '' ? tomlLiteral(value) : undefined;
}

function versionOfEntry(value: TomlValue): Version | undefined {
  const version = tomlAt(value, 'version');
  const ref = stringAt(version, 'ref');
  if (ref === undefined) return version && versionOf(version);
  const to = { id: catalogIds.version(ref.text), label: `versions.${ref.text}` };
  return { requirement: { kind: 'reference', to, span: ref.span } };
}

/** The deciding part of a rich version; it is not edited where another part bounds it. */
function versionOf(value: TomlValue): Version | undefined {
  if (value.kind === 'string') return shortVersionAt(value, 0);
  const [first, ...others] = ['prefer', 'require', 'strictly'].flatMap((name) => stringAt(value, name) ?? []);
  const read = first && versionAt(first, 0, first.text.length);
  return (
    read && {
      ...read,
      ...frozenBy(others.length > 0 ? l10n.t('limited by another part of the rich version') : undefined),
    }
  );
}

/** A version in one string, which may be strict. Source: Gradle's `StrictVersionParser`. */
function shortVersionAt(value: TomlString, from: number): Version | undefined {
  const { version, frozen } = readStrict(value.text.slice(from));
  const read = versionAt(value, from + version.start, from + version.end);
  return read && { ...read, ...frozenBy(frozen) };
}

/** The version of a project without one, so its artifacts are built here. Source: Gradle's `Project`. */
const UNSPECIFIED_VERSION = 'unspecified';

function versionAt(value: TomlString, from: number, to: number): Version | undefined {
  if (value.text.slice(from, to) === UNSPECIFIED_VERSION)
    return { requirement: { kind: 'source', source: 'workspace', span: tomlSpan(value, from, to) } };
  return to > from ? { requirement: { kind: 'literal', at: tomlLiteral(value, from, to) } } : undefined;
}

function frozenBy(reason: string | undefined): { readonly frozen?: string } {
  return reason === undefined ? {} : { frozen: reason };
}
