import type { ManifestFormat } from '../model/manifest.ts';
import { pom } from './pom.ts';

/** Every kind of manifest, one row each. A file is read by the first row that matches its path. */
export const manifestFormats: readonly ManifestFormat[] = [pom];

export function formatOf(path: string): ManifestFormat | undefined {
  return manifestFormats.find((it) => it.files.test(path));
}
