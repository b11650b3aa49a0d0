import { addTo } from '../../base/collections.ts';
import type { Dependency, FileLink, Manifest } from '../../model/manifest.ts';

/** Groups that replace a package in the whole workspace. */
const workspaceOverrides: ReadonlySet<string | undefined> = new Set(['overrides', 'resolutions', 'pnpm.overrides']);

/**
 * The packages that a manifest of npm, yarn, pnpm or bun takes from elsewhere than a registry.
 *
 *     "dependencies": { "lib": "file:../lib" }     the package there: npm gives it to others in the workspace, too
 *     "overrides": { "core": "github:acme/core" }  `core`, for all dependents
 *
 * @param members the places that name members of its workspace
 */
export function localPackages(
  dependencies: readonly Dependency[],
  text: string,
  fieldOf = (group: string): string => group,
  members: readonly FileLink[] = [],
): Pick<Manifest, 'modules' | 'makes' | 'fields' | 'links'> {
  const links = [...members];
  const modules = new Set<string>();
  const fields = new Map<string, string[]>();
  for (const { key, name, requirement, group, condition } of dependencies) {
    if (requirement.kind !== 'source') continue;
    const { start, end } = requirement.span;
    const folder = requirement.source === 'path' ? folderIn(text.slice(start, end)) : undefined;
    if (folder !== undefined) {
      modules.add(`${folder}/package.json`);
      links.push({ span: requirement.span, paths: [`${folder}/package.json`] });
    }
    // A replacement below another package does not count here.
    const isForAll = condition === undefined || condition.startsWith(`${name}@`);
    if (group !== undefined && workspaceOverrides.has(group) && isForAll) addTo(fields, key.name, fieldOf(group));
  }
  return {
    ...(modules.size > 0 && { modules: [...modules] }),
    ...(links.length > 0 && { links }),
    ...(fields.size > 0 && { makes: [...fields.keys()], fields }),
  };
}

/** `link:../lib/` → `../lib`. An archive has no manifest that can be read, and an installed package was published. */
function folderIn(written: string): string | undefined {
  const path = /^(?:(?:file|link|portal):|(?=\.))([^~/].*)$/s.exec(written)?.[1]?.replaceAll('\\', '/');
  if (path === undefined || /(?:^|\/)node_modules(?:\/|$)|^[a-z]:|\.(?:tgz|tar|tar\.gz)$/i.test(path)) return undefined;
  return path.replace(/\/$/, '');
}
