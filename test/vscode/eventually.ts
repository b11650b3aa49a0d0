/**
 * How long, in ms, an editor may take for something on a machine that has much else to do. What is tried again, such as a
 * click that went astray, takes a fraction of it each time.
 */
export const patience = 40_000;

/**
 * Asks until the answer is there.
 * @param within in ms
 * @throws with the last thing that was wrong, when patience runs out
 */
export async function eventually<T>(ask: () => Promise<T> | T, within = patience): Promise<T> {
  const until = Date.now() + within;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
