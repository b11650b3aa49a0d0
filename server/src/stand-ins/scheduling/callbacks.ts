import { type RequestOptions, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Clock } from '../../engine/model/ports.ts';

/** Calls back the addresses of channels, on this machine alone. */
export interface Callbacks {
  /** Sends once the current request is answered. */
  send(address: string, headers: Readonly<Record<string, string>>): void;
  /** Ends what is under way. */
  close(): void;
}

const limits = {
  /** For an answer, in ms. */
  answer: 10_000,
  /** Before each further attempt, in ms. */
  waits: [1000, 4000, 16_000],
} as const;

/** Whether an address is on this machine: no other one is ever called. */
export function isOnThisMachine(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || password !== '') return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

export function createCallbacks(clock: Clock): Callbacks {
  const ends = new Set<() => void>();
  let isClosed = false;

  function attempt(address: string, headers: Readonly<Record<string, string>>, turn: number): void {
    if (isClosed) return;
    const url = new URL(address);
    const send = url.protocol === 'https:' ? secureRequest : request;
    const options: RequestOptions = { method: 'POST', headers: { ...headers, 'Content-Length': '0' }, lookup };
    const out = send(url, { ...options, timeout: limits.answer, agent: false });
    const end = (): void => void out.destroy();
    ends.add(end);
    let status = 0;
    out.on('response', (response) => {
      status = response.statusCode ?? 0;
      response.resume();
    });
    out.on('timeout', end);
    out.on('error', () => {});
    out.on('close', () => {
      ends.delete(end);
      // Other refusals are final. Source: documentation of push notifications.
      const isLost = status === 0 || [500, 502, 503, 504].includes(status);
      const wait = limits.waits[turn];
      if (!isLost || wait === undefined || isClosed) return;
      const cancel = clock.after(wait, () => {
        ends.delete(cancel);
        attempt(address, headers, turn + 1);
      });
      ends.add(cancel);
    });
    out.end();
  }

  return {
    send(address, headers) {
      setImmediate(() => attempt(address, headers, 0));
    },
    close() {
      isClosed = true;
      for (const end of ends) end();
    },
  };
}

/** `localhost` is this machine, whatever its name service says. */
const lookup: RequestOptions['lookup'] = (_, options, done) => {
  if (options.all) {
    done(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
  } else done(null, '127.0.0.1', 4);
};
