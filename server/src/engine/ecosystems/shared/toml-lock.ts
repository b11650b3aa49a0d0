import { readTomlPackages, type TomlPackage } from '../../formats/toml/packages.ts';
import type { LockedPackage } from '../../model/lockfile.ts';
import type { Source } from '../../model/manifest.ts';

/** The differences between the lockfiles in TOML. */
export interface TomlLock {
  /** The array of the packages. */
  readonly array: 'package' | 'packages';
  /** The keys that name where a package comes from: `source`, `source.type`. */
  readonly origin: readonly string[];
  /** Where a package comes from: `none` for the project itself, which nothing depends on. */
  readonly sourceOf: (origin: ReadonlyMap<string, string>) => Source | 'registry' | 'none';
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
export function* readTomlLock(text: string, format: TomlLock): Iterable<LockedPackage> {
  for (const it of readTomlPackages(text, format.array, format.origin)) {
    const locked = lockedPackage(it, format);
    if (locked) yield locked;
  }
}

/** Undefined for the project itself, and for a half-written entry. */
export function lockedPackage(
  { name, version, origin }: TomlPackage,
  { sourceOf, registryOf }: TomlLock,
): LockedPackage | undefined {
  if (!name?.text) return undefined;
  const { text, span: nameSpan } = name;
  const source = sourceOf(origin);
  if (source === 'none') return undefined;
  if (source !== 'registry') return { name: text, nameSpan, version: version?.text ? version : name, source };
  if (!version?.text) return undefined;
  const registry = registryOf?.(origin);
  return registry ? { name: text, nameSpan, version, registry } : { name: text, nameSpan, version };
}
