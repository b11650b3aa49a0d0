import { narrowed } from '../manifests/pom-artifacts.ts';
import type { Dependency, Scope } from '../model/manifest.ts';
import type { Definitions } from './definitions.ts';

/** Maven gives a dependency that states no scope the one that management has for it. */
export function scopeOf({ managed, scope, requirement }: Dependency, definitions: Definitions): Scope {
  if (managed === undefined) return scope;
  return narrowed(scope, managedScope(definitions, managed, requirement.kind === 'reference'));
}

/**
 * @param id of what is managed
 * @param isOpen a published bill may say the version, too; else none is read for the scope alone, which hardly any says
 * @returns Maven's word, `''` where there is none
 */
export function managedScope(definitions: Definitions, id: string, isOpen: boolean): string {
  const found = isOpen ? definitions.get(id) : definitions.near(id);
  const scope = found?.definition.scope && definitions.join(found.definition.scope);
  return scope?.kind === 'text' ? scope.text : '';
}
