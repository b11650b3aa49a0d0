import { directoryOf, pathOf, sameUri } from '../../base/uri.ts';
import { lockfileFormats } from '../../ecosystems/lockfile-formats.ts';
import { manifestFormats } from '../../ecosystems/manifest-formats.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import type { Files } from '../../model/ports.ts';
import type { ManifestReader } from './file-reader.ts';

/** Manifests of one lockfile that are read. Most have one. */
const MAX_MANIFESTS = 5;

/** Reads the manifests beside a lockfile that it serves, and adds their texts. */
export async function manifestsBeside(
  uri: string,
  id: string,
  reader: ManifestReader,
  files: Files,
  { texts, touched }: { readonly texts: Map<string, string>; readonly touched: Set<string> },
): Promise<readonly ParsedManifest[]> {
  const served = lockfileFormats.find((it) => it.opened.id === id)?.serves ?? [];
  const found: ParsedManifest[] = [];
  for (const format of manifestFormats.filter((it) => served.includes(it.id))) {
    for (const it of await files.find(directoryOf(uri), format.files, MAX_MANIFESTS, 0)) {
      const isOf = directoryOf(it) === directoryOf(uri) && format.files.test(pathOf(it));
      const text = isOf && found.length < MAX_MANIFESTS ? await files.read(it) : undefined;
      if (text === undefined) continue;
      touched.add(sameUri(it));
      texts.set(it, text);
      found.push({ uri: it, format, manifest: reader.manifest(it, format, text) });
    }
  }
  return found;
}
