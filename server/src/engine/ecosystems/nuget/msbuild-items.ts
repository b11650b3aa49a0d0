import type { XmlElement } from '../../formats/xml/tree.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Definition, Dependency, Requirement, Scope } from '../../model/manifest.ts';
import type { Literal, Problem } from '../../model/span.ts';
import { centralId, partsOf, requirementOf } from './msbuild-values.ts';
import { attributeValue, bothConditions, entriesOf, metadataOf, type Value } from './msbuild-xml.ts';

/** The facts that the elements around an item state. */
export interface Within {
  readonly condition?: string;
  /** Set in a target, whose items count only when it runs. */
  readonly target?: string;
}

export interface Found {
  readonly dependencies: Dependency[];
  readonly definitions: Definition[];
  readonly problems: Problem[];
}

interface ItemKind {
  /** The item's name as people write it, where it is not the usual `PackageReference`. */
  readonly group?: string;
  readonly scope: Scope;
  /** `VersionOverride` wins over the central version. */
  readonly versions: readonly string[];
  /** Without a version, the central one is meant. */
  readonly central?: true;
  /** Several versions in one value. */
  readonly list?: true;
}

/** The items that name packages, by their names in lower case. */
const itemKinds: ReadonlyMap<string, ItemKind> = new Map([
  ['packagereference', { scope: 'runtime', versions: ['versionoverride', 'version'], central: true }],
  ['packageversion', { group: 'PackageVersion', scope: 'runtime', versions: ['version'] }],
  ['globalpackagereference', { group: 'GlobalPackageReference', scope: 'dev', versions: ['version'] }],
  ['packagedownload', { group: 'PackageDownload', scope: 'build', versions: ['version'], list: true }],
  ['dotnetclitoolreference', { group: 'DotNetCliToolReference', scope: 'build', versions: ['version'] }],
] satisfies [string, ItemKind][]);

export function isPackageItem(name: string): boolean {
  return itemKinds.has(name.toLowerCase());
}

/**
 * Reads one item: as many dependencies as it includes packages and states versions.
 *
 *     <PackageReference Include="A;B" Version="1.0" />
 *                                ^ ^           ^^^      two dependencies, one literal
 */
export function readItem(source: string, item: XmlElement, within: Within, found: Found): void {
  const kind = itemKinds.get(item.name.toLowerCase());
  if (!kind) return;
  const include = attributeValue(source, item, 'include');
  const names = include ?? attributeValue(source, item, 'update');
  // `Remove` takes items away, and has no versions.
  if (!names) return;
  const versions = versionsOf(source, item, kind);
  // An update without a version changes only how the assets of a package are used.
  if (!include && versions.length === 0) return;

  const scope = kind.scope === 'runtime' ? scopeOf(source, item) : kind.scope;
  const group = within.target === undefined ? kind.group : `target ${within.target}`;
  // Before there was central management, `Update` in a file that all projects import served the same end.
  const defines = kind.group === 'PackageVersion' || !include;
  const seen = new Set<string>();
  for (const name of entriesOf(source, names)) {
    const parts = nameParts(name.text);
    const canonical = canonicalName('NUGET', name.text);
    // Only a build knows the items of a list, and what a function makes.
    if (!parts && /[@%$]\(/.test(name.text)) found.problems.push({ span: name.span, message: 'names no package' });
    // A repeated name is one dependency with one version.
    if (!parts || seen.has(canonical)) continue;
    seen.add(canonical);
    const common = {
      key: { system: 'NUGET', name: canonical },
      name: name.text,
      nameSpan: name.span,
      ...(parts.length > 1 || typeof parts[0] !== 'string' ? { nameParts: parts } : {}),
      scope,
      ...(group !== undefined && { group }),
    } as const;
    if (versions.length === 0) {
      const requirement = kind.central ? central(name) : ({ kind: 'none' } as const);
      found.dependencies.push({ ...common, requirement, ...optional(within.condition) });
    }
    for (const { requirement, blank, condition } of versions) {
      if (found.dependencies.length >= MAX_DEPENDENCIES) return;
      const when = optional(bothConditions(within.condition, condition));
      found.dependencies.push({ ...common, requirement, ...(blank && { blank }), ...when });
      if (defines) found.definitions.push({ id: centralId(name.text), span: name.span, value: requirement, ...when });
    }
  }
}

/** Names times versions may be more than memory holds. A file of a thousand packages is a large one. */
const MAX_DEPENDENCIES = 50_000;

interface Version {
  readonly requirement: Requirement;
  readonly blank?: Literal;
  readonly condition?: string;
}

function versionsOf(source: string, item: XmlElement, kind: ItemKind): readonly Version[] {
  for (const name of kind.versions) {
    const values = metadataOf(source, item, name);
    if (values.length === 0) continue;
    const entries = kind.list ? values.flatMap((it) => entriesOf(source, it)) : values;
    return entries.map((it) => ({
      requirement: requirementOf(it),
      ...(it.text === '' && it.literal && { blank: it.literal }),
      ...optional(it.condition),
    }));
  }
  return [];
}

function central(name: Value): Requirement {
  return { kind: 'reference', to: { id: centralId(name.text), label: 'Directory.Packages.props' }, span: name.span };
}

/** NuGet's package ids: at most 100 word characters, with dots and hyphens between them. */
const packageId = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u;

/** Looked for, since to match all else takes the stack along, and a file may hold megabytes. */
const neverInId = /[^\p{L}\p{N}_.-]/u;

/** The name as text and properties; undefined where it can name no package, as a list of items or a half-typed value. */
function nameParts(name: string): ReturnType<typeof partsOf> | undefined {
  if (packageId.test(name)) return [name];
  const parts = partsOf(name);
  const isName = parts.every((it) =>
    typeof it === 'string' ? it !== '' && !neverInId.test(it) : it.id.startsWith('property:'),
  );
  return isName ? parts : undefined;
}

function optional(condition: string | undefined): { readonly condition?: string } {
  return condition === undefined ? {} : { condition };
}

/**
 * A package's assets determine its scope: one that gives neither its assemblies to the compiler nor to the
 * program is part of the build, and one whose assets stay private is a tool of this project alone.
 */
function scopeOf(source: string, item: XmlElement): Scope {
  const assets = (name: string) => {
    const [value] = metadataOf(source, item, name);
    return value && new Set(value.text.toLowerCase().split(/[;,\s]+/));
  };
  const included = assets('includeassets');
  const excluded = assets('excludeassets');
  const has = (name: string) =>
    (included === undefined || included.has(name) || included.has('all')) &&
    !excluded?.has(name) &&
    !excluded?.has('all');
  if (!has('compile') && !has('runtime')) return 'build';
  return assets('privateassets')?.has('all') ? 'dev' : 'runtime';
}
