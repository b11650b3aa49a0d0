import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { Manifest, Requirement } from '../../model/manifest.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';

/** A version, and one of something else before it. Only in Maven's repositories what follows a hyphen is no pre-release. */
const composed = /^(\d+(?:\.\d+)+(?:-(?:RC|Beta|M)\d*)?)-\d+\.\d/;

/** Most of a chain does not change at a keystroke. */
const known = new WeakMap<Manifest, ReadonlySet<string>>();

/**
 * Adds the version of something else in the build that a version begins with: a compiler plugin is made for one version of
 * its compiler.
 *
 *     kotlin = "1.9.22"
 *     ksp = "1.9.22-1.0.16"
 */
export function withLeading(linked: LinkedDependency, files: readonly ParsedManifest[]): LinkedDependency {
  const { key, requirement } = linked;
  const leading =
    key.system === 'MAVEN' && requirement.kind === 'text' ? composed.exec(requirement.text)?.[1] : undefined;
  return leading !== undefined && files.some((it) => versionsIn(it.manifest).has(leading))
    ? { ...linked, leading }
    : linked;
}

function versionsIn(manifest: Manifest): ReadonlySet<string> {
  const before = known.get(manifest);
  if (before) return before;
  const textOf = (it: Requirement): string => (it.kind === 'literal' ? it.at.text : '');
  const found = new Set([
    ...manifest.definitions.map((it) => textOf(it.value)),
    ...manifest.dependencies.map((it) => textOf(it.requirement)),
  ]);
  known.set(manifest, found);
  return found;
}
