import { groupBy } from '../base/collections.ts';
import { packageId } from '../model/keys.ts';
import type { DeclaredRequirement, GroupScope, RequirementGroup } from './requirement-group.ts';

/** The differences between the requirements of two versions. */
export interface RequirementsDiff {
  readonly adds: readonly DeclaredRequirement[];
  readonly drops: readonly DeclaredRequirement[];
  readonly changes: readonly { readonly from: DeclaredRequirement; readonly to: DeclaredRequirement }[];
}

/** The scopes that users of a package install, too. The others matter only to its authors. */
const brought: ReadonlySet<GroupScope> = new Set(['runtime', 'optional', 'peer', 'parent']);

/**
 * Compares by package. A package in several groups, such as those of NuGet's frameworks, counts once, with the
 * requirement of its first group. It counts as changed if one of its new requirements is in no group of the old
 * version.
 */
export function diffRequirements(
  before: readonly RequirementGroup[],
  after: readonly RequirementGroup[],
): RequirementsDiff {
  const [old, next] = [byPackage(before), byPackage(after)];
  const adds = [...next].flatMap(([id, [first]]) => (first && !old.has(id) ? [first] : []));
  const drops = [...old].flatMap(([id, [first]]) => (first && !next.has(id) ? [first] : []));
  const changes = [...old].flatMap(([id, [from, ...others]]) => {
    const [to, ...rest] = next.get(id) ?? [];
    if (from === undefined || to === undefined) return [];
    const known = new Set([from, ...others].map((it) => it.requirement));
    const changed = [to, ...rest].find((it) => !known.has(it.requirement));
    return changed ? [{ from, to: changed }] : [];
  });
  return { adds, drops, changes };
}

function byPackage(groups: readonly RequirementGroup[]): Map<string, DeclaredRequirement[]> {
  const all = groups.filter((it) => brought.has(it.scope)).flatMap((it) => it.entries);
  return groupBy(all, (it) => packageId(it.key));
}
