import { type TomlPackage, tomlPackages } from '../../formats/toml/packages.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency, Manifest, Requirement, Source } from '../../model/manifest.ts';
import type { System } from '../../model/system.ts';
import { asExactRequirement, lockfileFrozenReason } from './lockfile.ts';

/** What tells the lockfiles in TOML apart. */
export interface TomlLock {
  readonly system: System;
  /** The array that lists packages. */
  readonly array: 'package' | 'packages';
  /** The names that say where a package was taken from: `source`, `source.type`. */
  readonly origin: readonly string[];
  /** Where a package was taken from: `none` for the project itself, on which nothing depends. */
  readonly sourceOf: (origin: ReadonlyMap<string, string>, name: string) => Source | 'registry' | 'none';
  /** The address of the registry that a package was taken from, where the file names it. */
  readonly registryOf?: (origin: ReadonlyMap<string, string>) => string | undefined;
  /** The command that writes the file. */
  readonly update: string;
}

/**
 *     [[package]]
 *     name = "serde"
 *             ^^^^^
 *     version = "1.0.197"
 *                ^^^^^^^
 *     source = "registry+https://…"
 */
export function readTomlLock(text: string, format: TomlLock): Manifest {
  const packages = tomlPackages(text, format.array, format.origin);
  const dependencies = packages.flatMap((it) => read(it, format) ?? []);
  return { dependencies, definitions: [], references: [], problems: [] };
}

/** Undefined for the project itself, and for what is half written. */
function read(
  { name, version, origin }: TomlPackage,
  { system, sourceOf, registryOf, update }: TomlLock,
): Dependency | undefined {
  if (!name?.text) return undefined;
  const source = sourceOf(origin, name.text);
  if (source === 'none' || (source === 'registry' && !version?.text)) return undefined;
  const registry = source === 'registry' ? registryOf?.(origin) : undefined;
  const requirement: Requirement =
    source !== 'registry'
      ? { kind: 'source', source, span: (version?.text ? version : name).span }
      : version
        ? { kind: 'literal', at: asExactRequirement(system, version) }
        : { kind: 'none' };
  return {
    key: { system, name: canonicalName(system, name.text) },
    name: name.text,
    nameSpan: name.span,
    requirement,
    scope: 'runtime',
    ...(registry && { registries: [registry] }),
    frozen: lockfileFrozenReason(update),
  };
}
