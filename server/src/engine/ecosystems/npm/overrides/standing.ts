import type { Forced } from '../../../model/graph/override.ts';
import type { Dependency, Manifest } from '../../../model/manifest.ts';
import { raisedRange, type Standing } from '../../shared/override.ts';
import { npm } from '../versions.ts';

/** The groups in which a package.json requires packages of its own. */
const ownGroups: ReadonlySet<string> = new Set([
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
]);

/** Whether a package.json requires the package itself: an override for all of its versions would contradict that. */
export function isDirect({ dependencies }: Manifest, { name }: Forced): boolean {
  return dependencies.some((it) => it.name === name && ownGroups.has(it.group ?? ''));
}

/** @param groups the sections that hold the overrides of a tool */
export function raiseStanding({ dependencies }: Manifest, groups: readonly string[], forced: Forced): Standing {
  const all = dependencies.filter((it) => it.name === forced.name && groups.includes(it.group ?? ''));
  for (const it of all) {
    const standing = raise(it, forced);
    if (standing.kind !== 'none') return standing;
  }
  return { kind: 'none' };
}

function raise({ requirement, condition, key, name }: Dependency, forced: Forced): Standing {
  const { version, wanted } = forced;
  if (requirement.kind === 'literal' && key.name === name) {
    const { span, text, encode } = requirement.at;
    if (text !== version && !npm.keeps(version, text)) {
      // The same again: the lockfile has not been written since.
      const isThere = condition === undefined && (text === wanted || npm.keeps(wanted, text));
      return isThere ? { kind: 'fixed', text } : { kind: 'none' };
    }
    return { kind: 'raised', edit: { span, newText: encode(raisedRange(npm, text, forced, wanted)) } };
  }
  // A narrower one may be for another version.
  if (condition !== undefined || requirement.kind === 'none') return { kind: 'none' };
  return { kind: 'fixed', text: requirement.kind === 'reference' ? requirement.to.label : requirement.kind };
}

/** The versions that `^` allows: `^1`, `^0.4`, `^0.0.3`. */
export function caretLine(version: string): string {
  const [major = '0', minor = '0', patch = '0'] = version.split(/[.+-]/);
  if (major !== '0') return `^${major}`;
  return minor === '0' ? `^0.0.${patch}` : `^0.${minor}`;
}

/**
 * How narrow an override has to be: for `all` versions, for the `line` that the affected one is in, or `below` the packages
 * that require it, where the manifest or another package needs other versions.
 */
export function widthOf(manifest: Manifest, forced: Forced): 'all' | 'line' | 'below' {
  const line = caretLine(forced.version);
  if (isDirect(manifest, forced)) return 'below';
  if (forced.others.length === 0) return 'all';
  return forced.others.some((it) => npm.satisfies(it, line)) ? 'below' : 'line';
}
