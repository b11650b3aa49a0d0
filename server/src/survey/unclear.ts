import type { Snapshot } from '../engine/workspace.ts';
import { positionsIn } from '../text/positions.ts';

/**
 * The line, from 1 on, from which a manifest's own text makes no sense to its reader, which may have missed dependencies
 * there; undefined where all of it is understood.
 */
export function unclearFrom({ uri, chain, texts }: Snapshot): number | undefined {
  const problem = chain.files[0]?.manifest.problems[0];
  return problem && positionsIn(texts.get(uri) ?? '').at(problem.span.start).line + 1;
}
