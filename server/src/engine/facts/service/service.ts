import * as l10n from '@vscode/l10n';
import { type CircuitBreaker, createCircuitBreaker } from '../../http/circuit-breaker.ts';
import { type SendResult, send } from '../../http/retry.ts';
import type { Http, HttpRequest } from '../../http/types.ts';
import type { Clock } from '../../model/ports.ts';
import { type Settings, settingThatStopsLookups } from '../../model/settings.ts';
import { type AnswerCache, createAnswerCache } from '../cache/answer-cache.ts';
import type { Cache } from '../cache/cache.ts';
import { type Api, createApi } from './api.ts';
import { createEndpoints, type Endpoints } from './endpoints.ts';
import { refusingPrivateKeys } from './private-keys.ts';
import { readAddress, rejectForeignResponses } from './responses.ts';

/** A service at an address, and its cached answers. */
export interface Service {
  /** Identifies its address and the way there. */
  readonly place: string;
  readonly api: Api;
  readonly endpoints: Endpoints;
  readonly breaker: CircuitBreaker;
  readonly answers: AnswerCache;
  /** Whether the settings permit requests again, after they did not: true once. */
  isBack(): boolean;
}

export type ServiceSettings = Pick<Settings, 'baseUrl' | 'batchSize' | 'parallelBatches'> &
  Partial<
    Pick<
      Settings,
      'offline' | 'freshness' | 'network' | 'invalidSettings' | 'projectScores' | 'minScore' | 'similarNames'
    >
  >;

export interface ServiceParts {
  readonly http: Http;
  readonly clock: Clock;
  readonly cache: Cache;
  readonly random: () => number;
  readonly settings: () => ServiceSettings;
  /** Of an answer of a kind, in ms. */
  readonly maxLifetime: (kind: string) => number;
  /** Called after several failures, before the next attempt. */
  readonly onTrouble: () => void;
}

/** Changes if there may be other answers, or if failed requests may succeed over another way. */
export function placeOf({ baseUrl, network = {} }: ServiceSettings): string {
  return JSON.stringify([baseUrl, network]);
}

export function connect(baseUrl: string, parts: ServiceParts): Service {
  const { http, clock, cache, random, settings, maxLifetime, onTrouble } = parts;
  let wasClosed = false;
  const answers = createAnswerCache(cache, baseUrl, maxLifetime);
  const breaker = createCircuitBreaker(clock, random, answers.backoff());
  const address = readAddress(baseUrl);
  const own = address && rejectForeignResponses(http, address);
  async function ask(request: HttpRequest): Promise<SendResult> {
    const closed = reasonNotToSend(settings());
    if (closed !== undefined) return { kind: 'failure', reason: closed, isRetryable: true };
    return own ? send({ http: own, breaker, clock, random }, request) : invalidAddress(baseUrl);
  }
  const endpoints = createEndpoints(address ?? { origin: '', prefix: '' }, ask, (headers) =>
    own?.recognizeServer(headers),
  );
  breaker.onDidChangeBackoff((backoff) => {
    // A back-off that the service requested outlives a restart.
    if (backoff?.asked) answers.setBackoff(backoff, clock.now());
    else if (backoff) onTrouble();
  });
  const api = refusingPrivateKeys(withoutNeedlessAdvisories(createApi(endpoints), clock));
  const isBack = (): boolean => {
    const before = wasClosed;
    wasClosed = reasonNotToSend(settings()) !== undefined;
    return before && !wasClosed;
  };
  return { place: placeOf(settings()), api, endpoints, breaker, answers, isBack };
}

/** Why the settings forbid requests, if they do. */
function reasonNotToSend(settings: ServiceSettings): string | undefined {
  return settingThatStopsLookups(settings)?.reason ?? (settings.offline ? l10n.t('working offline') : undefined);
}

async function invalidAddress(baseUrl: string): Promise<SendResult> {
  const reason = l10n.t('invalid service address: {0}', JSON.stringify(baseUrl));
  return { kind: 'failure', reason, isRetryable: false };
}

/**
 * An instance without advisories answers every lookup with 404. After several of these and no other answer, the rest is
 * not requested.
 */
function withoutNeedlessAdvisories(api: Api, clock: Clock): Api {
  let misses = 0;
  let served = false;
  let silentUntil = 0;
  return {
    ...api,
    async advisory(id, signal) {
      if (clock.now() < silentUntil) return { kind: 'unknown' };
      const result = await api.advisory(id, signal);
      if (result.kind === 'facts') served = true;
      if (result.kind === 'unknown' && !served && ++misses >= MAX_ADVISORY_MISSES) {
        misses = 0;
        silentUntil = clock.now() + ADVISORY_PAUSE;
      }
      return result;
    },
  };
}

/** Unknown advisories in a row after which all others count as unknown. */
const MAX_ADVISORY_MISSES = 5;

/** In ms: the contract has clients request advisories again after an hour. */
const ADVISORY_PAUSE = 3_600_000;
