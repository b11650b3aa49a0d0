import type { Dependency, Requirement, Source } from '../../model/manifest.ts';

/**
 * Applies a local source (a folder or a repository) of a package in one group to its dependencies in all groups. One version
 * serves all groups; the number in the other group is for those who install the published package.
 *
 *     [tool.poetry.dependencies]                  [tool.poetry.group.dev.dependencies]
 *     mine = "^1.2"                               mine = { path = "../mine", develop = true }
 *
 * @param always whether sources under a condition count, too: PDM locks one version of each package, and prefers an address
 */
export function applyLocalSources(dependencies: readonly Dependency[], always = false): Dependency[] {
  const sources = new Map<string, { readonly source: Source; readonly group: string | undefined }>();
  for (const { key, requirement, condition, scope, group } of dependencies) {
    // Build dependencies are installed apart. What a peer may come from is for others to decide.
    if (requirement.kind === 'source' && (always || condition === undefined) && scope !== 'build' && scope !== 'peer')
      sources.set(key.name, { source: requirement.source, group });
  }
  if (sources.size === 0) return [...dependencies];
  return dependencies.map((it) => {
    const elsewhere = sources.get(it.key.name);
    // An entry beside it in its own group applies under a condition of its own.
    const isBeside = !always && it.condition !== undefined && it.group === elsewhere?.group;
    const isOther = it.scope === 'build' || isBeside;
    if (!elsewhere || isOther || !isRegistryRequirement(it.requirement)) return it;
    const span = it.requirement.kind === 'literal' ? it.requirement.at.span : it.nameSpan;
    const written = { requirement: it.requirement, by: elsewhere.group ?? '' };
    return { ...it, requirement: { kind: 'source', source: elsewhere.source, span }, written };
  });
}

/** The packages that have a local source. uv and PDM lock a workspace as a whole, so it counts for all members. */
export function namesFromSources(dependencies: readonly Dependency[], always = false): string[] {
  return dependencies.flatMap(({ key, requirement, condition, scope }) =>
    requirement.kind === 'source' && (always || condition === undefined) && scope !== 'build' ? [key.name] : [],
  );
}

/** Whether it requires a version, or any, and names no source. */
export function isRegistryRequirement(requirement: Requirement): boolean {
  return requirement.kind === 'literal' || requirement.kind === 'none' || requirement.kind === 'template';
}
