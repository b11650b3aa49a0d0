import type { GraphOfLockfile } from '../model/graph/locked-graph.ts';
import type { ReadGraph } from '../model/graph/read-graph.ts';
import type { Lockfile } from '../model/lockfile.ts';
import type { FoundLockfile } from '../model/manifest-chain.ts';

/*
 * The graphs of lockfiles, each read once for all documents and all readers:
 *
 *     scan         reads it at once
 *     server       a short file at once; a large one in a thread, and until then nobody waits for it
 */

/** The graph of a lockfile; undefined while it is being read. */
export type GraphOf = (found: FoundLockfile) => GraphOfLockfile | undefined;

/** In characters: the graph of a shorter lockfile takes some ms. */
const MAX_QUICK_LENGTH = 200_000;

/** Graphs that are read, or being read: documents share a lockfile. */
const reading = new WeakMap<Lockfile, Promise<GraphOfLockfile>>();
const read = new WeakMap<Lockfile, GraphOfLockfile>();

/** Reads a graph without a long pause of the caller, once for all that need it. */
export function readGraphOnce(found: FoundLockfile, readGraph: ReadGraph = readHere): Promise<GraphOfLockfile> {
  const { lockfile } = found;
  const known = reading.get(lockfile);
  if (known !== undefined) return known;
  const own = readGraph(found).then((graph) => {
    read.set(lockfile, graph);
    return graph;
  });
  reading.set(lockfile, own);
  // The callers handle the error; a later one tries again.
  own.catch(() => reading.delete(lockfile));
  return own;
}

/**
 * A reader that never waits: of a large lockfile, it begins to read the graph.
 * @param readGraph absent where pauses do not matter
 * @param onRead called once a graph that was missing is read
 */
export function graphReader(readGraph: ReadGraph | undefined, onRead: () => void = () => {}): GraphOf {
  return (found) => {
    const { lockfile, text } = found;
    const known = read.get(lockfile);
    if (known !== undefined) return known;
    if (readGraph === undefined || text.length <= MAX_QUICK_LENGTH) return lockfile.graph();
    readGraphOnce(found, readGraph).then(onRead, () => undefined);
    return undefined;
  };
}

async function readHere({ lockfile }: FoundLockfile): Promise<GraphOfLockfile> {
  return lockfile.graph();
}
