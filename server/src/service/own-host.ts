import { isIP } from 'node:net';

/**
 * Whether a request names the host that it reached. A page of somebody else can have its own name resolve to this
 * machine, and would then read every answer as one of its own (DNS rebinding): such a request names the page's host.
 * An address is no name that somebody else could have.
 * @param header the `Host` of the request: `127.0.0.1:8080`
 * @param bound what the service listens on
 * @param names further names, in lower case
 */
export function isOwnHost(header: string | undefined, bound: string, names: readonly string[]): boolean {
  const name = /^(?:\[([\da-f:.]+)\]|([^:@/]+))(?::\d+)?$/i
    .exec(header ?? '')
    ?.slice(1)
    .join('')
    .toLowerCase();
  if (name === undefined) return false;
  if (name === 'localhost' || isLoopback(name) || name === bound.toLowerCase() || names.includes(name)) return true;
  return !(bound === 'localhost' || isLoopback(bound)) && isIP(name) !== 0;
}

function isLoopback(host: string): boolean {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
