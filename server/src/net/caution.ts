import type { Way } from './proxy.ts';

/** A way on which something can be sent. */
export type Passable = Exclude<Way, { readonly kind: 'none' }>;

interface Answer {
  readonly kind: 'received' | 'failure' | 'aborted';
}

/**
 * Has the first request that carries credentials go alone until it is let through: with wrong ones, a wave of requests
 * would have an account locked.
 */
export interface Caution<T> {
  /** Sends by `go` when it may be; what became of the first where that was not let through. */
  send(way: Passable, go: () => Promise<T>): Promise<T>;
  /** The credentials were taken: what becomes of the request is its own affair from here on. */
  letThrough(way: Passable): void;
}

interface First<T> {
  /** What became of it; undefined where it was let through before. */
  readonly fate: Promise<T | undefined>;
  readonly letThrough: () => void;
}

export function createCaution<T extends Answer>(): Caution<T> {
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
    async send(way, go) {
      if (way.kind === 'direct' || way.authorization === undefined) return go();
      const id = idOf(way);
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

    letThrough(way) {
      const id = idOf(way);
      open.add(id);
      firsts.get(id)?.letThrough();
    },
  };
}

function idOf(way: Passable): string {
  return JSON.stringify(way);
}
