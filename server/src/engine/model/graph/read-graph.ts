import type { FoundLockfile } from '../manifest-chain.ts';
import type { GraphOfLockfile } from './locked-graph.ts';

/** Reads the graph of a lockfile without a long pause of the caller. Never rejects for a broken file: its graph is partial. */
export type ReadGraph = (found: FoundLockfile) => Promise<GraphOfLockfile>;
