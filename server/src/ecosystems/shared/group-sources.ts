import type { Dependency, Requirement, Source } from '../../model/manifest.ts';

/**
 * What one group takes from a folder or a repository every group does: one version serves them all, and the number in the
 * other group is for those who install the published package.
 *
 *     [tool.poetry.dependencies]                  [tool.poetry.group.dev.dependencies]
 *     mine = "^1.2"                               mine = { path = "../mine", develop = true }
 *
 * @param always whether a condition is no limit: PDM locks one of each package, and takes what has an address anywhere
 */
export function takenByAll(dependencies: readonly Dependency[], always = false): Dependency[] {
  const taken = new Map<string, { readonly source: Source; readonly group: string | undefined }>();
  for (const { key, requirement, condition, scope, group } of dependencies) {
    // What builds the package is installed apart.
    if (requirement.kind === 'source' && (always || condition === undefined) && scope !== 'build')
      taken.set(key.name, { source: requirement.source, group });
  }
  if (taken.size === 0) return [...dependencies];
  return dependencies.map((it) => {
    const elsewhere = taken.get(it.key.name);
    // Beside it in one group, another one holds under a condition of its own.
    const isBeside = !always && it.condition !== undefined && it.group === elsewhere?.group;
    const isOther = it.scope === 'build' || isBeside;
    if (!elsewhere || isOther || !isOpen(it.requirement)) return it;
    const span = it.requirement.kind === 'literal' ? it.requirement.at.span : it.nameSpan;
    return { ...it, requirement: { kind: 'source', source: elsewhere.source, span } };
  });
}

/** uv and PDM lock a workspace as a whole: what one member takes from elsewhere, the others take from there, too. */
export function takenForAll(dependencies: readonly Dependency[], always = false): string[] {
  return dependencies.flatMap(({ key, requirement, condition, scope }) =>
    requirement.kind === 'source' && (always || condition === undefined) && scope !== 'build' ? [key.name] : [],
  );
}

/** Whether it says which version, but not where from. */
export function isOpen(requirement: Requirement): boolean {
  return requirement.kind === 'literal' || requirement.kind === 'none' || requirement.kind === 'template';
}
