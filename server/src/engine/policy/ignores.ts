import { groupBy } from '../base/collections.ts';
import { isoDay } from '../base/dates.ts';
import type { EvaluatedDependency } from '../model/evaluated-dependency.ts';
import type { AffectedBelow, Below } from '../model/graph/below.ts';
import type { PackageKey } from '../model/keys.ts';
import type { Ignore, Project } from '../model/project.ts';
import { isMalware } from '../model/severity-rating.ts';
import type { Advisory } from '../model/signals/advisory.ts';
import { matchesPackage } from './package-patterns.ts';

/**
 * The part of a project file that applies now: without expired ignores. An untrusted folder may add findings but not
 * hide any, so its ignores and exceptions do not apply, and names that stay private are not accepted.
 * @param now in ms since the epoch
 * @returns the same object until the day or the trust changes: what was found by it stays valid for as long
 */
export function effectiveProject(project: Project, now: number, isTrusted: boolean): Project {
  const today = isoDay(now);
  const before = inEffect.get(project);
  if (before?.today === today && before.isTrusted === isTrusted) return before.part;
  const part = partInEffect(project, today, isTrusted);
  inEffect.set(project, { today, isTrusted, part });
  return part;
}

const inEffect = new WeakMap<
  Project,
  { readonly today: string; readonly isTrusted: boolean; readonly part: Project }
>();

function partInEffect(project: Project, today: string, isTrusted: boolean): Project {
  const { licenses, ignores } = project;
  if (isTrusted) return { ...project, ignores: ignores.filter((it) => it.until === undefined || it.until >= today) };
  return {
    ...project,
    ignores: [],
    allowPrivate: false,
    ...(licenses && { licenses: { ...licenses, exceptions: [], runtimeOnly: false } }),
  };
}

/** The ignore that accepts a finding of a package. */
export function findIgnore(project: Project | undefined, key: PackageKey, ids: readonly string[]): Ignore | undefined {
  if (!project || project.ignores.length === 0) return undefined;
  const byId = ignoresById.get(project.ignores) ?? groupBy(project.ignores, (it) => it.id);
  ignoresById.set(project.ignores, byId);
  for (const id of ids) {
    const ignore = byId.get(id)?.find((it) => it.package === undefined || matchesPackage(it.package, key));
    if (ignore) return ignore;
  }
  return undefined;
}

/** The ignores of a file by finding: a lockfile looks them up thousands of times. */
const ignoresById = new WeakMap<Project['ignores'], ReadonlyMap<string, readonly Ignore[]>>();

/** The advisories that no ignore accepts. None accepts malware. */
export function activeAdvisories({ advisories, project, linked }: EvaluatedDependency): readonly Advisory[] {
  if (!project || project.ignores.length === 0) return advisories;
  return advisories.filter((it) => isMalware(it) || !findIgnore(project, linked.key, [it.id, ...it.aliases]));
}

/**
 * What a dependency brings along, without the problems that an ignore of their own package accepts. An ignore of
 * `advisory-below` is one of the direct dependency, and concerns its finding alone.
 */
export function activeBelow({ below, project }: EvaluatedDependency): Below | undefined {
  if (below === undefined || !project || project.ignores.length === 0) return below;
  if (below.affected.length + below.deprecated.length === 0) return below;
  const affected = below.affected.flatMap((it): AffectedBelow[] => {
    const isWhole = findIgnore(project, it.key, ['advisory']) !== undefined;
    const advisories = it.advisories.filter(
      (one) => isMalware(one) || !(isWhole || findIgnore(project, it.key, [one.id, ...one.aliases])),
    );
    return advisories.length === 0 ? [] : [{ ...it, advisories }];
  });
  const deprecated = below.deprecated.filter((it) => !findIgnore(project, it.key, ['deprecated']));
  return { ...below, affected, deprecated };
}

/** Whether an ignore accepts the deprecation. */
export function isDeprecationIgnored({ project, linked }: EvaluatedDependency): boolean {
  return findIgnore(project, linked.key, ['deprecated']) !== undefined;
}

/** How many findings of a dependency an ignore accepts, of what it brings, too: each vulnerability is one. */
export function ignoredCount(evaluated: EvaluatedDependency): number {
  const { advisories, below, project, linked, version } = evaluated;
  if (!project || project.ignores.length === 0) return 0;
  const isDeprecated = version?.state === 'ready' && version.value.isDeprecated;
  const isBelowIgnored = findIgnore(project, linked.key, ['advisory-below']) !== undefined;
  const brought = below?.affected ?? [];
  const counting =
    activeBelow(evaluated)?.affected.filter((it) => !isBelowIgnored || it.advisories.some(isMalware)) ?? [];
  return (
    advisories.length -
    activeAdvisories(evaluated).length +
    Number(isDeprecated && isDeprecationIgnored(evaluated)) +
    (brought.length - counting.length)
  );
}

/**
 * The ignores of a project file that concern a dependency: those that name it, and those for every package that accept
 * something of it, or of what it brings.
 */
export function ignoresOf({ advisories, below, project, linked, version }: EvaluatedDependency): readonly Ignore[] {
  if (!project || project.ignores.length === 0) return [];
  const brought = below?.affected ?? [];
  const present = new Set([
    ...[...advisories, ...brought.flatMap((it) => it.advisories)].flatMap((it) => [it.id, ...it.aliases]),
    ...(version?.state === 'ready' && version.value.isDeprecated ? ['deprecated'] : []),
    ...(brought.length > 0 ? ['advisory-below'] : []),
  ]);
  return project.ignores.filter((it) => {
    if (it.package === undefined) return present.has(it.id);
    return (
      matchesPackage(it.package, linked.key) ||
      (present.has(it.id) && brought.some(({ key }) => it.package !== undefined && matchesPackage(it.package, key)))
    );
  });
}
