/** Node has it, a browser has not. */
const { setImmediate }: { readonly setImmediate?: (call: () => void) => unknown } = globalThis;

/** Resolves in the next turn of the event loop, after what already waits there: input of a person, answers. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (setImmediate !== undefined) setImmediate(resolve);
    else postNextTurn(resolve);
  });
}

/** A message is due at once. A timer of a browser waits 4 ms. Source: HTML Standard, “Timers”. */
function postNextTurn(call: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => {
    port1.close();
    call();
  });
  port1.start();
  port2.postMessage(undefined);
}
