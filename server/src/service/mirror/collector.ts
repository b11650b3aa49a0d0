/** A queue is full: more questions wait than can be answered in time. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/**
 * Makes few calls for many items of many requests: items of the same moment, and those that arrive while all calls are
 * under way, are loaded together. A call that rejects rejects its items.
 * @param limits items of one call, calls at the same time, and items that may wait
 * @param load returns a result for each item, in their order
 */
export function createCollector<T, R>(
  limits: { readonly most: number; readonly parallel: number; readonly waiting: number },
  load: (items: readonly T[]) => Promise<readonly R[]>,
): (item: T) => Promise<R> {
  const waiting: {
    readonly item: T;
    readonly resolve: (result: R) => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  let running = 0;
  let isDue = false;

  function flush(): void {
    isDue = false;
    while (running < limits.parallel && waiting.length > 0) {
      const part = waiting.splice(0, limits.most);
      running++;
      load(part.map((it) => it.item))
        .then(
          (results) => {
            for (const [index, it] of part.entries()) it.resolve(results[index] as R);
          },
          (error: unknown) => {
            for (const it of part) it.reject(error);
          },
        )
        .finally(() => {
          running--;
          flush();
        });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= limits.waiting) {
        reject(new QueueFull('too much is asked at once'));
        return;
      }
      waiting.push({ item, resolve, reject });
      if (isDue) return;
      isDue = true;
      setImmediate(flush);
    });
}
