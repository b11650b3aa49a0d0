/**
 * Has requests wait for connections that an answer has just left: whoever has something more to send because of it would
 * open another one before those can be used again.
 */
export interface FreedConnections {
  /**
   * Calls at once, or when a connection can be used again that nobody else waits for.
   * @returns to be called when the request has ended, however it did
   */
  take(go: () => void): () => void;
}

/** Calls back when the connection can be used again whose answer ends now: over HTTP/1 undici has it back two turns later. */
export function whenFree(call: () => void): void {
  setImmediate(() => setImmediate(call));
}

export function createFreedConnections(): FreedConnections {
  /** Connections that can be used again soon. No more requests than those wait. */
  let coming = 0;
  const waiting = new Set<() => void>();

  function freed(): void {
    coming--;
    const [next] = waiting;
    if (next === undefined) return;
    waiting.delete(next);
    next();
  }

  return {
    take(go) {
      if (coming > waiting.size) waiting.add(go);
      else go();
      return () => {
        // What was given up while it waited has had no connection.
        if (waiting.delete(go)) return;
        coming++;
        whenFree(freed);
      };
    },
  };
}
