/** How long, in ms, an editor may take for something on a machine that has much else to do. */
export const patience = 40_000;

/**
 * Asks until the answer is there.
 * @param ask what is done again, such as a click that may go astray, waits at most so many ms for its outcome: briefly at
 * first, and longer each time, as long as a slow machine needs
 * @param within in ms
 * @throws with the last thing that was wrong, when patience runs out
 */
export async function eventually<T>(ask: (timeout: number) => Promise<T> | T, within = patience): Promise<T> {
  const until = Date.now() + within;
  for (let timeout = within / 40; ; timeout = Math.min(2 * timeout, within / 4)) {
    try {
      return await ask(timeout);
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
