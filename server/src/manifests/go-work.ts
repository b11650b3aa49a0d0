import type { Manifest, ManifestFormat } from '../model/manifest.ts';
import type { Problem } from '../model/span.ts';
import { readGoFile } from './go-lines.ts';
import { readReplacement, replacementDependency } from './go-replace.ts';

/** A workspace of Go modules: its members stand in files of their own, its replacements hold for all of them. */
export const goWork: ManifestFormat = {
  id: 'go.work',
  system: 'GO',
  files: /(^|\/)go\.work$/,
  parse,
};

function parse(text: string): Manifest {
  const file = readGoFile(text);
  const problems: Problem[] = [...file.problems];
  const dependencies = file.lines.flatMap((line) => {
    const replacement = line.verb === 'replace' ? readReplacement(line, problems) : undefined;
    return replacement ? replacementDependency(replacement) : [];
  });
  return { dependencies, definitions: [], references: [], problems };
}
