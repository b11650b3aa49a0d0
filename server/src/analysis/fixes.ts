import * as l10n from '@vscode/l10n';
import { versioning } from '../ecosystems/versioning.ts';
import {
  type EvaluatedDependency,
  isSamePlace,
  type Place,
  type Published,
  placeOf,
} from '../model/evaluated-dependency.ts';
import type { Edit } from '../model/finding.ts';
import type { TargetVerdict } from '../model/verdict.ts';
import type { RangeEnd } from '../model/versioning.ts';
import type { CountDependents } from './dependents.ts';
import { boundedRangesFor } from './evaluate/update-policy.ts';
import { verdictOf } from './verdict.ts';

/** A version that a dependency may be moved to, and the edits that do it. */
export interface Fix {
  readonly evaluated: EvaluatedDependency;
  readonly target: TargetVerdict;
  readonly move: Move;
  /** Packages that share the definition and are not published in this version. */
  readonly unpublished: readonly string[];
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
 * @param all the dependencies to count those that move along; empty if the count is not shown
 */
export function fixesFor(
  evaluated: EvaluatedDependency,
  all: readonly EvaluatedDependency[] = [],
  elsewhere: CountDependents = () => 0,
): Fix[] {
  const { targets, needsMove } = verdictOf(evaluated);
  const fixes = targets.map(
    (target): Fix => ({
      evaluated,
      target,
      move: moveTo(evaluated, target.version, all, elsewhere),
      unpublished: unpublishedIn(evaluated, target.version, all),
    }),
  );
  const { otherFlavor: other, resolution, shared } = evaluated;
  if (shared?.conflict) {
    const { version, reason } = shared.conflict;
    return [{ evaluated, target: unreachable(version), move: { ok: false, reason }, unpublished: [] }];
  }
  if (!other || fixes.length > 0 || !(needsMove || resolution.kind === 'no-match')) return fixes;
  const reason = l10n.t(
    '{0} does not support {1}, and there is no newer version that does',
    other.version,
    other.flavor,
  );
  return [{ evaluated, target: unreachable(other.version), move: { ok: false, reason }, unpublished: [] }];
}

/** The other packages of a shared definition whose whole list lacks a version. */
function unpublishedIn(evaluated: EvaluatedDependency, version: string, all: readonly EvaluatedDependency[]): string[] {
  const place = placeOf(evaluated.linked);
  const names = all.flatMap(({ linked, package: list }) => {
    const isOther = linked.key.name !== evaluated.linked.key.name && isSamePlace(placeOf(linked), place);
    if (!isOther || list?.state !== 'ready' || list.value.isSample) return [];
    return list.value.versions.some((it) => it.version === version) ? [] : [linked.dependency.name];
  });
  return [...new Set(names)];
}

function unreachable(version: string): TargetVerdict {
  return { version, kinds: ['default'], isDowngrade: false, isChecked: false, fixed: 0, added: [] };
}

/** The edits that move a dependency to any version. */
export function fixTo(evaluated: EvaluatedDependency, version: string): Pick<Fix, 'move'> {
  return { move: moveTo(evaluated, version, [], () => 0) };
}

/** The fix to the recommended version; undefined if there is none. */
export function recommendedFix(evaluated: EvaluatedDependency): Fix | undefined {
  const { recommended } = verdictOf(evaluated);
  const move = recommended && moveTo(evaluated, recommended.version, [], () => 0);
  return move && { evaluated, target: recommended, move, unpublished: [] };
}

/** Rewrites the requirement of a dependency, in the file that contains it. */
export function moveTo(
  evaluated: EvaluatedDependency,
  version: string,
  all: readonly EvaluatedDependency[],
  elsewhere: CountDependents,
): Move {
  const { linked, resolution, boundedRanges: chosen } = evaluated;
  const { requirement, constraint, key } = linked;
  const rules = versioning[key.system];
  const through = requirement.kind === 'text' ? requirement.via : [];
  if (requirement.kind === 'text' && requirement.managedBy)
    return overrideManaged(evaluated, version, requirement.managedBy);
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

  const bounded = boundedRangesFor(chosen, linked, resolution, verdictOf(evaluated).needsMove);
  const edits: Edit[] = [];
  let moved: { readonly text: string; readonly end: RangeEnd } | undefined;
  for (const { place, range } of places) {
    if (place.frozen !== undefined) return { ok: false, reason: place.frozen };
    const rewritten = rules.rewrite(range, version, bounded);
    if (!rewritten.ok) return { ok: false, reason: rewritten.reason };
    edits.push({ uri: place.uri, span: place.at.span, newText: place.at.encode(rewritten.text) });
    if (rewritten.end) moved = { text: rewritten.text, end: rewritten.end };
  }
  return { ok: true, edits, moves: countMoved(evaluated, all, elsewhere), through, ...(moved && { range: moved }) };
}

/** A version of its own, for a dependency with problems only: the others keep to what is managed together. */
function overrideManaged(evaluated: EvaluatedDependency, version: string, overrides: Published): Move {
  const { uri, dependency } = evaluated.linked;
  const { addition: at } = dependency;
  if (at === undefined || !verdictOf(evaluated).needsMove) return { ok: false, reason: managedText(overrides) };
  const edits = [{ uri, span: at.span, newText: at.encode(version) }];
  return { ok: true, edits, moves: 1, through: [], overrides };
}

export function managedText({ key, through }: Published): string {
  return l10n.t('managed by {0} {1}: update {2} instead', key.name, key.version, through);
}

/** How many dependencies of this and other files use the same literal. */
function countMoved(
  evaluated: EvaluatedDependency,
  all: readonly EvaluatedDependency[],
  elsewhere: CountDependents,
): number {
  const place = placeOf(evaluated.linked);
  if (evaluated.shared) return evaluated.shared.count;
  if (place === undefined) return 1;
  return all.filter(({ linked }) => isSamePlace(placeOf(linked), place)).length + elsewhere(place);
}
