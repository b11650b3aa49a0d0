import { isoDay } from '../model/day.ts';
import { groupBy } from '../model/grouped.ts';
import type { PackageKey } from '../model/keys.ts';
import { type Ignore, meansPackage, type Project } from '../model/project.ts';
import type { Advisory, Subject } from '../model/subject.ts';

/**
 * What of a project file holds now. A folder that is not trusted may tighten what is found in it, and hide nothing:
 * its ignores and exceptions do not count.
 * @param now in ms since the epoch
 */
export function inForce(project: Project, now: number, isTrusted: boolean): Project {
  const { licenses, ignores } = project;
  if (!isTrusted) {
    return {
      ...project,
      ignores: [],
      ...(licenses && { licenses: { ...licenses, exceptions: [], runtimeOnly: false } }),
    };
  }
  const today = isoDay(now);
  return { ...project, ignores: ignores.filter((it) => it.until === undefined || it.until >= today) };
}

/** What says that a finding of a package is accepted; undefined where nothing does. */
export function ignoreOf(project: Project | undefined, key: PackageKey, ids: readonly string[]): Ignore | undefined {
  if (!project || project.ignores.length === 0) return undefined;
  const byId = known.get(project.ignores) ?? groupBy(project.ignores, (it) => it.id);
  known.set(project.ignores, byId);
  for (const id of ids) {
    const ignore = byId.get(id)?.find((it) => it.package === undefined || meansPackage(it.package, key));
    if (ignore) return ignore;
  }
  return undefined;
}

/** The ignores of a file by what they are about: a lockfile asks for them thousands of times. */
const known = new WeakMap<Project['ignores'], ReadonlyMap<string, readonly Ignore[]>>();

/** The advisories that nobody has accepted. */
export function activeAdvisories({ advisories, project, linked }: Subject): readonly Advisory[] {
  if (!project || project.ignores.length === 0) return advisories;
  return advisories.filter((it) => !ignoreOf(project, linked.key, [it.id, ...it.aliases]));
}

/** Whether the deprecation is news to anybody. */
export function isDeprecationIgnored({ project, linked }: Subject): boolean {
  return ignoreOf(project, linked.key, ['deprecated']) !== undefined;
}
