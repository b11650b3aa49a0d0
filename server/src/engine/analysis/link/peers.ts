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
  return (linked) => {
    const { dependency, requirement } = linked;
    if (dependency.scope !== 'peer' || requirement.kind !== 'text') return linked;
    const installer = manifest && installedIn(manifest).get(dependency.name);
    const decided = installer && link(installer);
    if (decided?.requirement.kind !== 'text' || decided.key.name !== linked.key.name) return linked;
    return { ...linked, installedBy: decided.requirement.text };
  };
}

function installedIn(manifest: Manifest): ReadonlyMap<string, Dependency> {
  const before = installedBy.get(manifest);
  if (before) return before;
  const found = new Map<string, Dependency>();
  for (const group of installing)
    for (const it of manifest.dependencies) if (it.group === group && !found.has(it.name)) found.set(it.name, it);
  installedBy.set(manifest, found);
  return found;
}

const installedBy = new WeakMap<Manifest, ReadonlyMap<string, Dependency>>();
