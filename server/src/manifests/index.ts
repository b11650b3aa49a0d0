import type { ManifestFormat } from '../model/manifest.ts';

/** Every kind of manifest, one row each. A file is read by the first row that matches its path. */
export const manifestFormats: readonly ManifestFormat[] = [];

export function formatOf(path: string): ManifestFormat | undefined {
  return manifestFormats.find((it) => it.files.test(path));
}
