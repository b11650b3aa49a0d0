import type { ProxyDecision } from './proxy.ts';

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

/** A way on which something can be sent. */
export type UsableProxyDecision = Exclude<ProxyDecision, { readonly kind: 'invalid' }>;

interface Answer {
  readonly kind: 'received' | 'failure' | 'aborted';
}

/**
 * Has the first request that carries credentials go alone until it is let through: with wrong ones, a wave of requests
 * would have an account locked.
 */
export interface ProxyAuthProbe<T> {
  /** Sends by `go` when it may be; what became of the first where that was not let through. */
  send(decision: UsableProxyDecision, go: () => Promise<T>): Promise<T>;
  /** The credentials were taken: what becomes of the request is its own affair from here on. */
  onAuthorized(decision: UsableProxyDecision): void;
}

interface First<T> {
  /** What became of it; undefined where it was let through before. */
  readonly fate: Promise<T | undefined>;
  readonly letThrough: () => void;
}

export function createProxyAuthProbe<T extends Answer>(): ProxyAuthProbe<T> {
  const open = new Set<string>();
  const firsts = new Map<string, First<T>>();

  function begin(own: Promise<T>): First<T> {
    let letThrough = (): void => {};
    const passed = new Promise<undefined>((resolve) => {
      letThrough = () => resolve(undefined);
    });
    return { fate: Promise.race([own, passed]), letThrough };
  }

  return {
    async send(decision, go) {
      if (decision.kind === 'direct' || decision.authorization === undefined) return go();
      const id = idOf(decision);
      for (;;) {
        if (open.has(id)) return go();
        const first = firsts.get(id);
        if (first === undefined) {
          const own = go();
          firsts.set(id, begin(own));
          const answer = await own;
          firsts.delete(id);
          if (answer.kind === 'received') open.add(id);
          return answer;
        }
        // Where the first was given up, another one goes.
        const answer = await first.fate;
        if (answer?.kind === 'failure') return answer;
      }
    },

    onAuthorized(decision) {
      const id = idOf(decision);
      open.add(id);
      firsts.get(id)?.letThrough();
    },
  };
}

function idOf(decision: UsableProxyDecision): string {
  return JSON.stringify(decision);
}
