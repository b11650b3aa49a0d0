import { directoryOf, relativeTo, resolveUri } from '../../base/uri.ts';
import { patchFile, readPatchName } from '../../ecosystems/shared/patch-package.ts';
import { patchedId } from '../../ecosystems/shared/project-rules.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import type { Files } from '../../model/ports.ts';

/** Patches of one project. Real ones have some dozen. */
const MAX_PATCHES = 500;

/** The ids of the versions whose files a script patches after each installation, and the patches. */
export async function patchesOf(
  files: readonly ParsedManifest[],
  { find }: Pick<Files, 'find'>,
): Promise<{ readonly ids: readonly string[]; readonly uris: readonly string[] }> {
  const ids: string[] = [];
  const uris: string[] = [];
  for (const { uri, manifest } of files) {
    if (manifest.patches === undefined) continue;
    const folder = resolveUri(directoryOf(uri), `${manifest.patches}/`);
    for (const it of await find(folder, patchFile, MAX_PATCHES, 1)) {
      uris.push(it);
      const patch = readPatchName(relativeTo(folder, it) ?? '');
      if (patch) ids.push(patchedId(`${patch.name}@${patch.version}`));
    }
  }
  return { ids, uris };
}
