import * as l10n from '@vscode/l10n';
import { exactly, versioning } from '../ecosystems/versioning.ts';
import {
  conflictOf,
  type EvaluatedDependency,
  factsOf,
  isSamePlace,
  type LinkedDependency,
  type Place,
  type Published,
  placeOf,
  type Resolution,
} from '../model/evaluated-dependency.ts';
import type { VersionFacts } from '../model/facts.ts';
import type { Edit } from '../model/finding.ts';
import { packageId, versionOf } from '../model/keys.ts';
import type { Insights } from '../model/ports.ts';
import type { TargetVerdict } from '../model/verdict.ts';
import type { RangeEnd, Rewrite, Versioning } from '../model/versioning.ts';
import type { Dependent, DependentsOf } from './dependents.ts';
import { pinnedVersion } from './evaluate/resolve.ts';
import { boundedRangesFor } from './evaluate/update-policy.ts';
import { resolvedAfter } from './evaluate/update-target.ts';
import { type Fit, fitOf, namesInShort } from './shared-target.ts';
import { verdictOf } from './verdict.ts';

/** A version that a dependency may be moved to, and the edits that do it. */
export interface Fix {
  readonly evaluated: EvaluatedDependency;
  readonly target: TargetVerdict;
  readonly move: Move;
  /** The other packages that move along and are not known to be sound in this version. */
  readonly misfits?: Misfits;
}

/** Names of packages, by what is wrong with them in a version. */
export type Misfits = Readonly<Partial<Record<Exclude<Fit, 'sound'>, readonly string[]>>>;

/** What shares versions with a dependency. */
export interface Surroundings {
  /** All dependencies of its document. */
  readonly all: readonly EvaluatedDependency[];
  readonly elsewhere: DependentsOf;
  readonly facts: Pick<Insights, 'version' | 'package' | 'advisory'>;
}

export type Move =
  | {
      readonly ok: true;
      readonly edits: readonly Edit[];
      /** How many dependencies of this and other files it moves: more than one if they share a definition. */
      readonly moves: number;
      /** The references followed to the place of the edit: `${spring.version}`. */
      readonly through: readonly string[];
      /** The published parent or BOM whose version it overrides in the file. */
      readonly overrides?: Published;
      /** Set if a range ended below the version: its new text, and what became of its end. */
      readonly range?: { readonly text: string; readonly end: RangeEnd };
    }
  /** A clause: `its hashes pin the very files`. */
  | { readonly ok: false; readonly reason: string };

/**
 * The fixes of a dependency: safe, in range, in major, default.
 * @param around absent if it is not shown what moves along
 */
export function fixesFor(evaluated: EvaluatedDependency, around?: Surroundings): Fix[] {
  const { targets, needsMove } = verdictOf(evaluated);
  const fixes = targets.map((target): Fix => {
    const move = moveTo(evaluated, target.version, around);
    if (around === undefined) return { evaluated, target, move };
    const misfits = misfitsIn(evaluated, target.version, around);
    return { evaluated, target, move: misfits.malicious ? refusedFor(misfits.malicious) : move, misfits };
  });
  const { otherFlavor: other, resolution } = evaluated;
  const conflict = conflictOf(evaluated);
  if (conflict) {
    const { version, reason } = conflict;
    const move: Move = { ok: false, reason };
    // The titles of the others say who lacks them.
    if (evaluated.shared || (around && needsMove)) return [{ evaluated, target: unreachable(version), move }, ...fixes];
    return around ? fixes : fixes.map((it) => ({ ...it, move }));
  }
  if (!other || fixes.length > 0 || !(needsMove || resolution.kind === 'no-match')) return fixes;
  const reason = l10n.t(
    '{0} does not support {1}, and there is no newer version that does',
    other.version,
    other.flavor,
  );
  return [{ evaluated, target: unreachable(other.version), move: { ok: false, reason } }];
}

/** Not moved for the sake of others that would become malware. */
function refusedFor(names: readonly string[]): Move {
  return { ok: false, reason: l10n.t('{0} is malicious in this version', namesInShort(names)) };
}

/** What was joined at a definition was checked for all its users. */
function misfitsIn(evaluated: EvaluatedDependency, version: string, { all, elsewhere, facts }: Surroundings): Misfits {
  const place = placeOf(evaluated.linked);
  if (evaluated.shared || place?.definition === undefined) return {};
  const { key } = evaluated.linked;
  const found: Partial<Record<Fit, string[]>> = {};
  const known = new Set([packageId(key)]);
  const written = writtenFor(evaluated, version);
  const add = (other: Dependent, before: VersionFacts | undefined): void => {
    if (known.has(packageId(other.key))) return;
    known.add(packageId(other.key));
    const fit = fitOf(other.key, { version, written }, before, facts);
    found[fit] = [...(found[fit] ?? []), other.name];
  };
  for (const it of all) {
    const { key, dependency } = it.linked;
    if (isSamePlace(placeOf(it.linked), place)) add({ key, name: dependency.name }, factsOf(it));
  }
  for (const it of elsewhere(place)) add(it, factsBefore(it, evaluated, facts));
  const { sound, ...misfits } = found;
  return misfits;
}

/** The facts of a package that shares the version of a dependency, in the version that both have. */
export function factsBefore(
  { key }: Dependent,
  { linked, resolution }: EvaluatedDependency,
  facts: Pick<Insights, 'version'>,
): VersionFacts | undefined {
  const version = resolution.kind === 'version' ? resolution.version : pinnedVersion(linked);
  const before = version === undefined ? undefined : facts.version(versionOf(key, version));
  return before?.state === 'ready' ? before.value : undefined;
}

function unreachable(version: string): TargetVerdict {
  return { version, kinds: ['default'], isDowngrade: false, isChecked: false, fixed: 0, added: [] };
}

/** The edits that move a dependency to any version. */
export function fixTo(evaluated: EvaluatedDependency, version: string): Pick<Fix, 'move'> {
  return { move: moveTo(evaluated, version) };
}

/** The fix to the recommended version; undefined if there is none. */
export function recommendedFix(evaluated: EvaluatedDependency): Fix | undefined {
  const { recommended } = verdictOf(evaluated);
  const move = recommended && moveTo(evaluated, recommended.version);
  return move && { evaluated, target: recommended, move };
}

/** Rewrites the requirement of a dependency, in the file that contains it. */
export function moveTo(evaluated: EvaluatedDependency, version: string, around?: Surroundings): Move {
  const { linked } = evaluated;
  const { requirement, constraint, key } = linked;
  const rules = versioning[key.system];
  const through = requirement.kind === 'text' ? requirement.via : [];
  if (requirement.kind === 'text' && requirement.managedBy)
    return overrideManaged(evaluated, version, requirement.managedBy);
  if (requirement.kind === 'text' && requirement.place === undefined)
    return { ok: false, reason: linked.dependency.frozen ?? l10n.t('the version is composed of several values') };
  if (requirement.kind !== 'text' && !constraint && !linked.dependency.blank)
    return { ok: false, reason: l10n.t('no version is specified') };

  const isBack = isWayBack(evaluated, version);
  const places: { readonly place: Place; readonly range: string }[] = [];
  if (requirement.kind === 'text' && requirement.place && requirement.text !== '') {
    // A requirement that already allows the target stays; only its constraint changes.
    if (!constraint || isBack || !rules.satisfies(version, requirement.text))
      places.push({ place: requirement.place, range: requirement.text });
  }
  if (constraint?.place) places.push({ place: constraint.place, range: constraint.text });
  for (const { place, text } of excludedBeside(linked, evaluated.resolution, version)) {
    if (place === undefined) return { ok: false, reason: l10n.t('another line requires {0}', text) };
    if (places.length > 0) places.push({ place, range: text });
  }
  if (places.length === 0 && linked.dependency.blank)
    places.push({ place: { uri: linked.uri, at: linked.dependency.blank }, range: version });
  if (places.length === 0) return { ok: false, reason: l10n.t('no version is specified') };

  const edits: Edit[] = [];
  let ended: { readonly text: string; readonly end: RangeEnd } | undefined;
  for (const { place, range } of places) {
    if (place.frozen !== undefined) return { ok: false, reason: place.frozen };
    const rewritten = rewrite(evaluated, range, version);
    if (!rewritten.ok) return { ok: false, reason: rewritten.reason };
    const isExact = rewritten.text === exactly(key.system, version);
    if (isOwnPeer(linked) && verdictOf(evaluated).needsMove && !isExact && rules.satisfies(version, range))
      return { ok: false, reason: l10n.t('{0} allows it already, and the lockfile decides', range) };
    edits.push({ uri: place.uri, span: place.at.span, newText: place.at.encode(rewritten.text) });
    if (rewritten.end) ended = { text: rewritten.text, end: rewritten.end };
  }
  return { ok: true, edits, moves: countMoved(evaluated, around), through, ...(ended && { range: ended }) };
}

/** The other lines of a package that allow its version now, and not another one. */
function excludedBeside(linked: LinkedDependency, resolution: Resolution, version: string) {
  const { satisfies } = versioning[linked.key.system];
  const allows = (text: string): boolean => resolution.kind !== 'version' || satisfies(resolution.version, text);
  return (linked.beside ?? []).filter(({ text }) => allows(text) && !satisfies(version, text));
}

/** The range of a peer keeps what it allowed: `^1.0.0 || ^2.1.0`. */
function besides(range: string, moved: Rewrite, resolution: Resolution, { satisfies }: Versioning): Rewrite {
  if (!moved.ok || resolution.kind !== 'version' || satisfies(resolution.version, moved.text)) return moved;
  return { ok: true, text: `${range} || ${moved.text}`, end: 'widened' };
}

/** One of a catalog is not the peer's alone. */
function isOwnPeer({ dependency, requirement }: LinkedDependency): boolean {
  return dependency.scope === 'peer' && requirement.kind === 'text' && !requirement.place?.definition;
}

function rewrite(evaluated: EvaluatedDependency, range: string, version: string): Rewrite {
  const { linked, resolution, boundedRanges: chosen } = evaluated;
  const { system } = linked.key;
  const rules = versioning[system];
  const isPin = rules.read(range).kind === 'pin';
  const bounded = boundedRangesFor(chosen, linked, resolution, verdictOf(evaluated).needsMove);
  const own = rules.rewrite(range, isPin ? publishedSpelling(evaluated, version) : version, bounded);
  const moved = isOwnPeer(linked) && bounded !== 'replace' ? besides(range, own, resolution, rules) : own;
  if (isPin) return moved;
  // A range would allow the malicious version.
  const isAllowed =
    isWayBack(evaluated, version) ||
    takesMalware(evaluated, version) ||
    (moved.ok && keepsMalware(evaluated, moved.text));
  return isAllowed ? { ok: true, text: exactly(system, version) } : moved;
}

/** The requirement that moves a dependency to a version, which others may share. */
export function writtenFor(evaluated: EvaluatedDependency, version: string): string {
  const { requirement } = evaluated.linked;
  const moved =
    requirement.kind === 'text' && requirement.text !== ''
      ? rewrite(evaluated, requirement.text, version)
      : { ok: false as const };
  return moved.ok ? moved.text : version;
}

/**
 * The version as it is published, where that is known: `0.50b0`, which the service keeps as `0.50.0b0`. pip takes both for
 * `==`, and only the first for `===`.
 */
function publishedSpelling({ linked: { key }, targets }: EvaluatedDependency, version: string): string {
  if (key.system !== 'PYPI') return version;
  const facts = targets.find((it) => it.version === version)?.facts;
  const { canonical } = versioning[key.system];
  const spellings = facts?.state === 'ready' ? facts.value.upstream.map((it) => it.versionString) : [];
  return spellings.find((it) => canonical(it) === version) ?? version;
}

/** Whether a version is below the malicious one in use. */
function isWayBack(evaluated: EvaluatedDependency, version: string): boolean {
  const { resolution } = evaluated;
  if (resolution.kind !== 'version' || !verdictOf(evaluated).isMalicious) return false;
  return versioning[evaluated.linked.key.system].compare(version, resolution.version) < 0;
}

/** Whether a range allows the malicious version in use: a lockfile would keep it. */
function keepsMalware(evaluated: EvaluatedDependency, range: string): boolean {
  const { resolution } = evaluated;
  if (resolution.kind !== 'version' || !verdictOf(evaluated).isMalicious) return false;
  return versioning[evaluated.linked.key.system].satisfies(resolution.version, range);
}

/** Whether the range of a dependency, moved to a version, would resolve to malware. */
function takesMalware(evaluated: EvaluatedDependency, version: string): boolean {
  const { resolution, package: list, malicious } = evaluated;
  if (malicious === undefined || list?.state !== 'ready') return false;
  const taken = resolvedAfter(evaluated.linked, resolution, version, list.value, evaluated);
  return taken !== undefined && malicious.includes(taken);
}

/** A version of its own, for a dependency with problems only: the others keep to what is managed together. */
function overrideManaged(evaluated: EvaluatedDependency, version: string, overrides: Published): Move {
  const { uri, dependency } = evaluated.linked;
  const { addition: at } = dependency;
  const isPossible = at !== undefined && !isEnforced(overrides) && verdictOf(evaluated).needsMove;
  if (!isPossible) return { ok: false, reason: managedText(overrides) };
  const edits = [{ uri, span: at.span, newText: at.encode(version) }];
  return { ok: true, edits, moves: 1, through: [], overrides };
}

/** Whether a version of its own would not count. */
function isEnforced({ named, includedBy }: Published): boolean {
  return includedBy ? isEnforced(includedBy) : named?.dependency.inherits?.isEnforced === true;
}

export function managedText({ key, through }: Published): string {
  return l10n.t('managed by {0} {1}: update {2} instead', key.name, key.version, through);
}

/** How many dependencies of this and other files use the same literal. */
function countMoved({ linked, shared }: EvaluatedDependency, around: Surroundings | undefined): number {
  const place = placeOf(linked);
  if (shared) return shared.count;
  if (place === undefined || around === undefined) return 1;
  const here = around.all.filter((it) => isSamePlace(placeOf(it.linked), place));
  // The versions that one of them has under different conditions.
  const declared = new Set(here.map((it) => it.linked.of ?? it));
  return declared.size + around.elsewhere(place).length;
}
