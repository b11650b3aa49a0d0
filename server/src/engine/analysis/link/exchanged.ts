import { oneLine } from '../../base/text.ts';
import type { Exchanged, LinkedDependency } from '../../model/evaluated-dependency.ts';
import { canonicalName } from '../../model/keys.ts';
import type { InPlace, Lockfile } from '../../model/lockfile.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { ClaimsByName, FoundLockfile } from '../../model/manifest-chain.ts';

/** In characters, of an address. */
const MAX_SHOWN_LENGTH = 200;

/**
 * What a lockfile has in the place of a dependency whose version it does not have: another package, a repository, an address
 * or a folder, also one that is
 * no member of the workspace. The clients install what the lockfile says.
 *
 *     package.json        "fine": "^1.0.0"
 *     package-lock.json   "node_modules/fine": { "name": "evil", "version": "1.0.0" }
 */
export function exchangedBy(
  { lockfile, format }: FoundLockfile,
  { requirement, key }: LinkedDependency,
  dependency: Dependency,
  importer: string,
  members: ClaimsByName | undefined,
): Exchanged | undefined {
  if (requirement.kind === 'source' || format.opened.system !== key.system) return undefined;
  const found = lockfile.inPlaceOf
    ? lockfile.inPlaceOf(dependency, importer)
    : namedIn(lockfile, key.system).get(key.name);
  if (!found) return undefined;
  const { name, source, text } = found;
  // What is a member is no requirement of a version by now, if the members are known.
  if (source ? source === 'workspace' && members === undefined : name === key.name) return undefined;
  const shown = name === key.name || text.includes(name) ? text : `${name} ${text}`;
  return { lockfile: format.id, text: oneLine(shown, MAX_SHOWN_LENGTH) };
}

const known = new WeakMap<Lockfile, ReadonlyMap<string, InPlace>>();

/** The entries by package, one of a registry before others. */
function namedIn(lockfile: Lockfile, system: Parameters<typeof canonicalName>[0]): ReadonlyMap<string, InPlace> {
  const before = known.get(lockfile);
  if (before) return before;
  const byName = new Map<string, InPlace>();
  for (const { name: own, packageName = own, source, version } of lockfile.packages) {
    const name = canonicalName(system, packageName);
    if (!byName.has(name) || source === undefined || source === 'workspace')
      byName.set(name, { name, source, text: version.text });
  }
  known.set(lockfile, byName);
  return byName;
}
