import * as l10n from '@vscode/l10n';
import { type CircuitBreaker, createCircuitBreaker } from '../../http/circuit-breaker.ts';
import { type SendResult, send } from '../../http/retry.ts';
import type { Http, HttpRequest } from '../../http/types.ts';
import type { Clock } from '../../model/ports.ts';
import { closedBy, type Settings } from '../../model/settings.ts';
import { createShelf, type Shelf } from '../cache/answer-cache.ts';
import type { Cache } from '../cache/cache.ts';
import type { InsightsLimits } from '../store/entry.ts';
import { type Api, createApi } from './api.ts';
import { createEndpoints, type Endpoints } from './endpoints.ts';
import { readAddress, withoutForeign } from './responses.ts';

/** One service at one address, and what is kept of it. */
export interface Service {
  /** Where it is, and the way there: what changes when it is to be connected anew. */
  readonly place: string;
  readonly api: Api;
  readonly endpoints: Endpoints;
  readonly breaker: CircuitBreaker;
  readonly shelf: Shelf;
  /** Whether things may be asked again that could not be while the settings had us ask nothing: true once. */
  isBack(): boolean;
}

export type ServiceSettings = Pick<Settings, 'baseUrl' | 'batchSize' | 'parallelBatches'> &
  Partial<Pick<Settings, 'offline' | 'freshness' | 'network' | 'mistakes'>>;

export interface ServiceParts {
  readonly http: Http;
  readonly clock: Clock;
  readonly cache: Cache;
  readonly random: () => number;
  readonly settings: () => ServiceSettings;
  readonly limits: () => InsightsLimits;
  /** Called when it could not be reached a few times, and is tried again. */
  readonly onTrouble: () => void;
}

/** Another address has other answers; over another way what failed may succeed. */
export function placeOf({ baseUrl, network = {} }: ServiceSettings): string {
  return JSON.stringify([baseUrl, network]);
}

export function connect(baseUrl: string, parts: ServiceParts): Service {
  const { http, clock, cache, random, settings, limits, onTrouble } = parts;
  let wasClosed = false;
  const shelf = createShelf(cache, baseUrl, () => limits().longestLife);
  const breaker = createCircuitBreaker(clock, random, shelf.hold());
  const address = readAddress(baseUrl);
  const own = address && withoutForeign(http, address);
  async function ask(request: HttpRequest): Promise<SendResult> {
    const closed = closedFor(settings());
    if (closed !== undefined) return { kind: 'failure', reason: closed, isRetryable: true };
    return own ? send({ http: own, breaker, clock, random }, request) : nowhere(baseUrl);
  }
  const endpoints = createEndpoints(address ?? { origin: '', prefix: '' }, ask, (headers) => own?.recognize(headers));
  breaker.onDidChangeBackoff((backoff) => {
    // Who starts anew within the time that the service asked for still keeps to it.
    if (backoff?.asked) shelf.keepHold(backoff, clock.now());
    else if (backoff) onTrouble();
  });
  const api = withoutNeedlessAdvisories(createApi(endpoints), clock);
  const isBack = (): boolean => {
    const before = wasClosed;
    wasClosed = closedFor(settings()) !== undefined;
    return before && !wasClosed;
  };
  return { place: placeOf(settings()), api, endpoints, breaker, shelf, isBack };
}

/** Why the settings have us ask nothing, if they do. */
function closedFor(settings: ServiceSettings): string | undefined {
  return closedBy(settings)?.reason ?? (settings.offline ? l10n.t('working offline') : undefined);
}

async function nowhere(baseUrl: string): Promise<SendResult> {
  const reason = l10n.t('the address of the service, {0}, is no http or https address', JSON.stringify(baseUrl));
  return { kind: 'failure', reason, isRetryable: false };
}

/**
 * An instance that serves no advisories answers every look-up with 404. Once some were answered so, and none
 * otherwise, the rest is not asked for.
 */
function withoutNeedlessAdvisories(api: Api, clock: Clock): Api {
  const { enough, rest } = advisoryLimits;
  let misses = 0;
  let served = false;
  let silentUntil = 0;
  return {
    ...api,
    async advisory(id, signal) {
      if (clock.now() < silentUntil) return { kind: 'unknown' };
      const learnt = await api.advisory(id, signal);
      if (learnt.kind === 'facts') served = true;
      if (learnt.kind === 'unknown' && !served && ++misses >= enough) {
        misses = 0;
        silentUntil = clock.now() + rest;
      }
      return learnt;
    },
  };
}

/** `rest` in ms: the contract says to ask such an instance again after an hour. */
const advisoryLimits = { enough: 5, rest: 3_600_000 };
