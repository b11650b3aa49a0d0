import * as l10n from '@vscode/l10n';
import { truncate } from '../../base/text.ts';
import { isModule, readNotation } from '../../ecosystems/gradle/arguments.ts';
import { PLACEHOLDER, placeholderIds } from '../../ecosystems/gradle/files/placeholders.ts';
import { catalogIds, isManagedVersion } from '../../ecosystems/gradle/values.ts';
import { narrowScope } from '../../ecosystems/maven/pom-artifacts.ts';
import { narrowedBuildId, narrowedId } from '../../ecosystems/shared/project-rules.ts';
import { areFieldsRead } from '../../ecosystems/workspace-clients.ts';
import type { EffectiveRequirement, LinkedDependency, Place, Published } from '../../model/evaluated-dependency.ts';
import { canonicalName, type PackageKey, packageId } from '../../model/keys.ts';
import type { DefinitionRef, Dependency, Requirement, Scope } from '../../model/manifest.ts';
import { type Claim, type ManifestChain, type ParsedManifest, usedByBuild } from '../../model/manifest-chain.ts';
import type { Literal, Span } from '../../model/span.ts';
import { type Alternatives, createAlternatives, withTruncatedTexts } from './alternatives.ts';
import { contestedField, contestOf, possibleClaims } from './claims.ts';
import { type DefinitionGap, Definitions, MAX_REFERENCE_DEPTH, MAX_REQUIREMENT_LENGTH } from './definitions.ts';
import { createJoin } from './joined-lines.ts';
import { withLeading } from './leading-version.ts';
import { createPeerRules } from './peers.ts';
import { createPlatform } from './platform.ts';
import { createProjectRules, withoutUnreadRules } from './project-rules.ts';
import type { LinkScope } from './scope.ts';

/**
 * Follows the references of the first file of a chain, one dependency at a time.
 * @param inherited adds what published files define, where any takes part
 */
export function createLinker(
  chain: ManifestChain,
  inherited?: (files: readonly ParsedManifest[], lookup: LinkScope) => LinkScope,
): (dependency: Dependency) => Alternatives {
  const lookup = linkScopeOf(chain, inherited);
  const [document] = chain.files;
  const uri = document?.uri ?? '';
  const withRules = createProjectRules(
    [...withoutUnreadRules(chain.files), ...chain.constraints],
    lookup.lockfiles ?? [],
    lookup.client,
    chain,
  );
  const prepare = (it: Dependency): Dependency =>
    withTruncatedTexts(withRules(withReplacement(asWritten(it, lookup), lookup)));
  if (document?.format.record !== undefined)
    return (it) => [{ ...linkDependency(prepare(it), uri, lookup), isRecorded: true }];
  const alternatives = createAlternatives(document?.format, lookup);
  const withOthers = createJoin(chain.files, (it, file) => linkDependency(prepare(it), file.uri, lookup));
  const withPlatform = createPlatform(chain.files, lookup);
  const withInstaller = createPeerRules(document?.manifest, (it) => linkDependency(prepare(it), uri, lookup));
  return (declared) => {
    const dependency = prepare(declared);
    return alternatives(declared, dependency, (scope) =>
      withLeading(
        withOthers(withPlatform(withInstaller(linkDependency(dependency, uri, scope))), declared),
        chain.files,
      ),
    );
  };
}

/**
 * The definitions that the references of the first file of a chain resolve to.
 * @param inherited as in `createLinker`
 */
export function linkScopeOf(
  chain: ManifestChain,
  inherited?: (files: readonly ParsedManifest[], lookup: LinkScope) => LinkScope,
): LinkScope {
  const { boms = [], client = chain.files[0]?.manifest.client } = chain;
  const files = withoutUnreadRules(chain.files);
  const own: LinkScope = {
    definitions: Definitions.under(chain.options, files),
    ...(chain.options && { options: chain.options }),
    constraints: new Definitions(chain.constraints),
    missing: chain.missing,
    boms,
    ...(chain.members && { members: chain.members }),
    ...(chain.lockfiles && { lockfiles: chain.lockfiles }),
    ...(client && { client }),
    identities: new Set([...chain.files, ...boms.flatMap(([it]) => it ?? [])].map((it) => it.manifest.identity)),
  };
  return inherited?.(files, own) ?? own;
}

/** All dependencies of the first file of a chain, with their references followed. */
export function linkDependencies(
  chain: ManifestChain,
  inherited?: (files: readonly ParsedManifest[], lookup: LinkScope) => LinkScope,
): LinkedDependency[] {
  return (chain.files[0]?.manifest.dependencies ?? []).flatMap(createLinker(chain, inherited));
}

/** Without the local source that a field names which the client of the project does not read. */
function asWritten(dependency: Dependency, { lockfiles = [], client }: LinkScope): Dependency {
  if (dependency.written === undefined) return dependency;
  const { written, ...rest } = dependency;
  return areFieldsRead([written.by], lockfiles, client) === 'no'
    ? { ...rest, requirement: written.requirement }
    : dependency;
}

function withReplacement(dependency: Dependency, { definitions }: LinkScope): Dependency {
  const to = dependency.replacement?.find((it) => definitions.get(it.id) !== undefined);
  if (to === undefined) return dependency;
  const { frozen: _, ...own } = dependency;
  return { ...own, requirement: { kind: 'reference', to, span: spanOf(own) } };
}

/** A requirement written beside the name has no labels. */
const DIRECT: readonly string[] = [];

/** Follows the references of one dependency of a file. */
export function linkDependency(dependency: Dependency, uri: string, lookup: LinkScope): LinkedDependency {
  const { requirement, nameParts, key } = dependency;
  const name = nameParts && lookup.definitions.join(nameParts);
  const span = spanOf(dependency);
  if (name?.kind === 'missing')
    return { dependency, uri, key, span, requirement: unresolvedRequirement(name.missing, lookup) };
  const whole =
    name && key.system === 'MAVEN' && !isModule(name.text) ? withVersionOf(name.text, dependency) : undefined;
  if (whole) return linkDependency(whole, uri, lookup);
  // A name that is not composed of a group and an artifact is invalid, and must not be sent.
  if (name && key.system === 'MAVEN' && !isModule(name.text)) {
    const reason = l10n.t('its name does not resolve to a group and an artifact');
    return { dependency, uri, key, span, requirement: { kind: 'unresolved', reason } };
  }
  const named = name ? keyOfName(key, name.text) : key;
  const effectiveKey = name && !isMarker(name.text) ? named : (packageOf(requirement, lookup, named) ?? named);
  if (effectiveKey.name.length > MAX_REQUIREMENT_LENGTH) {
    const reason = l10n.t('the package name is too long');
    return { dependency, uri, key, span, requirement: { kind: 'unresolved', reason } };
  }
  const scope = scopeOf(dependency, lookup.definitions);
  const resolved: Dependency =
    effectiveKey === key && scope === dependency.scope
      ? dependency
      : // A person knows a package by its name, not by the references that it is put together from.
        { ...dependency, key: effectiveKey, scope, ...(name && { name: name.text }) };
  const { written } = dependency;
  if (written && areFieldsRead([written.by], lookup.lockfiles ?? [], lookup.client) === 'probably not') {
    const contested = contestedField(written.by);
    return {
      dependency,
      uri,
      key: effectiveKey,
      span,
      contested,
      requirement: { kind: 'source', source: 'workspace' },
    };
  }
  const all = requirement.kind === 'source' ? undefined : claimsOf(effectiveKey, resolved, lookup);
  const addresses = all?.flatMap((it) => it.address ?? []) ?? [];
  const claims = all && addresses.length > 0 ? all.filter((it) => it.address === undefined) : all;
  if (claims && (claims.length > 0 || addresses.length === 0)) {
    const own = { dependency: resolved, uri, key: effectiveKey, span };
    const required = resolveRequirement(requirement, { uri }, DIRECT, lookup);
    const contested = contestOf({ ...own, requirement: required }, claims, lookup.lockfiles ?? []);
    const from = { kind: 'source', source: 'workspace' } as const;
    return { ...own, requirement: from, ...(contested !== undefined && { contested }) };
  }
  const { isUnconstrained = false } = lookup;
  const constraint =
    dependency.constraint && !isUnconstrained ? constraintOf(dependency.constraint, lookup) : undefined;
  return {
    dependency:
      addresses.length === 0 ? resolved : { ...resolved, registries: [...(resolved.registries ?? []), ...addresses] },
    uri,
    key: effectiveKey,
    requirement: withPlaceholder(
      resolveRequirement(
        requirement,
        dependency.frozen === undefined ? { uri } : { uri, frozen: dependency.frozen },
        DIRECT,
        lookup,
      ),
      effectiveKey,
      uri,
      span,
      lookup,
    ),
    ...(constraint && { constraint }),
    ...(isForProjects(dependency, lookup) && { roleInBuild: 'library' as const }),
    span,
  };
}

/** Whether no script of the build uses a library of its catalog for the build itself; all of them have been read. */
function isForProjects({ accessors }: Dependency, { members }: LinkScope): boolean {
  if (accessors === undefined || members?.has(usedByBuild('')) !== true) return false;
  return !accessors.some((it) => members.has(usedByBuild(it)));
}

/** The version that a file of refreshVersions has in the place of a placeholder, or of the version that a plugin lacks. */
function withPlaceholder(
  requirement: EffectiveRequirement,
  { system, name }: PackageKey,
  uri: string,
  span: Span,
  lookup: LinkScope,
): EffectiveRequirement {
  const isPlaced = requirement.kind === 'text' && requirement.text === PLACEHOLDER;
  const isOpen = requirement.kind === 'unresolved' && name.endsWith('.gradle.plugin');
  if (system !== 'MAVEN' || !(isPlaced || isOpen)) return requirement;
  let first: string | undefined;
  for (const id of placeholderIds(name)) {
    const label = id.slice('property:'.length);
    if (lookup.definitions.get(id))
      return resolveRequirement({ kind: 'reference', to: { id, label }, span }, { uri }, DIRECT, lookup);
    first ??= label;
    if (isOpen) return requirement;
  }
  return { kind: 'unresolved', reason: l10n.t('no definition found for {0}', first ?? name) };
}

/** A dependency whose composed name is `group:artifact:version`. Undefined if its version is written elsewhere, too. */
function withVersionOf(text: string, dependency: Dependency): Dependency | undefined {
  const { requirement, nameParts: _, ...own } = dependency;
  const { name, version } = readNotation(text) ?? {};
  const isManaged = requirement.kind === 'reference' && requirement.to.id.startsWith('managed:');
  if (!isManaged || name === undefined || version === undefined) return undefined;
  const module = text.slice(name.start, name.end);
  return {
    ...own,
    key: { ...own.key, name: module },
    name: module,
    requirement: { kind: 'template', parts: [text.slice(version.start, version.end)], span: spanOf(dependency) },
  };
}

/**
 * Files of the chain and members of the workspace are not looked up. A parent or BOM is looked up although a member has
 * its name: the named version may be a published one.
 */
function claimsOf(
  key: PackageKey,
  { inherits }: Dependency,
  { identities, members, lockfiles }: LinkScope,
): readonly Claim[] | undefined {
  if (identities.has(key.name)) return NO_CLAIMS;
  const claims = inherits === undefined ? possibleClaims(members?.get(packageId(key)), lockfiles) : NO_CLAIMS;
  return claims.length > 0 ? claims : undefined;
}

const NO_CLAIMS: readonly Claim[] = [];

/** The package that a definition on the way names, if it differs from the dependency's, and that is none of the workspace. */
function packageOf(
  requirement: Requirement,
  { definitions, members }: LinkScope,
  named: PackageKey,
): PackageKey | undefined {
  if (isMarker(named.name) && members?.has(packageId(named))) return undefined;
  let at = requirement;
  for (let depth = 0; at.kind === 'reference' && depth < MAX_REFERENCE_DEPTH; depth++) {
    const definition = definitions.get(at.to.id)?.definition;
    if (definition === undefined || definition.key) return definition?.key;
    at = definition.value;
  }
  return undefined;
}

/** Whether a name stands for a plugin, whose artifact may have another one. */
function isMarker(name: string): boolean {
  return name.endsWith('.gradle.plugin');
}

function keyOfName({ system }: PackageKey, name: string): PackageKey {
  return { system, name: canonicalName(system, name) };
}

/** The position of a requirement while references are followed, and why it cannot be edited. */
interface RequirementSite {
  readonly uri: string;
  readonly definition?: string;
  readonly frozen?: string;
  readonly published?: Published;
}

/** Most requirements are written beside the name and can be edited. */
function placeOf({ uri, definition, frozen: reason }: RequirementSite, at: Literal): Place {
  if (definition === undefined && reason === undefined) return { uri, at };
  return { uri, at, ...(definition !== undefined && { definition }), ...(reason !== undefined && { frozen: reason }) };
}

function resolveRequirement(
  requirement: Requirement,
  site: RequirementSite,
  via: readonly string[],
  lookup: LinkScope,
): EffectiveRequirement {
  switch (requirement.kind) {
    case 'none':
      return { kind: 'any' };
    case 'source':
      return { kind: 'source', source: requirement.source };
    case 'literal': {
      if (requirement.at.text.length > MAX_REQUIREMENT_LENGTH) return tooLong();
      return { kind: 'text', text: requirement.at.text, place: placeOf(site, requirement.at), via };
    }
    case 'template': {
      const linked = lookup.definitions.join(requirement.parts);
      if (linked.kind === 'missing') return unresolvedRequirement(linked.missing, lookup);
      if (linked.text.length > MAX_REQUIREMENT_LENGTH) return tooLong();
      // Tools reject an empty version, and do not take the newest one instead.
      if (linked.text.trim() === '') return { kind: 'unresolved', reason: l10n.t('no version is specified') };
      return { ...linked, via, ...(site.published && { managedBy: site.published }) };
    }
    case 'reference': {
      const { to } = requirement;
      const found = lookup.definitions.get(to.id);
      if (!found) return unresolvedRequirement(to, lookup);
      const { member } = found.definition;
      if (member === true || (member !== undefined && !lookup.parents?.has(member)))
        return { kind: 'source', source: 'workspace' };
      if (via.length > MAX_REFERENCE_DEPTH)
        return { kind: 'unresolved', reason: l10n.t('{0} refers to itself', to.label) };
      // A reason not to edit the dependency, or a definition on the way, applies to the literal at the end.
      const reason = site.frozen ?? found.definition.frozen;
      const next: RequirementSite = {
        uri: found.uri,
        definition: to.id,
        ...(reason !== undefined && { frozen: reason }),
        ...(found.published && { published: found.published }),
      };
      return resolveRequirement(found.definition.value, next, [...via, to.label], lookup);
    }
  }
}

/** A version of megabytes is neither parsed nor sent. */
function tooLong(): EffectiveRequirement {
  return { kind: 'unresolved', reason: l10n.t('the version or range is too long') };
}

function constraintOf(
  ref: DefinitionRef,
  { constraints, definitions }: LinkScope,
): LinkedDependency['constraint'] | undefined {
  // uv has its constraints in the manifest, and pip in files that only narrow.
  const isOwn = ref.id.startsWith(narrowedId('')) || ref.id.startsWith(narrowedBuildId(''));
  const found = isOwn ? definitions.get(ref.id) : constraints.get(ref.id);
  if (found?.definition.value.kind === 'template') {
    const { parts } = found.definition.value;
    return parts.every((it) => typeof it === 'string') ? { text: parts.join('') } : undefined;
  }
  if (found?.definition.value.kind !== 'literal') return undefined;
  const { frozen } = found.definition;
  const { at } = found.definition.value;
  if (at.text.length > MAX_REQUIREMENT_LENGTH) return undefined;
  return {
    text: at.text,
    place: { uri: found.uri, at, definition: ref.id, ...(frozen !== undefined && { frozen }) },
  };
}

/** The span of the requirement, or of the name without one. */
export function spanOf({ requirement, nameSpan }: Dependency): Span {
  switch (requirement.kind) {
    case 'literal':
      return requirement.at.span;
    case 'reference':
    case 'template':
    case 'source':
      return requirement.span;
    case 'none':
      return nameSpan;
  }
}

/** The requirement of a dependency whose reference is undefined, or not known yet. */
export function unresolvedRequirement(to: DefinitionRef, { definitions, missing }: LinkScope): EffectiveRequirement {
  const gap = definitions.gapFor(to.id);
  if (gap) return gap.kind === 'pending' ? gap : { kind: 'unresolved', reason: gapText(to.label, gap) };
  if (to.id.startsWith('managed:') && isMarker(to.id))
    return { kind: 'unresolved', reason: l10n.t('no script of this build gives the plugin a version') };
  const [, catalog] = /^(?:version|library|module|plugin|plugin-module):(\w+)-/.exec(to.id) ?? [];
  if (catalog !== undefined && definitions.get(catalogIds.published(catalog))) {
    const reason = l10n.t('the catalog {0} is a published one, whose entries are not read', catalog);
    return { kind: 'unresolved', reason };
  }
  if (isManagedVersion(to) && missing.length === 0) {
    const reason = l10n.t('no platform, constraint or plugin of this build gives it a version');
    return { kind: 'unresolved', reason };
  }
  const reason =
    missing.length > 0
      ? l10n.t(
          'no definition found for {0}; not readable from here: {1}',
          to.label,
          truncate([...new Set(missing.map(fileText))].join(', ')),
        )
      : l10n.t('no definition found for {0}', to.label);
  return { kind: 'unresolved', reason };
}

/** A file that a script names by a computation has no name here: `${}` stands for it. */
function fileText(path: string): string {
  return path.includes('${}') ? l10n.t('a file with a computed name') : path;
}

function gapText(label: string, gap: Exclude<DefinitionGap, { readonly kind: 'pending' }>): string {
  switch (gap.kind) {
    case 'unknown':
      return l10n.t('no definition found for {0}; {1} is unknown to the service', label, gap.pom);
    case 'withheld':
      return l10n.t('no definition found for {0}; {1} was not looked up: {2}', label, gap.pom, gap.reason);
    case 'several':
      return l10n.t(
        'no definition found for {0}; these platforms of the build give it different ones: {1}',
        label,
        gap.pom,
      );
    case 'plugins':
      return l10n.t('no definition found for {0}; the service does not report the plugins of {1}', label, gap.pom);
  }
}

/** In Maven, a dependency without a scope has that of its management. */
export function scopeOf({ managed, scope, requirement }: Dependency, definitions: Definitions): Scope {
  if (managed === undefined) return scope;
  return narrowScope(scope, managedScope(definitions, managed, requirement.kind === 'reference'));
}

/**
 * @param id of the managed dependency
 * @param readsBoms whether published BOMs are read, which may define the version, too; they rarely declare a scope, so
 * none is read for the scope alone
 * @returns the Maven scope, `''` without one
 */
export function managedScope(definitions: Definitions, id: string, readsBoms: boolean): string {
  const found = readsBoms ? definitions.get(id) : definitions.getLocal(id);
  const scope = found?.definition.scope && definitions.join(found.definition.scope);
  return scope?.kind === 'text' ? scope.text : '';
}
