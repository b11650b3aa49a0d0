import type { TomlPackage } from '../../formats/toml/packages.ts';
import type { LockedPackage } from '../../model/lockfile.ts';
import type { Source } from '../../model/manifest.ts';

/** The differences between the lockfiles in TOML. */
export interface TomlLock {
  /** The array of the packages. */
  readonly array: 'package' | 'packages';
  /** The keys that name where a package comes from: `source`, `source.type`. */
  readonly origin: readonly string[];
  /** Where a package comes from: `none` for the project itself, which nothing depends on. */
  readonly sourceOf: (origin: ReadonlyMap<string, string>, name: string) => Source | 'registry' | 'none';
  /** The address of the registry that a package comes from, where the file names it. */
  readonly registryOf?: (origin: ReadonlyMap<string, string>) => string | undefined;
}

/**
 *     [[package]]
 *     name = "serde"
 *             ^^^^^
 *     version = "1.0.197"
 *                ^^^^^^^
 *     source = "registry+https://…"
 */
export function lockedPackages(entries: readonly TomlPackage[], format: TomlLock): LockedPackage[] {
  return entries.flatMap((it) => lockedPackage(it, format) ?? []);
}

/** Undefined for the project itself, and for a half-written entry. */
function lockedPackage(
  { name, version, origin }: TomlPackage,
  { sourceOf, registryOf }: TomlLock,
): LockedPackage | undefined {
  if (!name?.text) return undefined;
  const named = { name: name.text, nameSpan: name.span };
  const source = sourceOf(origin, name.text);
  if (source === 'none') return undefined;
  if (source !== 'registry') return { ...named, version: version?.text ? version : name, source };
  if (!version?.text) return undefined;
  const registry = registryOf?.(origin);
  return { ...named, version, ...(registry && { registry }) };
}
