import { directoryOf, pathOf } from '../../base/uri.ts';
import { lockfileFormats } from '../../ecosystems/lockfile-formats.ts';
import { packageId } from '../../model/keys.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { Location, Navigated } from './navigated.ts';
import { projectManifests } from './project-files.ts';

/** The lines of manifests that require what an entry of their opened lockfile is about. */
export async function linesLocked(document: Navigated, { key }: Dependency): Promise<readonly Location[]> {
  const { file, files, chains, reader } = document;
  const row = lockfileFormats.find((it) => it.opened.files.test(pathOf(file.uri)));
  if (row === undefined) return [];
  const root = directoryOf(file.uri);
  const found: Location[] = [];
  for (const it of await projectManifests({ files, chains, reader, root }, key.system)) {
    if (!('manifest' in it) || !row.serves.includes(it.format.id)) continue;
    if (!row.below && directoryOf(it.uri) !== root) continue;
    for (const { key: its, nameSpan } of it.manifest.dependencies)
      if (packageId(its) === packageId(key)) found.push({ uri: it.uri, span: nameSpan });
  }
  return found;
}
