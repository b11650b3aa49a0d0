import { type Definition, idsIn, type Manifest, type Requirement } from '../model/manifest.ts';

/**
 * The definitions of a file as those who refer to them by its name know them.
 *
 *     library:junit  →  library:tools-junit
 */
export function named(manifest: Manifest, name: string): Manifest {
  const own = new Set(manifest.definitions.map((it) => it.id));
  const rename = (id: string): string => id.replace(':', `:${name}-`);

  function renamed(value: Requirement): Requirement {
    if (value.kind !== 'reference' || !idsIn(value).every((id) => own.has(id))) return value;
    return { ...value, to: { ...value.to, id: rename(value.to.id) } };
  }

  const definitions = manifest.definitions.map(
    (it): Definition => ({ ...it, id: rename(it.id), value: renamed(it.value) }),
  );
  return { ...manifest, definitions };
}
