import type { Dependency, Requirement, Source } from '../model/manifest.ts';

/**
 * What one group takes from a folder or a repository every group does: one version serves them all, and the number in the
 * other group is for those who install the published package.
 *
 *     [tool.poetry.dependencies]                  [tool.poetry.group.dev.dependencies]
 *     mine = "^1.2"                               mine = { path = "../mine", develop = true }
 */
export function takenByAll(dependencies: readonly Dependency[]): Dependency[] {
  const taken = new Map<string, { readonly source: Source; readonly group: string | undefined }>();
  for (const { key, requirement, condition, scope, group } of dependencies) {
    // What builds the package is installed apart.
    if (requirement.kind === 'source' && condition === undefined && scope !== 'build')
      taken.set(key.name, { source: requirement.source, group });
  }
  if (taken.size === 0) return [...dependencies];
  return dependencies.map((it) => {
    const elsewhere = taken.get(it.key.name);
    // Beside it in one group, another one holds under a condition of its own.
    const isOther = it.scope === 'build' || (it.condition !== undefined && it.group === elsewhere?.group);
    if (!elsewhere || isOther || !isOpen(it.requirement)) return it;
    const span = it.requirement.kind === 'literal' ? it.requirement.at.span : it.nameSpan;
    return { ...it, requirement: { kind: 'source', source: elsewhere.source, span } };
  });
}

/** Whether it says which version, but not where from. */
export function isOpen(requirement: Requirement): boolean {
  return requirement.kind === 'literal' || requirement.kind === 'none' || requirement.kind === 'template';
}
