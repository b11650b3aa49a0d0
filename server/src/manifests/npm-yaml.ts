import type { Definition, Dependency, Requirement } from '../model/manifest.ts';
import type { Problem } from '../model/span.ts';
import { type YamlScalar, yamlLiteral, yamlSpan } from '../text/yaml-scalar.ts';
import { entriesOf, resolved, type YamlAlias, type YamlEntry, type YamlValue } from '../text/yaml-tree.ts';
import { readCatalogEntry } from './npm-catalog.ts';
import { readSpecifier, type SpecifierText } from './npm-specifier.ts';

/** What has been read of a YAML file so far. */
export interface FoundInYaml {
  readonly dependencies: Dependency[];
  readonly definitions: Definition[];
  readonly problems: Problem[];
  /** The anchors that definitions stand for already. */
  readonly anchors: Set<string>;
}

export function nothingFound(problems: readonly Problem[]): FoundInYaml {
  return { dependencies: [], definitions: [], problems: [...problems], anchors: new Set() };
}

/** A name in a YAML file and the version that stands behind it. */
export interface NamedVersion {
  readonly name: YamlScalar;
  readonly value: SpecifierText;
  /** Where the version stands elsewhere in the file: `*react`. */
  readonly alias?: YamlAlias;
  /** It was read where it stands, in the map that is merged here. */
  readonly merged: boolean;
}

/** `catalog:`, or one of `catalogs:`. */
export function readCatalog(catalog: string, section: YamlValue | undefined, found: FoundInYaml): void {
  for (const it of versionsIn(section, `the catalog ${catalog}`, found)) {
    const { dependency, definition } = readCatalogEntry(catalog, it.name.text, it.name.span, it.value);
    if (!it.merged) found.dependencies.push(throughAlias(dependency, it.alias, found));
    found.definitions.push({ ...definition, value: valueThroughAlias(definition.value, it.alias) });
  }
}

/** `catalogs:`, each with its name. */
export function readCatalogs(section: YamlValue | undefined, found: FoundInYaml): void {
  for (const { key, value } of entriesOf(section)) readCatalog(key.text, value, found);
}

/** The entries that have a name and a version; what is neither, nor about to become one, is a problem. */
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
  } else if (version && version.text !== '') {
    const alias = value?.kind === 'alias' ? { alias: value } : {};
    return [{ name: key, value: specifierText(version), merged: merged === true, ...alias }];
  }
  return [];
}

/** A scalar for `readSpecifier`. */
function specifierText(scalar: YamlScalar): SpecifierText {
  return {
    text: scalar.text,
    literal: (from, to) => yamlLiteral(scalar, from, to),
    span: (from, to) => yamlSpan(scalar, from, to),
  };
}

/**
 * A dependency whose version stands at an anchor refers to it, so that an edit says what else it moves.
 *
 *     react: &react ^18.2.0
 *     react-dom: *react
 *                ^^^^^^
 */
export function throughAlias(dependency: Dependency, alias: YamlAlias | undefined, found: FoundInYaml): Dependency {
  const target = alias?.target;
  if (target?.kind !== 'scalar') return dependency;
  const { requirement: value } = readSpecifier(dependency.name, specifierText(target));
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
