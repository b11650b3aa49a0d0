import { truncate } from '../../base/text.ts';
import { parseToml } from '../../formats/toml/parse.ts';
import { type TomlString, tomlLiteral, tomlSpan } from '../../formats/toml/strings.ts';
import {
  entriesOf,
  scalarAt,
  stringAt,
  stringsAt,
  type TomlEntry,
  type TomlValue,
  textsAt,
} from '../../formats/toml/tree.ts';
import type {
  Definition,
  Dependency,
  FileRef,
  Manifest,
  ManifestFormat,
  Requirement,
  Scope,
} from '../../model/manifest.ts';
import type { Problem, Span } from '../../model/span.ts';
import { type Substitute, substituteDefinition, substituteRefs } from './patches.ts';

/** The manifest of a crate, of a workspace, or of both. */
export const cargoToml: ManifestFormat = {
  id: 'Cargo.toml',
  system: 'CARGO',
  files: /(^|\/)Cargo\.toml$/,
  parse,
};

/** Cargo still reads the names with an underscore, and warns of them. */
const scopes: ReadonlyMap<string, Scope> = new Map([
  ['dependencies', 'runtime'],
  ['dev-dependencies', 'dev'],
  ['dev_dependencies', 'dev'],
  ['build-dependencies', 'build'],
  ['build_dependencies', 'build'],
]);

/** The parts of the file that are read so far. */
interface Found {
  readonly dependencies: Dependency[];
  readonly definitions: Definition[];
  readonly problems: Problem[];
  /** The folders that crates are taken from. */
  readonly folders: Set<string>;
  /** Ids of the definitions that take a published crate's place. */
  readonly substituted: Set<string>;
}

/** A table of dependencies, and the facts that it states about all of them. */
interface Section {
  readonly group: string;
  readonly scope: Scope;
  readonly condition?: string;
}

function parse(text: string): Manifest {
  const { root, problems } = parseToml(text);
  const found: Found = {
    dependencies: [],
    definitions: [],
    problems: [...problems],
    folders: new Set(),
    substituted: new Set(),
  };
  readSections(root, undefined, found);
  for (const { key, value } of childrenOf(root, 'target')) readSections(value, key.text, found);
  for (const { key, value } of childrenOf(root, 'patch')) readPatches(key.text, value, found);
  for (const it of childrenOf(root, 'replace')) readReplacement(it, found);
  for (const workspace of valuesNamed(root, 'workspace')) {
    for (const it of childrenOf(workspace, 'dependencies')) readWorkspaceDependency(it, found);
  }
  found.dependencies.sort((a, b) => a.nameSpan.start - b.nameSpan.start);
  const identity = stringAt(root, 'package', 'name')?.text;
  const version = stringAt(root, 'package', 'version')?.text;
  // A crate that a path leads to is a member, too.
  const members = textsAt(root, 'workspace', 'members');
  const packages = [...members, ...textsAt(root, 'workspace', 'exclude').map((it) => `!${it}`)];
  const modules = [...found.folders].map((it) => `${it}/Cargo.toml`);
  const { dependencies, definitions } = found;
  const links = stringsAt(root, 'workspace', 'members').map(({ text: pattern, span }) => ({ span, pattern }));
  return {
    dependencies,
    definitions,
    problems: found.problems,
    references: workspaceOf(root),
    ...(packages.length > 0 && { packages }),
    ...(links.length > 0 && { links }),
    ...(modules.length > 0 && { modules }),
    ...(identity && { identity }),
    ...(version !== undefined && { version }),
  };
}

function readSections(table: TomlValue | undefined, condition: string | undefined, found: Found): void {
  for (const { key, value } of entriesOf(table)) {
    const scope = scopes.get(key.text);
    const when = condition === undefined ? {} : { condition: truncate(condition) };
    if (scope) readSection(value, { group: key.text, scope, ...when }, found);
  }
}

function readSection(table: TomlValue | undefined, section: Section, found: Found): void {
  if (table && table.kind !== 'table') {
    found.problems.push({ span: table.span, message: `${section.group} should be a table` });
  }
  for (const entry of entriesOf(table)) {
    const dependency = readDependency(entry, section, found);
    if (dependency) found.dependencies.push(replaceable(dependency, entry));
  }
}

/** `[patch.crates-io]`, each crate of which takes the place of the published one, or of one from another place. */
function readPatches(registry: string, table: TomlValue | undefined, found: Found): void {
  for (const entry of entriesOf(table)) {
    const section = { group: `patch.${registry}`, scope: 'runtime' } as const;
    const dependency = readDependency(entry, section, found);
    if (!dependency) continue;
    const { key, nameSpan: span, requirement: value } = dependency;
    found.dependencies.push(dependency);
    substitute({ name: key.name, registry, span, value }, found);
  }
}

function substitute(it: Substitute, found: Found): void {
  for (const definition of substituteDefinition(it)) {
    found.definitions.push(definition);
    found.substituted.add(definition.id);
  }
}

function replaceable(dependency: Dependency, { value }: TomlEntry): Dependency {
  const replacement = substituteRefs(dependency.key.name, registryOf(value)?.text, dependency.requirement);
  return replacement.length > 0 ? { ...dependency, replacement } : dependency;
}

function registryOf(value: TomlValue | undefined): TomlString | undefined {
  return stringAt(value, 'registry') ?? stringAt(value, 'registry-index');
}

/**
 * One dependency, however it is written; nothing while its value is yet to be typed.
 *
 *     serde = "1.0"
 *     rand_08 = { package = "rand", version = "0.8" }     the package is `rand`
 *     tokio = { workspace = true }                         as the workspace requires `tokio`
 */
function readDependency({ key, value }: TomlEntry, section: Section, found: Found): Dependency | undefined {
  if (value === undefined || key.text === '') return undefined;
  if (value.kind === 'array' || value.kind === 'scalar') {
    found.problems.push({ span: value.span, message: `the requirement of ${key.text} should be a string or a table` });
    return undefined;
  }
  const requirement = requirementOf(value);
  const inherits = inheritance(value);
  // Half typed: it may become a version or a path, and Cargo rejects an entry with neither.
  if (requirement.kind === 'none' && !inherits) return undefined;
  const registry = registryOf(value);
  const folder = stringAt(value, 'path')?.text.replace(/[\\/]$/, '');
  if (folder) found.folders.add(folder);
  const isOptional = section.scope === 'runtime' && scalarAt(value, 'optional') === 'true';
  const conditions = [section.condition, registry && `registry ${registry.text}`].filter((it) => it !== undefined);
  return {
    key: { system: 'CARGO', name: stringAt(value, 'package')?.text || key.text },
    name: key.text,
    nameSpan: key.span,
    ...(inherits && { nameParts: [{ id: `package:${key.text}`, label: inherited }] }),
    requirement: inherits
      ? { kind: 'reference', to: { id: `workspace:${key.text}`, label: inherited }, span: inherits }
      : requirement,
    scope: isOptional ? 'optional' : section.scope,
    group: section.group,
    ...(conditions.length > 0 && { condition: conditions.join(', ') }),
  };
}

const inherited = '[workspace.dependencies]';

/**
 *     serde = { workspace = true }
 *               ^^^^^^^^^^^^^^^^
 */
function inheritance(value: TomlValue): Span | undefined {
  const entry = entriesOf(value).findLast((it) => it.key.text === 'workspace');
  if (entry?.value?.kind !== 'scalar' || entry.value.text !== 'true') return undefined;
  return { start: entry.key.span.start, end: entry.value.span.end };
}

/**
 * Beside a path or a repository, a version applies only to the published crate. Here Cargo uses the path or the
 * repository, and requests nothing from a registry. Source: the Cargo book, “Specifying dependencies”, on multiple locations.
 */
function requirementOf(value: TomlValue): Requirement {
  const path = stringAt(value, 'path');
  if (path) return { kind: 'source', source: 'path', span: path.span };
  const git = stringAt(value, 'git');
  if (git) return { kind: 'source', source: 'git', span: git.span };
  const version = value.kind === 'string' ? value : stringAt(value, 'version');
  return version ? { kind: 'literal', at: tomlLiteral(version) } : { kind: 'none' };
}

/** A dependency that members of the workspace inherit: a requirement, and the name of the package, which may differ from the key. */
function readWorkspaceDependency(entry: TomlEntry, found: Found): void {
  const read = readDependency(entry, { group: 'workspace.dependencies', scope: 'runtime' }, found);
  if (!read) return;
  const dependency = replaceable(read, entry);
  const { name, nameSpan: span, key, requirement } = dependency;
  const to = dependency.replacement?.find((it) => found.substituted.has(it.id));
  const value: Requirement = to ? { kind: 'reference', to, span } : requirement;
  found.dependencies.push(dependency);
  found.definitions.push({ id: `workspace:${name}`, span, value });
  found.definitions.push({ id: `package:${name}`, span, value: { kind: 'template', parts: [key.name], span } });
}

/** `"foo:0.1.0" = { path = "../foo" }`: the version selects the one that is replaced. Newer files write an `@`. */
function readReplacement(entry: TomlEntry, found: Found): void {
  const dependency = readDependency(entry, { group: 'replace', scope: 'runtime' }, found);
  if (!dependency) return;
  const [, name = '', version] = /^(?:.*[#/])?([^:@#/]*)(?:[:@](.*))?$/.exec(dependency.name) ?? [];
  if (name === '') return;
  const { nameSpan: span } = dependency;
  const start = span.start + Math.max(0, dependency.name.indexOf(name));
  found.dependencies.push({
    ...dependency,
    key: { system: 'CARGO', name },
    name,
    nameSpan: { start, end: Math.min(span.end, start + name.length) },
    ...(version && { condition: version }),
  });
  if (version) substitute({ name, version, span, value: dependency.requirement }, found);
}

/**
 * Where inherited requirements are defined: in the file that `package.workspace` names, else in the nearest one above
 * with a `[workspace]`. A file without one leads further up, for the files below it too.
 */
function workspaceOf(root: TomlValue): FileRef[] {
  if (entriesOf(root).some(({ key }) => key.text === 'workspace')) return [];
  const named = stringAt(root, 'package', 'workspace');
  if (!named?.text) {
    return [{ kind: 'workspace', path: 'Cargo.toml', format: 'Cargo.toml', upward: 'parent' }];
  }
  const path = `${named.text.replace(/\/$/, '')}/Cargo.toml`;
  return [{ kind: 'workspace', path, format: 'Cargo.toml', span: tomlSpan(named) }];
}

/** Every value of a name. A second one is an error, but both are read. */
function valuesNamed(table: TomlValue | undefined, name: string): readonly (TomlValue | undefined)[] {
  return entriesOf(table).flatMap(({ key, value }) => (key.text === name ? [value] : []));
}

function childrenOf(table: TomlValue | undefined, name: string): readonly TomlEntry[] {
  return valuesNamed(table, name).flatMap(entriesOf);
}
