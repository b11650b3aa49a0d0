import { truncate } from '../../base/text.ts';
import {
  type JsonProperty,
  type JsonString,
  type JsonValue,
  jsonLiteral,
  jsonSpan,
  propertiesOf,
} from '../../formats/json/tree.ts';
import { type YamlScalar, yamlLiteral, yamlSpan } from '../../formats/yaml/scalar.ts';
import {
  entriesOf,
  entryAt,
  resolved,
  type YamlAlias,
  type YamlEntry,
  type YamlValue,
} from '../../formats/yaml/tree.ts';
import type { Definition, Dependency, FileRef, Requirement } from '../../model/manifest.ts';
import type { Problem, Span } from '../../model/span.ts';
import { catalogNameId } from './catalog-names.ts';
import { readSpecifier, type SpecifierText } from './specifier.ts';

/** The parts of a YAML file that are read so far. */
export interface FoundInYaml {
  readonly dependencies: Dependency[];
  readonly definitions: Definition[];
  readonly problems: Problem[];
  /** The anchors that have a definition already. */
  readonly anchors: Set<string>;
}

export function nothingFound(problems: readonly Problem[]): FoundInYaml {
  return { dependencies: [], definitions: [], problems: [...problems], anchors: new Set() };
}

/** A name in a YAML file and its version. */
export interface NamedVersion {
  readonly name: YamlScalar;
  readonly value: SpecifierText;
  /** Set where the version is elsewhere in the file: `*react`. */
  readonly alias?: YamlAlias;
  /** It was read at its own place, in the map that is merged here. */
  readonly merged: boolean;
}

/** `catalog:`, or one of `catalogs:`. */
export function readYamlCatalog(catalog: string, section: YamlValue | undefined, found: FoundInYaml): void {
  for (const it of versionsIn(section, `the catalog ${catalog}`, found)) {
    const { dependency, definition } = readCatalogEntry(catalog, it.name.text, it.name.span, it.value);
    if (!it.merged) found.dependencies.push(throughAlias(dependency, it.alias, found));
    found.definitions.push({ ...definition, value: valueThroughAlias(definition.value, it.alias) });
  }
}

/** `catalogs:`, each with its name. */
export function readYamlCatalogs(section: YamlValue | undefined, found: FoundInYaml): void {
  for (const { key, value } of entriesOf(section)) {
    found.definitions.push(...nameDefinition(key));
    readYamlCatalog(key.text, value, found);
  }
}

/**
 * What settings add to the dependencies of packages.
 *
 *     packageExtensions: { "webpack@*": { dependencies: { acorn: ^8.0.0 } } }
 */
export function readYamlExtensions(section: YamlValue | undefined, found: FoundInYaml): void {
  for (const { value } of entriesOf(section)) {
    for (const group of ['dependencies', 'optionalDependencies']) {
      for (const { name, value: specifier, alias, merged } of versionsIn(entryAt(value, group), group, found)) {
        if (merged) continue;
        const { name: packageName, requirement, frozen } = readSpecifier(name.text, specifier);
        const dependency: Dependency = {
          key: { system: 'NPM', name: packageName },
          name: name.text,
          nameSpan: name.span,
          requirement,
          scope: 'runtime',
          group: EXTENSIONS,
          ...(frozen !== undefined && { frozen }),
        };
        found.dependencies.push(throughAlias(dependency, alias, found));
      }
    }
  }
}

export const EXTENSIONS = 'packageExtensions';

/** The entries with a name and a version. Any other entry is a problem, unless it is half typed. */
export function versionsIn(section: YamlValue | undefined, called: string, found: FoundInYaml): NamedVersion[] {
  const map = resolved(section);
  if (map && map.kind !== 'map') {
    found.problems.push({ span: map.span, message: `${called} should be a map` });
  }
  return entriesOf(section).flatMap((it) => namedVersion(it, found));
}

function namedVersion({ key, value, merged }: YamlEntry, found: FoundInYaml): NamedVersion[] {
  const version = resolved(value);
  if (key.text === '') found.problems.push({ span: key.span, message: 'no package is named here' });
  else if (version && version.kind !== 'scalar') {
    found.problems.push({ span: version.span, message: `the version of ${key.text} should be a string` });
  } else if (version && (version.text !== '' || version.style === 'single' || version.style === 'double')) {
    const alias = value?.kind === 'alias' ? { alias: value } : {};
    return [{ name: key, value: yamlSpecifierText(version), merged: merged === true, ...alias }];
  }
  return [];
}

/** A scalar for `readSpecifier`. */
function yamlSpecifierText(scalar: YamlScalar): SpecifierText {
  return {
    text: scalar.text,
    literal: (from, to) => yamlLiteral(scalar, from, to),
    span: (from, to) => yamlSpan(scalar, from, to),
  };
}

/**
 * A dependency whose version is at an anchor refers to it, so that an edit can name the others that it moves.
 *
 *     react: &react ^18.2.0
 *     react-dom: *react
 *                ^^^^^^
 */
export function throughAlias(dependency: Dependency, alias: YamlAlias | undefined, found: FoundInYaml): Dependency {
  const target = alias?.target;
  if (target?.kind !== 'scalar') return dependency;
  const { requirement: value } = readSpecifier(dependency.name, yamlSpecifierText(target));
  const id = anchorId(alias);
  if (!found.anchors.has(id)) found.definitions.push({ id, span: target.span, value });
  found.anchors.add(id);
  return { ...dependency, requirement: valueThroughAlias(dependency.requirement, alias) };
}

function valueThroughAlias(value: Requirement, alias: YamlAlias | undefined): Requirement {
  if (!alias || value.kind !== 'literal') return value;
  const [name = ''] = alias.name.split(' ', 1);
  return { kind: 'reference', to: { id: anchorId(alias), label: `*${name}` }, span: alias.span };
}

function anchorId(alias: YamlAlias | undefined): string {
  return `anchor:${alias?.name}`;
}

/** The parts of a JSON file that are read so far. */
export interface FoundInJson {
  readonly dependencies: Dependency[];
  readonly definitions: Definition[];
  readonly problems: Problem[];
}

/**
 * bun keeps its catalogs in the package.json of the workspace, at the top or in `workspaces`:
 *
 *     "workspaces": { "catalog": { "react": "^19.0.0" }, "catalogs": { "old": { "react": "^18.3.1" } } }
 */
export function readJsonCatalogs(name: JsonString, value: JsonValue, found: FoundInJson): void {
  if (name.text === 'catalog') readJsonCatalog('default', value, found);
  else if (name.text === 'catalogs') {
    for (const it of propertiesOf(value)) {
      found.definitions.push(...nameDefinition(it.name));
      readJsonCatalog(it.name.text, it.value, found);
    }
  } else if (name.text === 'workspaces') {
    for (const it of propertiesOf(value)) {
      if (it.value && it.name.text.startsWith('catalog')) readJsonCatalogs(it.name, it.value, found);
    }
  }
}

function readJsonCatalog(catalog: string, section: JsonValue | undefined, found: FoundInJson): void {
  for (const property of propertiesOf(section)) {
    const value = requirementOf(property, found);
    if (!value) continue;
    const { name } = property;
    const entry = readCatalogEntry(catalog, name.text, name.span, jsonSpecifierText(value));
    found.dependencies.push(entry.dependency);
    found.definitions.push(entry.definition);
  }
}

/** The value of a property that names a package. Without one there is a problem, unless it is half typed. */
export function requirementOf({ name, value }: JsonProperty, found: FoundInJson): JsonString | undefined {
  if (value?.kind === 'string' && name.text !== '') return value;
  if (value?.kind === 'string') found.problems.push({ span: name.span, message: 'no package is named here' });
  else if (value) found.problems.push({ span: value.span, message: `the version of ${name.text} should be a string` });
  return undefined;
}

/** A string, or the part of it from `start` to `end`, for `readSpecifier`. */
export function jsonSpecifierText(value: JsonString, start = 0, end = value.text.length): SpecifierText {
  return {
    text: value.text.slice(start, end),
    literal: (from, to) => jsonLiteral(value, start + from, start + to),
    span: (from, to) => jsonSpan(value, start + from, start + to),
  };
}

/** An entry of a catalog: a version with a name that the members of a workspace refer to as `catalog:`. */
export interface CatalogEntry {
  readonly dependency: Dependency;
  readonly definition: Definition;
}

/**
 * Reads an entry of pnpm's, yarn's or bun's catalogs.
 *
 *     catalogs:
 *       legacy:
 *         react: ^17.0.2      catalog:legacy/react
 *
 * @param called the catalog: `default` for the one without a name
 */
export function readCatalogEntry(called: string, name: string, nameSpan: Span, value: SpecifierText): CatalogEntry {
  const catalog = truncate(called);
  const { name: meant, requirement, frozen } = readSpecifier(name, value);
  const key = { system: 'NPM', name: meant } as const;
  const definition: Definition = {
    id: `catalog:${catalog}/${name}`,
    span: nameSpan,
    value: requirement,
    ...(meant !== name && { key }),
    ...(frozen !== undefined && { frozen }),
  };
  const dependency: Dependency = {
    key,
    name,
    nameSpan,
    requirement,
    scope: 'runtime',
    group: groupOf(catalog),
    ...(frozen !== undefined && { frozen }),
  };
  return { dependency, definition };
}

/** The name of a catalog, which `catalog:` has where it is not the default one. */
function nameDefinition({ text, span }: { readonly text: string; readonly span: Span }): readonly Definition[] {
  return text === 'default' ? [] : [{ id: catalogNameId(text), span, value: { kind: 'none' } }];
}

/** The name of a catalog in `Dependency.group`. */
function groupOf(catalog: string): string {
  return catalog === 'default' ? 'catalog' : `catalogs ${catalog}`;
}

/**
 * The roots of a workspace that has the file as a member: their package.json decides about overrides, and has the
 * catalogs of bun. That of Deno stands beside its deno.json.
 */
export const workspaceRoots: readonly FileRef[] = ['package.json', 'deno.json', 'deno.jsonc'].map((path) => ({
  kind: 'workspace',
  path,
  format: path === 'package.json' ? 'package.json' : 'deno.json',
  upward: 'parent',
  lists: true,
}));

/** pnpm's settings, whose overrides and patches concern all members. */
export const pnpmSettings: FileRef = {
  kind: 'workspace',
  path: 'pnpm-workspace.yaml',
  format: 'pnpm-workspace.yaml',
  upward: 'self',
};

/** Where yarn's catalogs are. */
export const yarnSettings: FileRef = { kind: 'workspace', path: '.yarnrc.yml', format: '.yarnrc.yml', upward: 'self' };
