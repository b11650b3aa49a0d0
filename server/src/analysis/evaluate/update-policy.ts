import type { Project } from '../../model/project.ts';

/** What a project asks of the versions that its dependencies are moved to. */
export interface UpdatePolicy {
  /** The same where the same versions are offered. */
  readonly id: string;
  readonly project?: Project;
  /** Versions published after `notAfter`, in ms since the epoch, are too young: younger than `days`. */
  readonly cooldown?: { readonly days: number; readonly notAfter: number };
}

const HOUR_MS = 3_600_000;

/**
 * The longer cooldown counts: a project can lengthen what a person chose, and not shorten it. Its end moves with each
 * full hour, so that what was found out holds for a while.
 * @param now in ms since the epoch
 */
export function updatePolicyOf(
  project: Project | undefined,
  chosen: { readonly cooldownDays: number },
  now: number,
): UpdatePolicy {
  const days = Math.max(chosen.cooldownDays, project?.cooldownDays ?? 0);
  const cooldown = days > 0 ? { days, notAfter: Math.floor(now / HOUR_MS) * HOUR_MS - days * 24 * HOUR_MS } : undefined;
  return {
    id: JSON.stringify([cooldown, project?.licenses]),
    ...(project && { project }),
    ...(cooldown && { cooldown }),
  };
}

/** Of a dependency that stands in no project. */
export const noUpdatePolicy: UpdatePolicy = { id: '' };
