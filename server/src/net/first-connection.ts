/**
 * Has one request go alone until its connection stands. Only then is it known whether the others may share it: a first
 * wave would open as many connections as it has requests, and over HTTP/2 all but one of them are for nothing.
 */
export interface FirstConnection {
  /**
   * Calls at once, or when the connection that somebody else waits for stands or could not be made.
   * @returns to be called when the request has ended, however it did
   */
  take(go: () => void): () => void;
  /** The connection stands, or could not be made. */
  settled(isMade: boolean): void;
}

export function createFirstConnection(): FirstConnection {
  let state: 'unmade' | 'made' = 'unmade';
  let leader: (() => void) | undefined;
  const waiting = new Set<() => void>();

  return {
    take(go) {
      if (state === 'made') go();
      else if (leader) waiting.add(go);
      else {
        leader = go;
        go();
      }
      return () => {
        waiting.delete(go);
        if (leader !== go) return;
        // It was given up before there was a connection: the next one makes it.
        const [next] = waiting;
        leader = next;
        if (next === undefined) return;
        // Whoever tells of the end may be in the middle of what a new request would disturb.
        setImmediate(() => waiting.delete(next) && next());
      };
    },

    settled(isMade) {
      if (isMade) state = 'made';
      leader = undefined;
      const all = [...waiting];
      waiting.clear();
      for (const go of all) go();
    },
  };
}
