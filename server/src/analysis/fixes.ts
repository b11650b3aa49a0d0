import * as l10n from '@vscode/l10n';
import { versioning } from '../ecosystems/versioning.ts';
import {
  type EvaluatedDependency,
  factsOf,
  isFlagged,
  isSamePlace,
  type Place,
  type Published,
  placeOf,
} from '../model/evaluated-dependency.ts';
import type { VersionFacts } from '../model/facts.ts';
import type { Edit } from '../model/finding.ts';
import { licensesOf } from '../model/license-policy.ts';
import type { RangeEnd } from '../model/versioning.ts';
import { activeAdvisories, isDeprecationIgnored } from '../policy/ignores.ts';
import type { CountDependents } from './dependents.ts';
import { decisionText, licenseDecisionOf } from './rules/license.ts';

/** A version that a dependency may be moved to, and the edits that do it. */
export interface Fix {
  readonly evaluated: EvaluatedDependency;
  readonly version: string;
  /**
   * `flavor`: the newest that is built for the same as what is written, where the default version is not.
   * `aged`: the highest sound version that a cooldown lets through.
   */
  readonly why: 'default' | 'flavor' | 'nearest' | 'aged';
  /** The problem of the target: `deprecated`, `GPL-3.0-only is denied`; absent without one. */
  readonly flaw?: string;
  /** Set if the target has another license. */
  readonly license?: { readonly from: string; readonly to: string };
  readonly move: Move;
}

export type Move =
  | {
      readonly ok: true;
      readonly edits: readonly Edit[];
      /** How many dependencies of this and other files it moves: more than one if they share a definition. */
      readonly moves: number;
      /** The references followed to the place of the edit: `${spring.version}`. */
      readonly through: readonly string[];
      /** Set if a range ended below the version: its new text, and what became of its end. */
      readonly range?: { readonly text: string; readonly end: RangeEnd };
    }
  /** A clause: `its hashes pin the very files`. */
  | { readonly ok: false; readonly reason: string };

/**
 * The fixes of a dependency: to the default version or its substitute, then to the nearest version without problems.
 * @param all the dependencies to count those that move along; empty if the count is not shown
 */
export function fixesFor(
  evaluated: EvaluatedDependency,
  all: readonly EvaluatedDependency[] = [],
  elsewhere: CountDependents = () => 0,
): Fix[] {
  const { target, matureVersion, nearestSafe } = evaluated;
  const fixTo = (facts: VersionFacts, version: string, why: Fix['why']): Fix => {
    const flaw = flawOf(evaluated, facts);
    const license = licenseChange(evaluated, facts);
    const move = moveTo(evaluated, version, all, elsewhere);
    return { evaluated, version, why, move, ...(flaw !== undefined && { flaw }), ...(license && { license }) };
  };
  const fixes: Fix[] = [];
  if (target?.facts.state === 'ready' && isUpdate(evaluated, target.facts.value)) {
    fixes.push(fixTo(target.facts.value, target.version, evaluated.otherFlavor ? 'flavor' : 'default'));
  }
  if (matureVersion) fixes.push(fixTo(matureVersion, matureVersion.version, 'aged'));
  if (nearestSafe && nearestSafe.version !== target?.version && nearestSafe.version !== matureVersion?.version) {
    fixes.push(fixTo(nearestSafe, nearestSafe.version, 'nearest'));
  }
  const { otherFlavor: other } = evaluated;
  if (other && fixes.length === 0 && (needsMove(evaluated) || evaluated.resolution.kind === 'no-match')) {
    const reason = l10n.t(
      '{0} does not support {1}, and there is no newer version that does',
      other.version,
      other.flavor,
    );
    fixes.push({ evaluated, version: other.version, why: 'default', move: { ok: false, reason } });
  }
  return fixes;
}

/**
 * The edits that move every deprecated or affected dependency to a sound version. Where several share a definition,
 * it moves to the highest of their targets.
 */
export function fixAll(dependencies: readonly EvaluatedDependency[]): Edit[] {
  const best = new Map<string, { readonly edit: Edit; readonly fix: Fix }>();
  for (const evaluated of dependencies) {
    if (factsOf(evaluated) && !needsMove(evaluated)) continue;
    const fix = fixesFor(evaluated).find((it) => it.move.ok && it.flaw === undefined);
    if (!fix?.move.ok) continue;
    const { compare } = versioning[evaluated.linked.key.system];
    for (const edit of fix.move.edits) {
      const place = `${edit.uri} ${edit.span.start}`;
      const other = best.get(place);
      if (!other || compare(fix.version, other.fix.version) > 0) best.set(place, { edit, fix });
    }
  }
  return [...best.values()].map((it) => it.edit);
}

/** Whether a dependency is deprecated or has advisories that are not ignored. */
export function needsMove(evaluated: EvaluatedDependency): boolean {
  const isDeprecated = factsOf(evaluated)?.isDeprecated === true && !isDeprecationIgnored(evaluated);
  return isDeprecated || activeAdvisories(evaluated).length > 0;
}

/**
 * Whether a default version is an update. Versions move up, except for a requirement without a match and for a
 * withdrawn version without a higher one (a release by mistake), which moves down to a version without problems.
 */
function isUpdate(evaluated: EvaluatedDependency, target: VersionFacts): boolean {
  const { resolution, linked } = evaluated;
  if (resolution.kind !== 'version') return resolution.kind === 'no-match';
  const isAbove = (it: string): boolean => versioning[linked.key.system].compare(it, resolution.version) > 0;
  if (isAbove(target.version)) return true;
  const list = evaluated.package;
  const isTakenBack = factsOf(evaluated)?.isDeprecated === true && !isDeprecationIgnored(evaluated);
  if (!isTakenBack || isFlagged(target) || list?.state !== 'ready' || list.value.isSample) return false;
  return !list.value.versions.some((it) => !it.isDeprecated && isAbove(it.version));
}

function flawOf({ project, linked }: EvaluatedDependency, facts: VersionFacts): string | undefined {
  const decision = licenseDecisionOf(project, linked, facts);
  const parts = [
    ...(facts.isDeprecated ? [l10n.t('deprecated')] : []),
    ...(facts.advisories.length > 0 ? [l10n.t('has known advisories')] : []),
    ...(decision?.verdict === 'deny' ? decision.because.map((it) => decisionText(it, facts)) : []),
  ];
  return parts.length > 0 ? parts.join(', ') : undefined;
}

/** A change of license is shown before the version changes. */
function licenseChange(evaluated: EvaluatedDependency, to: VersionFacts): Fix['license'] {
  const from = factsOf(evaluated);
  if (!from) return undefined;
  const before = licensesOf(from).join(', ');
  const after = licensesOf(to).join(', ');
  if (before === after || before === '') return undefined;
  return { from: before, to: after || l10n.t('unknown') };
}

/** Rewrites the requirement of a dependency, in the file that contains it. */
function moveTo(
  evaluated: EvaluatedDependency,
  version: string,
  all: readonly EvaluatedDependency[],
  elsewhere: CountDependents,
): Move {
  const { requirement, constraint, key } = evaluated.linked;
  const rules = versioning[key.system];
  const through = requirement.kind === 'text' ? requirement.via : [];
  if (requirement.kind === 'text' && requirement.managedBy)
    return { ok: false, reason: managedText(requirement.managedBy) };
  if (requirement.kind === 'text' && requirement.place === undefined)
    return { ok: false, reason: l10n.t('the version is composed of several values') };
  if (requirement.kind !== 'text' && !constraint) return { ok: false, reason: l10n.t('no version is specified') };

  const places: { readonly place: Place; readonly range: string }[] = [];
  if (requirement.kind === 'text' && requirement.place && requirement.text !== '') {
    // A requirement that already allows the target stays; only its constraint changes.
    if (!constraint || !rules.satisfies(version, requirement.text))
      places.push({ place: requirement.place, range: requirement.text });
  }
  if (constraint?.place) places.push({ place: constraint.place, range: constraint.text });
  if (places.length === 0) return { ok: false, reason: l10n.t('no version is specified') };

  const edits: Edit[] = [];
  let moved: { readonly text: string; readonly end: RangeEnd } | undefined;
  for (const { place, range } of places) {
    if (place.frozen !== undefined) return { ok: false, reason: place.frozen };
    const rewritten = rules.rewrite(range, version, evaluated.boundedRanges);
    if (!rewritten.ok) return { ok: false, reason: rewritten.reason };
    edits.push({ uri: place.uri, span: place.at.span, newText: place.at.encode(rewritten.text) });
    if (rewritten.end) moved = { text: rewritten.text, end: rewritten.end };
  }
  return { ok: true, edits, moves: countMoved(evaluated, all, elsewhere), through, ...(moved && { range: moved }) };
}

function managedText({ key, through }: Published): string {
  return l10n.t('managed by {0} {1}: update {2} instead', key.name, key.version, through);
}

/** How many dependencies of this and other files use the same literal. */
function countMoved(
  evaluated: EvaluatedDependency,
  all: readonly EvaluatedDependency[],
  elsewhere: CountDependents,
): number {
  const place = placeOf(evaluated.linked);
  if (place === undefined) return 1;
  return all.filter(({ linked }) => isSamePlace(placeOf(linked), place)).length + elsewhere(place);
}
