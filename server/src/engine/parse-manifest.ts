import type { Manifest, ManifestFormat } from '../model/manifest.ts';

/**
 * Characters of a manifest that are read. Requirements with the digests of each file come to a tenth of it; in as many
 * megabytes as a file may have, a stranger could put millions of dependencies, and nothing would hold them.
 */
const longest = 4 * 1024 * 1024;

/** Dependencies of one file. The largest lockfiles and bills of materials that are known have less than half as many. */
const most = 50_000;

/** Reads a manifest, within bounds. What programs write is as long as it is: it is read without making much of it. */
export function parseManifest({ parse, record }: ManifestFormat, text: string): Manifest {
  const isWhole = record !== undefined || text.length <= longest;
  const manifest = parse(isWhole ? text : text.slice(0, longest));
  const first = manifest.dependencies[most]?.nameSpan.start;
  if (isWhole && first === undefined) return manifest;
  const rest = { start: first ?? longest, end: text.length };
  const problem = { span: rest, message: 'a text this long is not read to its end' };
  const dependencies = manifest.dependencies.slice(0, most);
  return { ...manifest, dependencies, problems: [...manifest.problems, problem] };
}
