import type { Definition, DefinitionRef, Dependency, Source } from '../model/manifest.ts';
import type { Span } from '../model/span.ts';
import { isOpen } from './taken-by-all.ts';

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
