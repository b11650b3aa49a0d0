import { isIP } from 'node:net';

/**
 * Whether the `Host` of a request is a name of this machine. Another site can make its own name resolve to this machine,
 * and its pages could then read every answer as same-origin (DNS rebinding). Such a request has the host of that site.
 * A bare IP address cannot be the name of another site.
 * @param header the `Host` of the request: `127.0.0.1:8080`
 * @param bound the host that the service listens on
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
