import * as l10n from '@vscode/l10n';
import { truncate } from '../../base/text.ts';
import { pom } from '../../ecosystems/maven/pom.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import { versionId } from '../../model/keys.ts';
import type { Dependency, Manifest, Requirement } from '../../model/manifest.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import { Definitions, type Found, type Gap, isGap, MAX_REFERENCE_DEPTH } from './definitions.ts';
import { type Bom, first, highest, importedBoms, type Managed } from './imported-boms.ts';
import { type LinkScope, linkDependency } from './linker.ts';

/** Reads a published POM as far as it is known now; never waits. `named`: who asks for it, in this version. */
export type ReadPom = (named: LinkedDependency, version: string) => Manifest | Gap;

/** Parents of parents: real chains stay below 8, and one that goes round in a circle ends here at the latest. */
const mostParents = 16;

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
  const plain = isPublished ? new Definitions(all) : lookup.definitions;
  const parents = new Set(all.flatMap((it) => (it.published ? [it.published.key.name] : [])));
  const named = {
    ...lookup,
    missing,
    parents,
    definitions: plain.withFallback((id) => (isPropertyOrManaged(id) ? gap : undefined)),
  };
  let boms: readonly Bom[] | undefined;

  function find(id: string): Found | Gap | undefined {
    if (gap && isPropertyOrManaged(id)) return gap;
    const parent = all.at(-1)?.published;
    if (parent && id.startsWith('plugin:')) return { kind: 'plugins', pom: spelt(parent.key) };
    if (!id.startsWith('managed:')) return undefined;
    boms ??= billsOf(all, named, read, known);
    return files[0]?.format.id === pom.id ? first(boms, id) : highest(boms, id);
  }

  return { ...named, definitions: plain.withFallback(find) };
}

function isPropertyOrManaged(id: string): boolean {
  return id.startsWith('property:') || id.startsWith('managed:');
}

interface WithParents {
  readonly all: readonly ParsedManifest[];
  /** Why there are no more of them, where there should be. */
  readonly gap?: Gap;
  /** Parents that were found among published ones are missing no longer. */
  readonly missing: readonly string[];
}

function withParents(files: readonly ParsedManifest[], lookup: LinkScope, read: ReadPom): WithParents {
  const all = [...files];
  const identities = new Set(lookup.identities);
  let { missing } = lookup;
  for (let depth = 0; depth < mostParents; depth++) {
    const child = all.at(-1);
    const dependency = child?.manifest.dependencies.find((it) => it.inherits?.as === 'parent');
    if (child === undefined || dependency === undefined) break;
    const named = linkDependency(dependency, child.uri, { ...lookup, identities });
    // It is a file at hand, or goes round in a circle; or nobody can say which version is meant.
    if (named.requirement.kind === 'source') break;
    missing = missing.filter((it) => it !== named.key.name);
    const parent = published(named, child, read);
    if (isGap(parent)) return { all, gap: parent, missing };
    all.push(parent);
    identities.add(parent.manifest.identity);
  }
  return { all, missing };
}

function billsOf(
  files: readonly ParsedManifest[],
  lookup: LinkScope,
  read: ReadPom,
  known: Map<string, Bom>,
): readonly Bom[] {
  return importedBoms(files).flatMap(({ file, dependency }): Bom[] => {
    const linked = linkDependency(renamed(dependency), file.uri, lookup);
    const own = lookup.boms.find(([it]) => it?.manifest.identity === linked.key.name);
    // What a file at hand says of itself is known already. A published parent may be imported in another version.
    if (own === undefined && lookup.identities.has(linked.key.name)) return [];
    const plugin = dependency.inherits?.name === undefined ? undefined : dependency.name;
    const overriding = dependency.inherits?.overridable ? files.map(propertiesOf) : [];
    const { requirement } = linked;
    const id =
      own?.[0]?.uri ??
      (requirement.kind === 'text' ? versionId({ ...linked.key, version: requirement.text }) : undefined);
    const before = id === undefined || overriding.length > 0 ? undefined : known.get(id);
    const open = (): readonly ParsedManifest[] | Gap => own ?? alone(published(linked, file, read, plugin));
    const bom = before ?? createBill(open, { overriding, boms: lookup.boms }, read, known);
    if (id !== undefined && overriding.length === 0) known.set(id, bom);
    return [bom];
  });
}

function alone(parsed: ParsedManifest | Gap): readonly ParsedManifest[] | Gap {
  return isGap(parsed) ? parsed : [parsed];
}

function propertiesOf({ uri, manifest }: ParsedManifest): ParsedManifest {
  const definitions = manifest.definitions.filter((it) => it.id.startsWith('property:') && !it.member);
  return { uri, format: pom, manifest: { definitions, dependencies: [], references: [], problems: [] } };
}

/** The dependency that is meant, where a plugin stands for it. */
function renamed(dependency: Dependency): Dependency {
  const name = dependency.inherits?.name;
  if (name === undefined) return dependency;
  const { nameParts: _, ...own } = dependency;
  return { ...own, name, key: { ...own.key, name } };
}

/**
 * A BOM understands its references by itself and its parents alone: no property of who imports it counts, but for those
 * of `overriding`.
 */
function createBill(
  open: () => readonly ParsedManifest[] | Gap,
  { overriding, boms }: { readonly overriding: readonly ParsedManifest[] } & Pick<LinkScope, 'boms'>,
  read: ReadPom,
  known: Map<string, Bom>,
): Bom {
  const found = new Map<string, Managed | Gap | undefined>();
  const overridden = new Definitions(overriding);
  let lookup: LinkScope | Gap | undefined;

  function look(id: string): Managed | Gap | undefined {
    lookup ??= lookupIn(open());
    if (isGap(lookup)) return lookup;
    const { definitions } = lookup;
    const it = definitions.get(id);
    if (it === undefined) return definitions.gap(id);
    const { span, value } = it.definition;
    const linked = definitions.textOf({ kind: 'reference', to: { id, label: id }, span });
    if (linked?.kind === 'text') {
      const scope = it.definition.scope && definitions.join(it.definition.scope);
      const said = { ...(scope?.kind === 'text' && { scope: [scope.text] }) };
      const managed = (at: Found): Managed => ({
        ...at,
        definition: { ...at.definition, ...said },
        version: linked.text,
      });
      // A property of the importing file may be moved there, as any other.
      if (value.kind === 'reference' && overridden.get(value.to.id)) return managed(it);
      const plain: Requirement = { kind: 'template', parts: [linked.text], span };
      return managed(endOf(it, definitions) ?? { ...it, definition: { ...it.definition, value: plain } });
    }
    const pom = it.published ? spelt(it.published.key) : it.uri;
    const label = linked?.missing.label ?? id;
    return (linked && definitions.gap(linked.missing.id)) ?? withheld(pom, l10n.t('it does not define {0}', label));
  }

  function lookupIn(opened: readonly ParsedManifest[] | Gap): LinkScope | Gap {
    if (isGap(opened)) return opened;
    const files = [...overriding, ...opened];
    const own: LinkScope = {
      definitions: new Definitions(files),
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
        // While it is being looked for there is nothing: that ends a circle of BOMs.
        found.set(id, undefined);
        found.set(id, look(id));
      }
      return found.get(id);
    },
  };
}

/** What an edit would touch, in a BOM of the workspace; or that it is the version of the project itself. */
function endOf(found: Found, definitions: Definitions): Found | undefined {
  let at: Found | undefined = found;
  for (let depth = 0; at && !at.definition.member && depth < MAX_REFERENCE_DEPTH; depth++) {
    const value: Requirement = at.definition.value;
    if (value.kind === 'literal') return at;
    at = value.kind === 'reference' ? definitions.get(value.to.id) : undefined;
  }
  return at?.definition.member === undefined ? undefined : at;
}

/** @param name what the file calls what it names */
function published(
  named: LinkedDependency,
  from: ParsedManifest,
  read: ReadPom,
  name = named.key.name,
): ParsedManifest | Gap {
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
  // Where its version stands in a file at hand, that is what moves it; else what brought it along.
  const through = requirement.place === undefined ? (from.published?.through ?? name) : name;
  const uri = `package-insights:/${key.system}/${encodeURI(key.name)}/${encodeURI(version.version)}`;
  return { uri, format: pom, manifest, published: { key: version, through } };
}

function withheld(pom: string, reason: string): Gap {
  return { kind: 'withheld', pom: truncate(pom), reason };
}

function spelt({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name} ${version}`;
}
