import type { Way } from './proxy.ts';

/** A way on which something can be sent. */
export type Passable = Exclude<Way, { readonly kind: 'none' }>;

interface Answer {
  readonly kind: 'received' | 'failure' | 'aborted';
}

/**
 * Has the first request that carries credentials go alone, and the others after it where it was let through: with
 * wrong ones, a wave of requests would have an account locked.
 * @returns sends by `go` when it may be; what became of the first where that failed
 */
export function createCaution<T extends Answer>(): (way: Passable, go: () => Promise<T>) => Promise<T> {
  const open = new Set<string>();
  const firsts = new Map<string, Promise<T>>();
  return async (way, go) => {
    if (way.kind === 'direct' || way.authorization === undefined) return go();
    const id = JSON.stringify(way);
    for (;;) {
      if (open.has(id)) return go();
      const first = firsts.get(id);
      if (first === undefined) {
        const own = go();
        firsts.set(id, own);
        const answer = await own;
        firsts.delete(id);
        if (answer.kind === 'received') open.add(id);
        return answer;
      }
      // Where the first was given up, another one goes.
      const answer = await first;
      if (answer.kind === 'failure') return answer;
    }
  };
}
