import type { Definition, DefinitionRef, Dependency, Requirement, Source } from '../model/manifest.ts';
import type { Span } from '../model/span.ts';

/** The id by which other files know where a package is taken from. */
function idOf(name: string): string {
  return `source:${name}`;
}

/** Says to files that refer to this one that a package is taken from somewhere else than an index. */
export function takenFrom(name: string, source: Source, span: Span): Definition {
  return { id: idOf(name), span, value: { kind: 'source', source, span } };
}

/** The same dependency, which other files may take from elsewhere. One that says itself where it comes from stays as it is. */
export function takenAsSaid(dependency: Dependency, label: string): Dependency {
  if (!isOpen(dependency.requirement)) return dependency;
  const replacement: readonly DefinitionRef[] = [{ id: idOf(dependency.key.name), label }];
  return { ...dependency, replacement };
}

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

function isOpen(requirement: Requirement): boolean {
  return requirement.kind === 'literal' || requirement.kind === 'none' || requirement.kind === 'template';
}
