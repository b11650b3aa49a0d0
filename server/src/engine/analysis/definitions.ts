import { groupBy } from '../base/collections.ts';
import { writtenName } from '../ecosystems/gradle/flow/order.ts';
import { type EvaluatedDependency, factsOf, type LinkedDependency, placeOf } from '../model/evaluated-dependency.ts';
import type { Ready, VersionFacts } from '../model/facts.ts';
import type { Definition, Manifest } from '../model/manifest.ts';
import type { Insights, Wanted } from '../model/ports.ts';
import type { Advisory } from '../model/signals/advisory.ts';
import type { Literal } from '../model/span.ts';
import { activeAdvisories } from '../policy/ignores.ts';
import type { UpdatePolicy } from './evaluate/update-policy.ts';
import { bySeverity } from './rules/advisory.ts';
import { chooseSharedTarget, eachPackageOnce } from './shared-target.ts';
import { verdictOf, worstFirst } from './verdict.ts';

/*
 * The answer where a version is defined. All dependencies that use it move together:
 *
 *     <spring.version>5.2.0.RELEASE</spring.version>   ⚠ critical · 1 advisory · 3 dependencies → 5.3.18
 *
 * The target is the smallest version that is published for each of their packages and that is safe for all.
 */

/** A definition with a written version, which no dependency of the file contains itself. */
export interface VersionDefinition {
  readonly definition: Definition;
  /** Its id in the file: `property:v`, and `property:v 2` for the second of that name. */
  readonly id: string;
  /** Set if the file defines it several times, of which this is under a condition, or where none holds. */
  readonly isAlternative?: true;
  readonly at: Literal;
}

export interface DefiningDocument {
  readonly uri: string;
  readonly text: string;
  readonly manifest: Manifest;
}

/** A dependency of another manifest that uses a definition of the document. */
export interface DefinitionUser {
  /** Of the version definition. */
  readonly id: string;
  readonly evaluated: EvaluatedDependency;
  /** How many dependencies are the same. */
  readonly count: number;
}

/** The evaluated definitions, and the facts that are missing. */
export interface DefinitionsEvaluation {
  readonly definitions: readonly EvaluatedDependency[];
  readonly wanted: readonly Wanted[];
  readonly background: readonly Wanted[];
}

const none: readonly VersionDefinition[] = [];

/** Parsing keeps the manifest until its text changes. */
const known = new WeakMap<Manifest, readonly VersionDefinition[]>();

/**
 * The definitions of a file that people edit and that are no dependencies themselves, as the entries of a catalog are. They
 * have their own hints.
 */
export function versionDefinitionsIn(manifest: Manifest): readonly VersionDefinition[] {
  const before = known.get(manifest);
  if (before) return before;
  if (manifest.definitions.length === 0) return none;
  const own = new Set(
    manifest.dependencies.map(({ requirement: it }) => (it.kind === 'literal' ? it.at.span.start : -1)),
  );
  const counts = new Map<string, number>();
  const found = manifest.definitions.flatMap((definition): VersionDefinition[] => {
    const { value, member, frozen } = definition;
    if (value.kind !== 'literal' || member !== undefined || frozen !== undefined) return [];
    // Only text with a number is a version: most properties are something else.
    if (own.has(value.at.span.start) || !/\d/.test(value.at.text)) return [];
    const nth = (counts.get(definition.id) ?? 0) + 1;
    counts.set(definition.id, nth);
    return [{ definition, id: nth === 1 ? definition.id : `${definition.id} ${nth}`, at: value.at }];
  });
  const several = found.map((it) =>
    (counts.get(it.definition.id) ?? 0) > 1 ? { ...it, isAlternative: true as const } : it,
  );
  known.set(manifest, several);
  return several;
}

/** `spring.version` for `property:spring.version`, as the file spells it: MSBuild ignores case. */
function nameOf({ id, span }: Definition, text: string): string {
  const name = writtenName(id.slice(id.indexOf(':') + 1));
  const written = text.slice(span.start, span.end);
  return written.toLowerCase() === name.toLowerCase() ? written : name;
}

/**
 * Joins the dependencies that use each definition.
 * @param own the dependencies of the document; managed ones among them are what others use
 * @param others those of other manifests
 */
export function evaluateDefinitions(
  { uri, text, manifest }: DefiningDocument,
  some: readonly VersionDefinition[],
  own: readonly EvaluatedDependency[],
  others: readonly DefinitionUser[],
  insights: Insights,
  policy: UpdatePolicy,
): DefinitionsEvaluation {
  const wanted: Wanted[] = [];
  const background: Wanted[] = [];
  const ownAt = groupBy(own, ({ linked }) => {
    const place = placeOf(linked);
    return place?.uri === uri ? place.at.span.start : -1;
  });
  const passedOn = new Set(manifest.definitions.map(({ value }) => value));
  const definitions = some.flatMap((it): EvaluatedDependency[] => {
    const here = ownAt.get(it.at.span.start) ?? [];
    const elsewhere = others.filter(({ id }) => id === it.id);
    const [first, ...users] = [...here, ...elsewhere.map(({ evaluated }) => evaluated)];
    if (first === undefined) return [];
    // What the file manages for others is no dependency itself.
    const real = here.filter(({ linked }) => !passedOn.has(linked.dependency.requirement));
    const count = real.length + elsewhere.reduce((sum, { count }) => sum + count, 0);
    const joined = join(
      { ...it, name: nameOf(it.definition, text) },
      uri,
      [first, ...users],
      count || here.length,
      insights,
      policy,
    );
    (joined.isUrgent ? wanted : background).push(...joined.missing);
    return [joined.evaluated];
  });
  return { definitions, wanted, background };
}

interface Joined {
  readonly evaluated: EvaluatedDependency;
  readonly missing: readonly Wanted[];
  readonly isUrgent: boolean;
}

function join(
  { definition, name, at, isAlternative }: VersionDefinition & { readonly name: string },
  uri: string,
  [first, ...others]: readonly [EvaluatedDependency, ...EvaluatedDependency[]],
  count: number,
  insights: Insights,
  policy: UpdatePolicy,
): Joined {
  const users = worstFirst(eachPackageOnce([first, ...others]));
  const [worst = first] = users;
  const affected = users.filter((it) => verdictOf(it).needsMove);
  const choice = chooseSharedTarget(users, insights, policy);
  const { dependency } = worst.linked;
  const linked: LinkedDependency = {
    uri,
    key: worst.linked.key,
    dependency: {
      key: dependency.key,
      name,
      nameSpan: definition.span,
      requirement: definition.value,
      scope: dependency.scope,
      ...(definition.condition !== undefined && { condition: definition.condition }),
    },
    ...(isAlternative && worst.linked.of && { of: worst.linked.of }),
    requirement: { kind: 'text', text: at.text, place: { uri, at, definition: definition.id }, via: [] },
    span: at.span,
  };
  const heldBack = choice.target ? undefined : users.find((it) => it.heldBack)?.heldBack;
  const isWithoutFix = affected.length > 0 && affected.every((it) => verdictOf(it).isWithoutFix);
  const evaluated: EvaluatedDependency = {
    linked,
    resolution: worst.resolution,
    ...(worst.version?.state === 'ready' && { version: { ...worst.version, value: joinFacts(users, worst.version) } }),
    ...(isWithoutFix && worst.package && { package: worst.package, isWithoutSafe: true }),
    advisories: joinAdvisories(affected),
    targets: choice.target ? [choice.target] : [],
    ...(choice.isSearching && affected.length > 0 && { isSearchingSafe: true }),
    ...(heldBack && { heldBack }),
    ...(worst.cooldown && { cooldown: worst.cooldown }),
    ...(worst.boundedRanges && { boundedRanges: worst.boundedRanges }),
    shared: { users, count, unchecked: choice.unchecked, ...(choice.conflict && { conflict: choice.conflict }) },
  };
  return { evaluated, missing: choice.missing, isUrgent: affected.length > 0 };
}

/** One vulnerability often affects several artifacts of a project. */
function joinAdvisories(affected: readonly EvaluatedDependency[]): Advisory[] {
  const byId = new Map(affected.flatMap(activeAdvisories).map((it) => [it.id, it]));
  return bySeverity([...byId.values()]);
}

/** A license is shown only if all have it. */
function joinFacts(users: readonly EvaluatedDependency[], { value }: Ready<VersionFacts>): VersionFacts {
  const all = users.flatMap((it) => factsOf(it) ?? []);
  const isSame = all.every((it) => it.licenses.join() === value.licenses.join());
  return {
    ...value,
    isDeprecated: users.some((it) => verdictOf(it).isDeprecated),
    isDefault: all.every((it) => it.isDefault),
    advisories: [...new Set(all.flatMap((it) => it.advisories))],
    ...(!isSame && { licenses: [], licenseDetails: [] }),
  };
}
