import { isNamedBy } from '../../ecosystems/shared/cooldown-names.ts';
import { stepOf } from '../../ecosystems/shared/step.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import type { VersionFacts } from '../../model/facts.ts';
import type { PackageKey } from '../../model/keys.ts';
import type { Cooldown, CooldownLimit, CooldownRule, HeldBack } from '../../model/registries/cooldown.ts';
import { stepNames } from '../../model/versioning.ts';

/** Which of the versions of one package are too young. */
export interface PackageCooldown {
  /**
   * What keeps a version back for the longest time. Nothing does where it is not known when it was published.
   * @param current the version in use: some rules differ by step. Without it, the shortest step counts.
   */
  heldBack(version: string, publishedAt: number | undefined, current?: string): HeldBack | undefined;
}

const nothingHeldBack: PackageCooldown = { heldBack: () => undefined };

/** The cooldown of a package. The default applies where no rule for it is configured. */
export function cooldownOf(cooldown: Cooldown | undefined, key: PackageKey): PackageCooldown {
  if (cooldown === undefined) return nothingHeldBack;
  const { now, rules } = cooldown;
  const concerning = rules.filter((it) => concerns(it, key));
  const isChosen = concerning.some((it) => !it.isDefault);
  const applied = concerning.filter((it) => !isChosen || !it.isDefault || it.refuses);
  if (applied.length === 0) return nothingHeldBack;
  const earliest = Math.min(...applied.flatMap((it) => limitsOf(it).map((limit) => lastDate(limit, now))));
  return {
    heldBack(version, publishedAt, current) {
      if (publishedAt === undefined || publishedAt <= earliest) return undefined;
      let found: HeldBack | undefined;
      for (const rule of applied) {
        const limit = limitFor(rule, key, current, version, now);
        if (publishedAt <= lastDate(limit, now) || isExcepted(rule, key, version)) continue;
        if (!found || lastDate(limit, now) < lastDate(found.limit, now)) found = { version, publishedAt, rule, limit };
      }
      return found;
    },
  };
}

/** The cooldown of the service, where it has one for this version. */
export function heldByService(cooldown: Cooldown | undefined, facts: VersionFacts): HeldBack | undefined {
  const { version, cooldownEnd: end, publishedAt } = facts;
  if (cooldown === undefined || cooldown.isForFixes || end === undefined || end <= cooldown.now) return undefined;
  const limit = { kind: 'until', end } as const;
  return { version, publishedAt: publishedAt ?? cooldown.now, rule: { key: 'cooldown', limit }, limit };
}

/** In ms since the epoch: what is published later is too young. */
function lastDate(limit: CooldownLimit, now: number): number {
  switch (limit.kind) {
    case 'age':
      return limit.age > 0 ? now - limit.age : Number.POSITIVE_INFINITY;
    case 'date':
      return limit.before;
    case 'until':
      return limit.end > now ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    case 'unclear':
      return Number.NEGATIVE_INFINITY;
  }
}

function limitsOf({ limit, steps = {} }: CooldownRule): CooldownLimit[] {
  return [limit, ...stepNames.flatMap((it) => steps[it] ?? [])];
}

function limitFor(
  rule: CooldownRule,
  { system }: PackageKey,
  current: string | undefined,
  version: string,
  now: number,
): CooldownLimit {
  const { limit, steps } = rule;
  if (steps === undefined) return limit;
  if (current === undefined) return limitsOf(rule).reduce((a, b) => (lastDate(a, now) < lastDate(b, now) ? b : a));
  const step = stepOf(system, current, version);
  return (step && steps[step]) ?? limit;
}

function concerns({ system, only }: CooldownRule, key: PackageKey): boolean {
  return (system === undefined || system === key.system) && (only?.some((it) => isNamedBy(it, key)) ?? true);
}

function isExcepted({ except = [] }: CooldownRule, key: PackageKey, version: string): boolean {
  const { satisfies } = versioning[key.system];
  return except.some((it) => isNamedBy(it, key) && (it.range === undefined || satisfies(version, it.range)));
}
