import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { isLoopback } from '../../engine/base/loopback.ts';

/** Listens for notifications at an address of this machine. */
export interface Receiver {
  /** Of which channel notifications count, and its secret. */
  expect(channel: { readonly id: string; readonly token: string }): void;
  close(): void;
}

/** In ms. A notification has headers alone. */
const TIMEOUT = 5_000;

/**
 * Undefined for an address of another machine, or one that this program cannot listen at: another window does.
 * @param onChange called for each notification of a change
 */
export async function openReceiver(address: string, onChange: () => void): Promise<Receiver | undefined> {
  const { protocol, hostname, port, pathname } = new URL(address);
  if (protocol !== 'http:' || !isLoopback(hostname)) return undefined;
  let expected: { readonly id: string; readonly token: string } | undefined;
  const server = createServer({ requestTimeout: TIMEOUT, headersTimeout: TIMEOUT }, (request, response) => {
    const { 'x-goog-channel-id': id, 'x-goog-channel-token': token, 'x-goog-resource-state': state } = request.headers;
    const isMeant = request.method === 'POST' && request.url?.split('?')[0] === pathname;
    const isExpected = isMeant && expected !== undefined && id === expected.id && isSame(token, expected.token);
    response.writeHead(isExpected ? 204 : 404, { connection: 'close' }).end();
    // Whatever else is sent is not read.
    request.resume();
    // The first message only says that the channel exists.
    if (isExpected && state !== 'sync') onChange();
  });
  server.maxConnections = 10;
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), () => resolve(true));
  });
  if (!isListening) return undefined;
  server.unref();
  return {
    expect(channel) {
      expected = channel;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isSame(given: string | readonly string[] | undefined, secret: string): boolean {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
