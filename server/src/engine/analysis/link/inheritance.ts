import * as l10n from '@vscode/l10n';
import { truncate } from '../../base/text.ts';
import { pom } from '../../ecosystems/maven/pom.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import { versionId } from '../../model/keys.ts';
import type { Dependency, Manifest, Requirement } from '../../model/manifest.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import { type DefinitionGap, Definitions, type FoundDefinition, isGap, MAX_REFERENCE_DEPTH } from './definitions.ts';
import {
  type Bom,
  findFirstManaged,
  findHighestManaged,
  findOnlyManaged,
  type ImportedBom,
  importedBoms,
  type ManagedDefinition,
  possibleBoms,
} from './imported-boms.ts';
import { linkDependency } from './linker.ts';
import type { LinkScope } from './scope.ts';

/** Returns a published POM if it is known; never waits. `named`: the dependency on it. */
export type ReadPom = (named: LinkedDependency, version: string) => Manifest | DefinitionGap;

/** Depth of published parents. Real chains stay below 8; a circle ends here. */
const MAX_PARENTS = 16;

/**
 * Adds to the definitions of some files those of their published parents, and behind them what is managed by the BOMs
 * that files and parents import. A BOM is read once something is looked for that nothing nearer defines.
 *
 * Source: Maven, “Introduction to the Dependency Mechanism”: what is managed in so many words, in the project or in a
 * parent, counts before what is imported; of the imported BOMs the first counts, the project's own before its parents'.
 * @param lookup what the files define, with no word of what is published
 */
export function inherit(files: readonly ParsedManifest[], lookup: LinkScope, read: ReadPom): LinkScope {
  return inheritWith(files, lookup, read, new Map());
}

function inheritWith(
  files: readonly ParsedManifest[],
  lookup: LinkScope,
  read: ReadPom,
  known: Map<string, Bom>,
): LinkScope {
  if (!files.some(({ manifest }) => manifest.dependencies.some((it) => it.inherits))) return lookup;
  const { all, gap, missing } = withParents(files, lookup, read);
  const isPublished = all.length > files.length;
  const plain = isPublished ? Definitions.under(lookup.options, all) : lookup.definitions;
  const parents = new Set(all.flatMap((it) => (it.published ? [it.published.key.name] : [])));
  const named = {
    ...lookup,
    missing,
    parents,
    definitions: plain.withFallback((id) => (isPropertyOrManaged(id) ? gap : undefined)),
  };
  let boms: readonly Bom[] | undefined;
  let possible: readonly Bom[] | undefined;

  function find(id: string): FoundDefinition | DefinitionGap | undefined {
    if (gap && isPropertyOrManaged(id)) return gap;
    const parent = all.at(-1)?.published;
    if (parent && id.startsWith('plugin:')) return { kind: 'plugins', pom: nameAndVersion(parent.key) };
    // No platform manages plugins.
    if (!id.startsWith('managed:') || id.endsWith('.gradle.plugin')) return undefined;
    boms ??= bomsOf(importedBoms(all), all, named, read, known);
    if (files[0]?.format.id === pom.id) return findFirstManaged(boms, id);
    const found = findHighestManaged(boms, id);
    if (found) return found;
    possible ??= bomsOf(possibleBoms(all), all, named, read, known);
    return findOnlyManaged(possible, id);
  }

  return { ...named, definitions: plain.withFallback(find) };
}

function isPropertyOrManaged(id: string): boolean {
  return id.startsWith('property:') || id.startsWith('managed:');
}

interface FilesWithParents {
  readonly all: readonly ParsedManifest[];
  /** Why a further parent is missing. */
  readonly gap?: DefinitionGap;
  /** Without parents that were found among the published ones. */
  readonly missing: readonly string[];
}

function withParents(files: readonly ParsedManifest[], lookup: LinkScope, read: ReadPom): FilesWithParents {
  const all = [...files];
  const identities = new Set(lookup.identities);
  let { missing } = lookup;
  for (let depth = 0; depth < MAX_PARENTS; depth++) {
    const child = all.at(-1);
    const dependency = child?.manifest.dependencies.find((it) => it.inherits?.as === 'parent');
    if (child === undefined || dependency === undefined) break;
    const named = linkDependency(dependency, child.uri, { ...lookup, identities });
    // It is a file of the chain, a circle, or its version is unknown.
    if (named.requirement.kind === 'source') break;
    missing = missing.filter((it) => it !== named.key.name);
    const parent = readPublished(named, child, read);
    if (isGap(parent)) return { all, gap: parent, missing };
    all.push(parent);
    identities.add(parent.manifest.identity);
  }
  return { all, missing };
}

function bomsOf(
  imported: readonly ImportedBom[],
  files: readonly ParsedManifest[],
  lookup: LinkScope,
  read: ReadPom,
  known: Map<string, Bom>,
): readonly Bom[] {
  return imported.flatMap(({ file, dependency }): Bom[] => {
    const linked = linkDependency(asBomDependency(dependency), file.uri, lookup);
    const own = lookup.boms.find(([it]) => it?.manifest.identity === linked.key.name);
    // A file of the chain is already known. A published parent may be imported in another version.
    if (own === undefined && lookup.identities.has(linked.key.name)) return [];
    const plugin = dependency.inherits?.name === undefined ? undefined : dependency.name;
    const overriding = dependency.inherits?.overridable ? files.map(propertiesOf) : [];
    const { requirement } = linked;
    const id =
      own?.[0]?.uri ??
      (requirement.kind === 'text' ? versionId({ ...linked.key, version: requirement.text }) : undefined);
    const before = id === undefined || overriding.length > 0 ? undefined : known.get(id);
    const open = (): readonly ParsedManifest[] | DefinitionGap =>
      own ?? asFiles(readPublished(linked, file, read, plugin));
    const bom = before ?? createBom(open, { ...lookup, overriding }, read, known);
    if (id !== undefined && overriding.length === 0) known.set(id, bom);
    return [bom];
  });
}

/**
 * What a published parent or BOM manages in one version, by the id of the definition: `managed:org.yaml:snakeyaml`.
 * @param named the dependency on it, or the plugin that brings it
 */
export function managedVersions(
  { key, dependency, ...linked }: LinkedDependency,
  version: string,
  read: ReadPom,
): Bom['find'] {
  const named = { ...linked, dependency, key: { ...key, name: dependency.inherits?.name ?? key.name } };
  const open = (): readonly ParsedManifest[] | DefinitionGap => {
    const manifest = read(named, version);
    if (isGap(manifest)) return manifest;
    const published = { key: { ...named.key, version }, through: named.key.name, named };
    return [{ uri: '', format: pom, manifest, published }];
  };
  return createBom(open, { overriding: [], boms: [] }, read, new Map()).find;
}

function asFiles(parsed: ParsedManifest | DefinitionGap): readonly ParsedManifest[] | DefinitionGap {
  return isGap(parsed) ? parsed : [parsed];
}

function propertiesOf({ uri, manifest }: ParsedManifest): ParsedManifest {
  const definitions = manifest.definitions.filter((it) => it.id.startsWith('property:') && !it.member);
  return { uri, format: pom, manifest: { definitions, dependencies: [], references: [], problems: [] } };
}

/** The dependency on the BOM that a plugin brings. */
function asBomDependency(dependency: Dependency): Dependency {
  const name = dependency.inherits?.name;
  if (name === undefined) return dependency;
  const { nameParts: _, ...own } = dependency;
  return { ...own, name, key: { ...own.key, name } };
}

/**
 * A BOM resolves references by itself and its parents: properties of the importing file do not apply, except those in
 * `overriding` and in the options of the build.
 */
function createBom(
  open: () => readonly ParsedManifest[] | DefinitionGap,
  {
    overriding,
    boms,
    options,
  }: { readonly overriding: readonly ParsedManifest[] } & Pick<LinkScope, 'boms' | 'options'>,
  read: ReadPom,
  known: Map<string, Bom>,
): Bom {
  const found = new Map<string, ManagedDefinition | DefinitionGap | undefined>();
  const overridden = new Definitions(overriding);
  let lookup: LinkScope | DefinitionGap | undefined;

  function look(id: string): ManagedDefinition | DefinitionGap | undefined {
    lookup ??= lookupIn(open());
    if (isGap(lookup)) return lookup;
    const { definitions } = lookup;
    const it = definitions.get(id);
    if (it === undefined) return definitions.gapFor(id);
    const { span, value } = it.definition;
    const linked = definitions.textOf({ kind: 'reference', to: { id, label: id }, span });
    if (linked?.kind === 'text') {
      const scope = it.definition.scope && definitions.join(it.definition.scope);
      const said = { ...(scope?.kind === 'text' && { scope: [scope.text] }) };
      const managed = (at: FoundDefinition): ManagedDefinition => ({
        ...at,
        definition: { ...at.definition, ...said },
        version: linked.text,
      });
      // A property of the importing file can be edited there like any other.
      if (value.kind === 'reference' && overridden.get(value.to.id)) return managed(it);
      const plain: Requirement = { kind: 'template', parts: [linked.text], span };
      return managed(editableDefinition(it, definitions) ?? { ...it, definition: { ...it.definition, value: plain } });
    }
    const pom = it.published ? nameAndVersion(it.published.key) : it.uri;
    const label = linked?.missing.label ?? id;
    return (linked && definitions.gapFor(linked.missing.id)) ?? withheld(pom, l10n.t('it does not define {0}', label));
  }

  function lookupIn(opened: readonly ParsedManifest[] | DefinitionGap): LinkScope | DefinitionGap {
    if (isGap(opened)) return opened;
    const files = [...overriding, ...opened];
    const own: LinkScope = {
      definitions: Definitions.under(options, files),
      ...(options && { options }),
      constraints: new Definitions([]),
      missing: [],
      boms,
      identities: new Set(opened.map((it) => it.manifest.identity)),
    };
    return inheritWith(files, own, read, known);
  }

  return {
    find(id) {
      if (!found.has(id)) {
        // Undefined during the search: that ends a circle of BOMs.
        found.set(id, undefined);
        found.set(id, look(id));
      }
      return found.get(id);
    },
  };
}

/** The definition to edit in a BOM of the workspace, or the version of the project itself. */
function editableDefinition(found: FoundDefinition, definitions: Definitions): FoundDefinition | undefined {
  let at: FoundDefinition | undefined = found;
  for (let depth = 0; at && !at.definition.member && depth < MAX_REFERENCE_DEPTH; depth++) {
    const value: Requirement = at.definition.value;
    if (value.kind === 'literal') return at;
    at = value.kind === 'reference' ? definitions.get(value.to.id) : undefined;
  }
  return at?.definition.member === undefined ? undefined : at;
}

/** @param name the name in the file */
function readPublished(
  named: LinkedDependency,
  from: ParsedManifest,
  read: ReadPom,
  name = named.key.name,
): ParsedManifest | DefinitionGap {
  const { requirement, key } = named;
  if (requirement.kind === 'pending') return requirement;
  if (requirement.kind === 'source') return withheld(key.name, l10n.t('it does not come from a registry'));
  const pinned = requirement.kind === 'text' ? versioning[key.system].read(requirement.text) : undefined;
  if (requirement.kind !== 'text' || pinned?.kind !== 'pin') {
    return withheld(key.name, l10n.t('its version is not known'));
  }
  const version = { ...key, version: pinned.version };
  const manifest = read(named, pinned.version);
  if (isGap(manifest)) return manifest;
  // If the version is written in the workspace, an update of it changes this one; otherwise an update of what includes
  // it.
  const through = requirement.place === undefined ? (from.published?.through ?? name) : name;
  const uri = `package-insights:/${key.system}/${encodeURI(key.name)}/${encodeURI(version.version)}`;
  const published = { key: version, through, named, ...(from.published && { includedBy: from.published }) };
  return { uri, format: pom, manifest, published };
}

function withheld(pom: string, reason: string): DefinitionGap {
  return { kind: 'withheld', pom: truncate(pom), reason };
}

function nameAndVersion({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name} ${version}`;
}
