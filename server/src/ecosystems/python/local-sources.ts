import type { Definition, DefinitionRef, Dependency, Source } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { isRegistryRequirement } from '../shared/local-sources.ts';

/**
 * Where a package was taken from, by the word that a lockfile of Python has for it. A package that the project itself is
 * made of, in a folder that is edited, was taken from nowhere.
 */
export function lockedSource(word: string): Source | 'registry' | 'none' {
  switch (word) {
    case 'registry':
    case 'legacy':
      return 'registry';
    case 'editable':
    case 'virtual':
      return 'none';
    case 'directory':
    case 'path':
    case 'file':
      return 'path';
    case 'url':
    case 'archive':
      return 'url';
    default:
      return 'git';
  }
}

/** The id by which other files know where a package is taken from. */
function sourceId(name: string): string {
  return `source:${name}`;
}

/** Says to files that refer to this one that a package is taken from somewhere else than an index. */
export function sourceDefinition(name: string, source: Source, span: Span): Definition {
  return { id: sourceId(name), span, value: { kind: 'source', source, span } };
}

/** The same dependency, which other files may take from elsewhere. One that says itself where it comes from stays as it is. */
export function addSourceReplacement(dependency: Dependency, label: string): Dependency {
  if (!isRegistryRequirement(dependency.requirement)) return dependency;
  const replacement: readonly DefinitionRef[] = [{ id: sourceId(dependency.key.name), label }];
  return { ...dependency, replacement };
}
