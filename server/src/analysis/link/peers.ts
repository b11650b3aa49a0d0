import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { Dependency, Manifest } from '../../model/manifest.ts';

/** The groups whose packages are installed for the project itself; of one name in several, the first counts. */
const installing = ['devDependencies', 'dependencies', 'optionalDependencies'] as const;

/**
 * What a project requires for itself is what its peer of the same name gets:
 *
 *     "devDependencies": { "react": "~18.2.0" }, "peerDependencies": { "react": "^18 || ^19" }
 *                                    installed                                 not the highest of this
 */
export function createPeerRules(
  manifest: Manifest | undefined,
  link: (dependency: Dependency) => LinkedDependency,
): (linked: LinkedDependency) => LinkedDependency {
  let own: ReadonlyMap<string, Dependency> | undefined;
  return (linked) => {
    const { dependency, requirement } = linked;
    if (dependency.scope !== 'peer' || requirement.kind !== 'text') return linked;
    own ??= installedIn(manifest);
    const installer = own.get(dependency.name);
    const decided = installer && link(installer);
    if (decided?.requirement.kind !== 'text' || decided.key.name !== linked.key.name) return linked;
    return { ...linked, installedBy: decided.requirement.text };
  };
}

function installedIn(manifest: Manifest | undefined): ReadonlyMap<string, Dependency> {
  const found = new Map<string, Dependency>();
  for (const group of installing)
    for (const it of manifest?.dependencies ?? [])
      if (it.group === group && !found.has(it.name)) found.set(it.name, it);
  return found;
}
