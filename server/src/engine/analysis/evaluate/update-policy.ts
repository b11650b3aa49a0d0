import type { LinkedDependency, Resolution } from '../../model/evaluated-dependency.ts';
import { type Project, projectFileName } from '../../model/project.ts';
import type { Cooldown, CooldownRule } from '../../model/registries/cooldown.ts';
import type { BoundedRanges } from '../../model/versioning.ts';

/** The restrictions on versions that dependencies may move to. */
export interface UpdatePolicy {
  /** Equal for policies that allow the same versions. */
  readonly id: string;
  readonly project?: Project;
  readonly cooldown?: Cooldown;
  /** Absent for the default. */
  readonly boundedRanges?: BoundedRanges;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Most malicious releases are found within three days. It applies where no cooldown is configured. */
const DEFAULT_DAYS = 3;

/**
 * The strictest cooldown applies: a project can lengthen that of the person, not shorten it. Its end moves every full
 * hour, so that evaluations stay valid for a while.
 * @param now in ms since the epoch
 * @param others what the settings of package managers and of services that update say
 */
export function updatePolicyOf(
  project: Project | undefined,
  chosen: { readonly cooldownDays: number | undefined; readonly boundedRanges?: BoundedRanges },
  now: number,
  others: readonly CooldownRule[] = [],
): UpdatePolicy {
  const rules = [
    ...daysRule('packageInsights.cooldownDays', chosen.cooldownDays),
    ...daysRule('cooldownDays', project?.cooldownDays, projectFileName),
    ...others,
    {
      key: 'packageInsights.cooldownDays',
      limit: { kind: 'age', age: DEFAULT_DAYS * DAY_MS },
      isDefault: true,
    } as const,
  ];
  const cooldown = { now: Math.floor(now / HOUR_MS) * HOUR_MS, rules };
  const boundedRanges = chosen.boundedRanges === 'widen' ? undefined : chosen.boundedRanges;
  return {
    id: JSON.stringify([cooldown, project?.licenses, boundedRanges]),
    ...(project && { project }),
    cooldown,
    ...(boundedRanges && { boundedRanges }),
  };
}

/** The policy for a version that repairs something: only package managers keep it back, since they do not install it. */
export function fixPolicyOf(policy: UpdatePolicy): UpdatePolicy {
  const { cooldown } = policy;
  const rules = cooldown?.rules.filter((it) => it.refuses) ?? [];
  return cooldown ? { ...policy, cooldown: { ...cooldown, rules, isForFixes: true } } : policy;
}

function daysRule(key: string, days: number | undefined, from?: string): CooldownRule[] {
  if (days === undefined) return [];
  return [{ key, ...(from !== undefined && { from }), limit: { kind: 'age', age: days * DAY_MS } }];
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
