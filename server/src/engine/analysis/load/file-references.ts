import { directoryOf, parentOf, resolveUri, upwardFrom } from '../../base/uri.ts';
import { type Definition, type FileRef, idsIn, type Manifest, type Requirement } from '../../model/manifest.ts';
import type { ManifestChain } from '../../model/manifest-chain.ts';
import { Definitions } from '../link/definitions.ts';

/** The addresses that a reference may mean, nearest first. */
export function referencedUris(uri: string, ref: FileRef): string[] {
  const own = directoryOf(uri);
  if (ref.upward === undefined)
    return [...(ref.folder === undefined ? [] : [ref.folder]), ref.path].map((it) => resolveUri(own, it));
  return [...upwardFrom(ref.upward === 'self' ? own : parentOf(own))].map((it) => resolveUri(it, ref.path));
}

/** The reference that one with names in its path stands for; undefined as long as no file of the chain defines one of them. */
export function resolveComposed(
  { composed }: FileRef,
  from: string,
  { files, options }: Pick<ManifestChain, 'files' | 'options'>,
): FileRef | undefined {
  const definitions = Definitions.under(options, files);
  return composed?.resolve(
    (id) => {
      const found = definitions.get(id);
      return found && { uri: found.uri, value: found.definition.value };
    },
    from,
    files[0]?.uri ?? from,
  );
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
