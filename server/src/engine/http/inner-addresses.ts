import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isInnerAddress } from '../model/registries/inner-host.ts';
import { innerAddress } from './errors.ts';

/** Whether a name resolves to such an address here. False if it does not resolve: a proxy may know it. */
export function resolvesInner(hostname: string): Promise<boolean> {
  return new Promise((resolve) => {
    lookup(hostname, { all: true }, (error, found) =>
      resolve(!error && found.some(({ address }) => isInnerAddress(address))),
    );
  });
}

/**
 * Resolves a name for a connection. The connection uses these very addresses, so a name that resolves otherwise a moment
 * later leads nowhere else.
 */
export const lookUpOuter: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '');
    if (found.some(({ address }) => isInnerAddress(address))) return callback(new Error(innerAddress()), '');
    const [first] = found;
    if (options.all) callback(null, found);
    else if (first) callback(null, first.address, first.family);
    else callback(new Error(innerAddress()), '');
  });
};
