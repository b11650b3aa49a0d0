import type { Project } from '../model/project.ts';
import type { Settling } from './settling.ts';

/** What a project asks of the versions that its dependencies are moved to. */
export interface Terms {
  /** The same where the same versions are offered. */
  readonly id: string;
  readonly project?: Project;
  /** Versions published after `notAfter`, in ms since the epoch, are too young: younger than `days`. */
  readonly cooldown?: { readonly days: number; readonly notAfter: number };
}

/** What decides, besides its text, what of a project file is in force. */
export interface Surroundings {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Whether the person trusts the workspace: only then does it hide anything. */
  isTrusted(): boolean;
  /** Address of the project file that counts for every manifest; absent where each has the one nearest to it. */
  readonly projectFile?: string;
  /** What files said before they were changed; absent where nobody changes any. */
  readonly settling?: Settling;
}

const hour = 3_600_000;

/**
 * The longer cooldown counts: a project can lengthen what a person chose, and not shorten it. Its end moves with each
 * full hour, so that what was found out holds for a while.
 * @param now in ms since the epoch
 */
export function termsOf(project: Project | undefined, chosen: { readonly cooldownDays: number }, now: number): Terms {
  const days = Math.max(chosen.cooldownDays, project?.cooldownDays ?? 0);
  const cooldown = days > 0 ? { days, notAfter: Math.floor(now / hour) * hour - days * 24 * hour } : undefined;
  return {
    id: JSON.stringify([cooldown, project?.licenses]),
    ...(project && { project }),
    ...(cooldown && { cooldown }),
  };
}

/** Of a dependency that stands in no project. */
export const noTerms: Terms = { id: '' };
