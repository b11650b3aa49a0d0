import type { Snapshot } from '../engine/snapshot.ts';
import { byText } from '../model/by-text.ts';
import type { Unclear } from '../report/report.ts';
import { positionsIn } from '../text/positions.ts';
import { relativePath } from './view.ts';

/** The manifests of which not all is understood, by path. */
export function unclearIn(snapshots: readonly Snapshot[], directory: string): Unclear[] {
  const found = snapshots.flatMap((it): Unclear[] => {
    const line = unclearFrom(it);
    return line === undefined ? [] : [{ path: relativePath(it.uri, directory), line }];
  });
  return found.sort((a, b) => byText(a.path, b.path));
}

/**
 * The line, from 1 on, from which a manifest's own text makes no sense to its reader, which may have missed dependencies
 * there; undefined where all of it is understood.
 */
export function unclearFrom({ uri, chain, texts }: Snapshot): number | undefined {
  const problem = chain.files[0]?.manifest.problems[0];
  return problem && positionsIn(texts.get(uri) ?? '').at(problem.span.start).line + 1;
}
