/** Lets work run together, or alone. */
export interface Turns {
  /** Resolves when nothing runs alone. Returns the function that ends the turn. */
  together(): Promise<() => void>;
  /** Resolves when nothing else runs. Until it ends, nothing begins. */
  alone(): Promise<() => void>;
}

export function createTurns(): Turns {
  const waiting: { readonly isAlone: boolean; readonly start: () => void }[] = [];
  let running = 0;
  let isAlone = false;

  function next(): void {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      if (isAlone || (first.isAlone && running > 0)) return;
      waiting.shift();
      running++;
      isAlone = first.isAlone;
      first.start();
    }
  }
  function enter(wantsAlone: boolean): Promise<() => void> {
    return new Promise((resolve) => {
      waiting.push({
        isAlone: wantsAlone,
        start: () =>
          resolve(() => {
            running--;
            isAlone = false;
            next();
          }),
      });
      next();
    });
  }
  return { together: () => enter(false), alone: () => enter(true) };
}
