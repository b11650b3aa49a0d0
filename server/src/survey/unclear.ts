import type { Snapshot } from '../engine/snapshot.ts';
import { byText } from '../model/by-text.ts';
import type { Span } from '../model/span.ts';
import type { Unclear } from '../report/report.ts';
import { positionsIn } from '../text/positions.ts';
import { relativePath } from './view.ts';

/** The manifests of which not all is understood, by path. */
export function unclearIn(snapshots: readonly Snapshot[], directory: string): Unclear[] {
  const found = new Map<string, Unclear>();
  for (const { chain, texts } of snapshots) {
    // What a file includes is a part of it, and need not be a manifest by its own name.
    const read = [...chain.files.slice(0, 1), ...chain.included];
    const broken = read.flatMap(({ uri, manifest: { problems } }) =>
      problems.slice(0, 1).map(({ span }) => ({ uri, span })),
    );
    for (const { uri, span } of chain.cut ? [...broken, chain.cut] : broken) {
      const path = relativePath(uri, directory);
      if (!found.has(path)) found.set(path, { path, line: lineOf(texts.get(uri), span) });
    }
  }
  return [...found.values()].sort((a, b) => byText(a.path, b.path));
}

/**
 * The line, from 1 on, from which a manifest's own text makes no sense to its reader, which may have missed dependencies
 * there; undefined where all of it is understood.
 */
export function unclearFrom({ uri, chain, texts }: Snapshot): number | undefined {
  const problem = chain.files[0]?.manifest.problems[0];
  return problem && lineOf(texts.get(uri), problem.span);
}

function lineOf(text: string | undefined, { start }: Span): number {
  return positionsIn(text ?? '').at(start).line + 1;
}
