import type { Definition, Dependency, FileRef } from '../model/manifest.ts';
import { shared } from '../model/shared.ts';
import type { Span } from '../model/span.ts';
import { readSpecifier, type SpecifierText } from './npm-specifier.ts';

/** An entry of a catalog: a version with a name that the members of a workspace refer to as `catalog:`. */
export interface CatalogEntry {
  readonly dependency: Dependency;
  readonly definition: Definition;
}

/**
 * Reads an entry of pnpm's, yarn's or bun's catalogs.
 *
 *     catalogs:
 *       legacy:
 *         react: ^17.0.2      catalog:legacy/react
 *
 * @param called the catalog: `default` for the one without a name
 */
export function readCatalogEntry(called: string, name: string, nameSpan: Span, value: SpecifierText): CatalogEntry {
  const catalog = shared(called);
  const { name: meant, requirement, frozen } = readSpecifier(name, value);
  const key = { system: 'NPM', name: meant } as const;
  const definition: Definition = {
    id: `catalog:${catalog}/${name}`,
    span: nameSpan,
    value: requirement,
    ...(meant !== name && { key }),
    ...(frozen !== undefined && { frozen }),
  };
  const dependency: Dependency = {
    key,
    name,
    nameSpan,
    requirement,
    scope: 'runtime',
    group: groupOf(catalog),
    ...(frozen !== undefined && { frozen }),
  };
  return { dependency, definition };
}

/** What a catalog is called in `Dependency.group`. */
function groupOf(catalog: string): string {
  return catalog === 'default' ? 'catalog' : `catalogs ${catalog}`;
}

/** Where the catalogs of a package.json are: pnpm's, yarn's, and bun's in the workspace's own package.json. */
export const catalogFiles: readonly FileRef[] = [
  { kind: 'workspace', path: 'pnpm-workspace.yaml', format: 'pnpm-workspace.yaml', upward: 'self' },
  { kind: 'workspace', path: '.yarnrc.yml', format: '.yarnrc.yml', upward: 'self' },
  { kind: 'workspace', path: 'package.json', format: 'package.json', upward: 'parent' },
];
