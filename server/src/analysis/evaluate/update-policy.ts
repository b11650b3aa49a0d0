import type { LinkedDependency, Resolution } from '../../model/evaluated-dependency.ts';
import type { Project } from '../../model/project.ts';
import type { BoundedRanges } from '../../model/versioning.ts';

/** The restrictions on versions that dependencies may move to. */
export interface UpdatePolicy {
  /** Equal for policies that allow the same versions. */
  readonly id: string;
  readonly project?: Project;
  /** Versions published after `notAfter`, in ms since the epoch, are too young: younger than `days`. */
  readonly cooldown?: { readonly days: number; readonly notAfter: number };
  /** Absent for the default. */
  readonly boundedRanges?: BoundedRanges;
}

const HOUR_MS = 3_600_000;

/**
 * The longer cooldown applies: a project can lengthen that of the person, not shorten it. Its end moves every full
 * hour, so that evaluations stay valid for a while.
 * @param now in ms since the epoch
 */
export function updatePolicyOf(
  project: Project | undefined,
  chosen: { readonly cooldownDays: number; readonly boundedRanges?: BoundedRanges },
  now: number,
): UpdatePolicy {
  const days = Math.max(chosen.cooldownDays, project?.cooldownDays ?? 0);
  const cooldown = days > 0 ? { days, notAfter: Math.floor(now / HOUR_MS) * HOUR_MS - days * 24 * HOUR_MS } : undefined;
  const boundedRanges = chosen.boundedRanges === 'widen' ? undefined : chosen.boundedRanges;
  return {
    id: JSON.stringify([cooldown, project?.licenses, boundedRanges]),
    ...(project && { project }),
    ...(cooldown && { cooldown }),
    ...(boundedRanges && { boundedRanges }),
  };
}

/**
 * What becomes of the end of a range. A lockfile keeps a version as long as the range allows it: a version with problems
 * must leave the range.
 * @param chosen absent for the default
 */
export function boundedRangesFor(
  chosen: BoundedRanges | undefined,
  { dependency }: Pick<LinkedDependency, 'dependency'>,
  resolution: Resolution,
  hasProblem: boolean,
): BoundedRanges | undefined {
  const isLocked = resolution.kind === 'version' && resolution.from === 'lockfile';
  if (chosen !== undefined || !isLocked || dependency.scope === 'peer') return chosen;
  return hasProblem ? 'replace' : undefined;
}

/** For dependencies without a project. */
export const noUpdatePolicy: UpdatePolicy = { id: '' };
