import type { Definition, DefinitionRef, Dependency, FileLink, Requirement, Source } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { isRegistryRequirement } from '../shared/local-sources.ts';

/** The id of the definition of a package's source. */
export function sourceId(name: string): string {
  return `source:${name}`;
}

/** Defines the source of a package, which does not come from an index, for the files that refer to this one. */
export function sourceDefinition(name: string, source: Source, span: Span): Definition {
  return releaseDefinition(name, { kind: 'source', source, span }, span);
}

/** The same with the version that an address names. */
export function releaseDefinition(name: string, value: Requirement, span: Span): Definition {
  return { id: sourceId(name), span, value };
}

/** Lets other files define another source for a dependency. One with a source of its own stays. */
export function addSourceReplacement(dependency: Dependency, label: string): Dependency {
  if (!isRegistryRequirement(dependency.requirement)) return dependency;
  const replacement: readonly DefinitionRef[] = [{ id: sourceId(dependency.key.name), label }];
  return { ...dependency, replacement };
}

/** The folder of a local package, and where it is named. */
export interface LocalFolder {
  readonly path: string;
  readonly span: Span;
}

/** Leads to what the project in a folder is defined by. */
export function folderLink({ path, span }: LocalFolder): FileLink {
  return { span, paths: ['pyproject.toml', 'setup.py', 'setup.cfg'].map((it) => `${path.replace(/\/$/, '')}/${it}`) };
}
