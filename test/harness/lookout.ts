/** Waits for messages of a server. */
export interface Lookout {
  /** Checks all conditions again after a message. */
  happened(): void;
  /** Resolves with what a look finds, once it finds something. Rejects after so many ms, where they are given. */
  until<T>(look: () => T | undefined, patience?: number): Promise<T>;
}

export function createLookout(): Lookout {
  const waiting = new Set<() => void>();
  return {
    happened() {
      for (const look of [...waiting]) look();
    },
    until: (look, patience) =>
      new Promise((resolve, reject) => {
        const late = patience && setTimeout(() => reject(new Error('what was waited for was never sent')), patience);
        const again = (): void => {
          const found = look();
          if (found === undefined) return;
          if (late) clearTimeout(late);
          waiting.delete(again);
          resolve(found);
        };
        waiting.add(again);
        again();
      }),
  };
}
