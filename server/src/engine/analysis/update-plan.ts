import * as l10n from '@vscode/l10n';
import { groupBy } from '../base/collections.ts';
import { sameUri } from '../base/uri.ts';
import { versioning } from '../ecosystems/versioning.ts';
import {
  type EvaluatedDependency,
  factsOf,
  isPending,
  type LinkedDependency,
  placeOf,
} from '../model/evaluated-dependency.ts';
import type { Edit } from '../model/finding.ts';
import { packageId } from '../model/keys.ts';
import { type Insights, type Wanted, wantedId } from '../model/ports.ts';
import type { DependentsOf } from './dependents.ts';
import { type Fix, factsBefore, fixTo, managedText, recommendedFix, writtenFor } from './fixes.ts';
import { unusualFixText } from './rules/advisory.ts';
import { heldBackText } from './rules/cooldown-text.ts';
import { factsOfMove, fitOf } from './shared-target.ts';
import { verdictOf } from './verdict.ts';

/*
 * The update of everything, in a file or a workspace. Several packages may share one written version:
 *
 *     <spring.version>5.2.0.RELEASE</spring.version>
 *
 * It moves to the highest version that one of them needs, if that version is known to be sound for all of them.
 */

/** Which versions an update of everything moves to. */
export const updateScopes = ['safe', 'in-major', 'default'] as const;
export type UpdateScope = (typeof updateScopes)[number];

/** An update of everything: what it changes, and what it leaves with the reason. */
export interface UpdatePlan {
  /** Each place once, with the fix that decides its version. */
  readonly changes: readonly Change[];
  /** Dependencies that would have to move and do not, or of which that is not known. */
  readonly left: readonly LeftDependency[];
}

export interface Change {
  readonly edit: Edit;
  readonly fix: Fix;
}

export interface LeftDependency {
  readonly evaluated: EvaluatedDependency;
  /** The version that it would move to; absent if none is known. */
  readonly to?: string;
  /** A clause: `not checked`. */
  readonly reason: string;
}

type KnownFacts = Pick<Insights, 'version' | 'package' | 'advisory'>;

/** The dependencies at each place where a version is written. */
type Sharing = ReadonlyMap<string, readonly EvaluatedDependency[]>;

/**
 * What was not checked is not updated, and counts as left.
 * @param dependencies all that may share versions
 * @param elsewhere those of files that are not updated: a version that is not known to be sound for them stays
 */
export function planUpdates(
  dependencies: readonly EvaluatedDependency[],
  scope: UpdateScope,
  facts: KnownFacts,
  elsewhere: DependentsOf = () => [],
): UpdatePlan {
  const fixes: Fix[] = [];
  const left: LeftDependency[] = [];
  for (const evaluated of dependencies) {
    if (evaluated.linked.isRecorded) continue;
    const fix = fixInScope(evaluated, scope);
    const reason = reasonAgainst(evaluated, fix, scope);
    if (reason !== undefined) left.push({ evaluated, reason, ...(fix && { to: fix.target.version }) });
    else if (fix) fixes.push(fix);
  }
  const sharing = sharingOf(dependencies);
  const best = new Map<string, Change>();
  const refused: { readonly fix: Fix; readonly reason: string }[] = [];
  for (const fix of fixes) {
    const { evaluated, target, move } = fix;
    if (!move.ok || isDecidedByDefinition(fix, sharing)) continue;
    const reason = reasonAgainstSharing(fix, sharing, facts, elsewhere);
    if (reason !== undefined) {
      refused.push({ fix, reason });
      continue;
    }
    const { compare } = versioning[evaluated.linked.key.system];
    for (const edit of move.edits) {
      const place = placeId(edit.uri, edit.span.start);
      const other = best.get(place);
      if (!other || compare(target.version, other.fix.target.version) > 0) best.set(place, { edit, fix });
    }
  }
  for (const fix of fixes) follow(fix, best);
  for (const { fix, reason } of refused) {
    // Another one may move it along, to a version that all have.
    const isMoved = fix.move.ok && fix.move.edits.some((it) => best.has(placeId(it.uri, it.span.start)));
    if (!isMoved) left.push({ evaluated: fix.evaluated, to: fix.target.version, reason });
  }
  return { changes: [...best.values()], left };
}

/**
 * The facts that decide about shared versions, each once: the other packages are asked for the version that one of them
 * needs.
 */
export function factsOfSharing(
  dependencies: readonly EvaluatedDependency[],
  scope: UpdateScope,
  facts: KnownFacts,
): Wanted[] {
  const sharing = sharingOf(dependencies);
  if (sharing.size === 0) return [];
  const wanted = new Map<string, Wanted>();
  for (const evaluated of dependencies) {
    if (sharersOf(evaluated, sharing).length === 0) continue;
    const fix = fixInScope(evaluated, scope);
    if (fix === undefined) continue;
    const { version } = fix.target;
    const moved = { version, written: writtenFor(evaluated, version) };
    for (const { linked } of othersMovedBy(fix, sharing))
      for (const it of factsOfMove(linked.key, moved, facts)) wanted.set(wantedId(it), it);
  }
  return [...wanted.values()];
}

/**
 * Moves a requirement with its constraint where the constraint moves further for itself: `bb==1.1.*` does not satisfy a
 * constraint `bb~=2.0`.
 */
function follow(fix: Fix, best: Map<string, Change>): void {
  const { evaluated, target, move } = fix;
  const { key } = evaluated.linked;
  if (!move.ok || move.edits.length < 2) return;
  const { compare } = versioning[key.system];
  const at = (it: Edit): Change | undefined => best.get(placeId(it.uri, it.span.start));
  const [highest = target] = move.edits
    .flatMap((it) => at(it)?.fix ?? [])
    .filter((it) => packageId(it.evaluated.linked.key) === packageId(key))
    .map((it) => it.target)
    .sort((a, b) => compare(b.version, a.version));
  if (compare(highest.version, target.version) <= 0) return;
  const moved = fixTo(evaluated, highest.version).move;
  if (!moved.ok) return;
  for (const edit of moved.edits)
    if (at(edit)?.fix === fix)
      best.set(placeId(edit.uri, edit.span.start), { edit, fix: { ...fix, target: highest, move: moved } });
}

function placeId(uri: string, start: number): string {
  return `${sameUri(uri)} ${start}`;
}

function placeIdOf(linked: LinkedDependency): string | undefined {
  const place = placeOf(linked);
  return place && placeId(place.uri, place.at.span.start);
}

/** Only the places that several packages, or a definition, share. */
function sharingOf(all: readonly EvaluatedDependency[]): Sharing {
  const defined = all.filter((it) => it.shared || placeOf(it.linked)?.definition !== undefined);
  const sharing = groupBy(defined, ({ linked }) => placeIdOf(linked) ?? '');
  for (const [place, [first, ...others]] of sharing) {
    const name = first && packageId(first.linked.key);
    if (!others.some((it) => it.shared || packageId(it.linked.key) !== name)) sharing.delete(place);
  }
  return sharing;
}

function sharersOf({ linked }: EvaluatedDependency, sharing: Sharing): readonly EvaluatedDependency[] {
  return sharing.get(placeIdOf(linked) ?? '') ?? [];
}

function othersMovedBy({ evaluated, move }: Fix, sharing: Sharing): readonly EvaluatedDependency[] {
  const own = packageId(evaluated.linked.key);
  const places = move.ok ? move.edits.map((it) => placeId(it.uri, it.span.start)) : [];
  return places.flatMap((it) => sharing.get(it) ?? []).filter((it) => packageId(it.linked.key) !== own);
}

/** The entry of a definition has checked all its users, also those of other manifests. */
function isDecidedByDefinition({ evaluated }: Fix, sharing: Sharing): boolean {
  return evaluated.shared === undefined && sharersOf(evaluated, sharing).some((it) => it.shared);
}

/** Why a fix does not suit all packages that share its version; undefined if it does. */
function reasonAgainstSharing(
  fix: Fix,
  sharing: Sharing,
  facts: KnownFacts,
  elsewhere: DependentsOf,
): string | undefined {
  const { evaluated } = fix;
  if (evaluated.shared) return undefined;
  if (evaluated.sharing?.conflict) return evaluated.sharing.conflict.reason;
  const { version } = fix.target;
  const sharers = othersMovedBy(fix, sharing);
  const { linked } = evaluated;
  const place = placeOf(linked);
  const own = packageId(linked.key);
  const others = place?.definition === undefined ? [] : elsewhere(place).filter((it) => packageId(it.key) !== own);
  if (sharers.length + others.length === 0) return undefined;
  const moved = { version, written: writtenFor(evaluated, version) };
  const here = sharers.map((it) => {
    const { key, dependency } = it.linked;
    return { name: dependency.name, fit: fitOf(key, moved, factsOf(it), facts) };
  });
  const there = others.map((it) => {
    return { name: it.name, fit: fitOf(it.key, moved, factsBefore(it, evaluated, facts), facts) };
  });
  for (const { name, fit } of [...here, ...there]) {
    switch (fit) {
      case 'lacking':
        return l10n.t('{0} shares it and has no such version', name);
      case 'unchecked':
        return l10n.t('not checked for {0}, which shares it', name);
      case 'malicious':
        return l10n.t('{0} shares it and is malicious in this version', name);
      case 'worse':
        return l10n.t('{0} shares it and has a problem in this version', name);
      case 'lower':
        return l10n.t('{0} shares it and has a higher version', name);
      case 'sound':
        break;
    }
  }
  return undefined;
}

/** The fix of an update of everything. A version that was not checked, or has a problem, is not moved to. */
function fixInScope(evaluated: EvaluatedDependency, scope: UpdateScope): Fix | undefined {
  const fix = anyFixInScope(evaluated, scope);
  const refusal = fix?.move.ok ? refusalOf(fix, scope) : undefined;
  return fix && refusal !== undefined ? { ...fix, move: { ok: false, reason: refusal } } : fix;
}

/** Why a person decides on a fix alone; undefined if an update of everything may make it. */
function refusalOf({ evaluated, target, move }: Fix, scope: UpdateScope): string | undefined {
  // An override outlives the update that makes it unnecessary.
  if (move.ok && move.overrides) return managedText(move.overrides);
  if (target.isDowngrade && evaluated.resolution.kind === 'no-match') return l10n.t('lower than the one written');
  if (scope !== 'in-major' || (target.step !== undefined && target.step !== 'major')) return undefined;
  return target.step === 'major' ? l10n.t('only a major step fixes it') : l10n.t('the size of the step is not known');
}

function anyFixInScope(evaluated: EvaluatedDependency, scope: UpdateScope): Fix | undefined {
  const { needsMove, targets, recommended } = verdictOf(evaluated);
  if (scope === 'safe') return needsMove || !factsOf(evaluated) ? safeFix(evaluated) : undefined;
  const ofScope =
    targets.find((it) => it.kinds.includes(scope) && !it.isPreRelease) ??
    targets.find((it) => it.kinds.includes('stable')) ??
    // Packages that share a version have one target.
    (evaluated.shared && recommended);
  const target = ofScope?.isChecked && ofScope.flaw === undefined ? ofScope : undefined;
  if (target === undefined) return anyFixInScope(evaluated, 'safe');
  return { evaluated, target, ...fixTo(evaluated, target.version) };
}

/** With the version that packages that share it lack: the reason is found with them. */
function safeFix(evaluated: EvaluatedDependency): Fix | undefined {
  const { blocked } = verdictOf(evaluated);
  return blocked ? { evaluated, target: blocked, ...fixTo(evaluated, blocked.version) } : recommendedFix(evaluated);
}

function reasonAgainst(evaluated: EvaluatedDependency, fix: Fix | undefined, scope: UpdateScope): string | undefined {
  const { resolution, version, heldFix, heldBack, shared } = evaluated;
  if (fix && !fix.target.isChecked) return l10n.t('not checked');
  if (fix) return fix.move.ok ? undefined : fix.move.reason;
  const isFailed = resolution.kind === 'failed' || version?.state === 'failed';
  if (isFailed || isPending(evaluated)) return l10n.t('not checked');
  if (resolution.kind === 'unknown' || version?.state === 'unknown') return l10n.t('unknown to the service');
  if (resolution.kind === 'none') return resolution.withheld ? l10n.t('kept private') : undefined;
  const { needsMove, targets, isWithoutFix, unusualFix, fixUnknown } = verdictOf(evaluated);
  if (needsMove && shared?.conflict) return shared.conflict.reason;
  if (isWithoutFix) return l10n.t('no fixed version');
  if (unusualFix) return unusualFixText(unusualFix);
  if (fixUnknown !== undefined) return fixUnknown;
  if (needsMove || resolution.kind === 'no-match') {
    const held = heldFix ?? heldBack;
    return held ? l10n.t('{0}: {1}', held.version, heldBackText(held)) : l10n.t('no version without problems is known');
  }
  const target = scope === 'safe' ? undefined : targets.find((it) => it.kinds.includes(scope));
  return target && (target.flaw ?? l10n.t('not checked'));
}
