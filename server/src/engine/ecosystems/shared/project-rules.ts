import type { Definition, Dependency } from '../../model/manifest.ts';

/*
 * What a project decides about its own dependencies, wherever they are named. The ids are those of definitions:
 *
 *     override:resolutions:minimist        takes the place of every requirement of the package
 *     narrowed:jinja2                      narrows it
 *     narrowed-build:setuptools            narrows it where it builds something
 *     patched:left-pad@1.3.0               the project changes the files of this version
 */

/** The field `overrides`, as far as it replaces what the project requires itself. */
export const ownOverrides = 'own overrides';
/** Where Poetry takes packages from elsewhere that the project requires in another table. */
export const poetryTable = 'tool.poetry.dependencies';
/** Sources of uv of which each has a condition. */
export const conditionalSources = 'tool.uv.sources';

export const overrideId = (field: string, name: string): string => `override:${field}:${name}`;
export const narrowedId = (name: string): string => `narrowed:${name}`;
export const narrowedBuildId = (name: string): string => `narrowed-build:${name}`;
export const patchedId = (name: string): string => `patched:${name}`;

/** The definitions of the overrides among some dependencies, by the field that names them. */
export function overrideDefinitions(
  dependencies: readonly Dependency[],
  fieldOf: (group: string) => string | undefined,
): Definition[] {
  return dependencies.flatMap((it) => {
    const field = fieldOf(it.group ?? '');
    if (field === undefined) return [];
    const { nameSpan: span, requirement: value, frozen, condition } = it;
    const more = { span, value, ...(frozen !== undefined && { frozen }) };
    if (field === 'override-dependencies')
      return { id: overrideId(field, it.key.name), ...more, ...(condition !== undefined && { condition }) };
    // For npm's clients it is the part of a package that is meant: `@acme/ui@^1`.
    const own = it.key.name !== it.name ? { key: it.key } : {};
    return { id: overrideId(field, condition ?? it.name), ...more, ...own };
  });
}
