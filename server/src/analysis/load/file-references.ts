import { directoryOf, parentOf, resolveUri, upwardFrom } from '../../base/uri.ts';
import { type Definition, type FileRef, idsIn, type Manifest, type Requirement } from '../../model/manifest.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import { Definitions } from '../link/definitions.ts';

/** The addresses that a reference may mean, nearest first. */
export function referencedUris(uri: string, ref: FileRef): string[] {
  const own = directoryOf(uri);
  if (ref.upward === undefined) return [resolveUri(own, ref.path)];
  return [...upwardFrom(ref.upward === 'self' ? own : parentOf(own))].map((it) => resolveUri(it, ref.path));
}

/** References with names in their paths, as far as the files of a chain define those. One that need not exist is left out. */
export function resolveComposed(references: readonly FileRef[], files: readonly ParsedManifest[]): readonly FileRef[] {
  const definitions = new Definitions(files);
  return references.flatMap((it) => {
    const found = it.composed?.resolve((id) => definitions.get(id)?.definition.value);
    return found ?? (it.required ? it : []);
  });
}

/** Whether a reference is an address, or contains an environment variable. */
export function isElsewhere({ path }: FileRef): boolean {
  return /^[a-z][a-z0-9+.-]+:|\$\{/i.test(path);
}

/**
 * The definitions of a file as those who refer to them by its name know them.
 *
 *     library:junit  →  library:tools-junit
 *     property:junit  →  property:versions.junit
 */
export function qualifyCatalogIds(manifest: Manifest, name: string): Manifest {
  const own = new Set(manifest.definitions.map((it) => it.id));
  const rename = (id: string): string => id.replace(':', `:${name}${id.startsWith('property:') ? '.' : '-'}`);

  function renamed(value: Requirement): Requirement {
    if (value.kind !== 'reference' || !idsIn(value).every((id) => own.has(id))) return value;
    return { ...value, to: { ...value.to, id: rename(value.to.id) } };
  }

  const definitions = manifest.definitions.map(
    (it): Definition => ({ ...it, id: rename(it.id), value: renamed(it.value) }),
  );
  return { ...manifest, definitions };
}
