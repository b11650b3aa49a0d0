import type { Cache } from '../cache/cache.ts';
import type { Clock } from '../model/ports.ts';
import { createGate, type Gate, type Hold } from '../net/gate.ts';
import type { Http } from '../net/http.ts';
import { send } from '../net/send.ts';
import { readAddress } from './address.ts';
import { type Api, createApi } from './api.ts';
import { createShelf, type Shelf } from './shelf.ts';

/** One service at one address, and what is kept of it. */
export interface Service {
  readonly baseUrl: string;
  readonly api: Api;
  readonly gate: Gate;
  readonly shelf: Shelf;
  /** No longer tells of holds. */
  close(): void;
}

export interface ServiceParts {
  readonly http: Http;
  readonly clock: Clock;
  readonly cache: Cache;
  readonly random: () => number;
}

/** @param tellHold called when a hold begins, is made longer, and ends */
export function connect(baseUrl: string, parts: ServiceParts, tellHold: (hold: Hold | undefined) => void): Service {
  const { http, clock, cache, random } = parts;
  const gate = createGate(clock, random);
  const address = readAddress(baseUrl);
  const api = address
    ? createApi(address, (request) => send({ http, gate, clock, random }, request))
    : createApi({ origin: '', prefix: '' }, async () => ({
        kind: 'failure',
        reason: `the address of the service, ${JSON.stringify(baseUrl)}, is no http or https address`,
        again: false,
      }));
  return { baseUrl, api, gate, shelf: createShelf(cache, baseUrl), close: gate.onDidHold(tellHold) };
}
