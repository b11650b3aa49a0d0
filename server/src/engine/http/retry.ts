import * as l10n from '@vscode/l10n';
import { type BackOff, backOff } from '../base/back-off.ts';
import type { Clock } from '../model/ports.ts';
import type { Backoff, CircuitBreaker, RequestOutcome } from './circuit-breaker.ts';
import type { Http, HttpAnswer, HttpRequest } from './types.ts';

/**
 * Attempts at one request, the first included. Three bridge the restart of a server behind a load balancer without a long
 * wait.
 */
const MAX_ATTEMPTS = 3;

/** The longest pauses. */
const pauses: BackOff = { first: 400, longest: 5_000 };

export interface SendOptions {
  readonly http: Pick<Http, 'request'>;
  readonly breaker: CircuitBreaker;
  readonly clock: Clock;
  /** From 0 up to 1, as `Math.random`. */
  readonly random: () => number;
}

/** `refused`: not sent, or not sent again, because the back-off of its host lasts too long to wait. */
export type SendResult = HttpAnswer | { readonly kind: 'refused'; readonly backoff: Backoff };

/** Sends a request when the circuit breaker permits it, and again after a failure that may pass. Never rejects. */
export async function send({ http, breaker, clock, random }: SendOptions, request: HttpRequest): Promise<SendResult> {
  for (let attempt = 1; ; attempt++) {
    const permit = await breaker.acquire(request.signal);
    if (permit.kind !== 'granted') return permit;
    const tracked = breaker.track();
    const answer = await http.request({ ...request, onConnected: tracked.connected });
    tracked.end();
    const outcome = outcomeOf(answer, clock.now());
    breaker.report(outcome);
    if (outcome.kind === 'success' || outcome.kind === 'aborted') return answer;
    const backoff = breaker.backoff();
    if (attempt >= MAX_ATTEMPTS || outcome.kind === 'blocked') return backoff ? { kind: 'refused', backoff } : answer;
    // The circuit breaker waits for a back-off.
    if (!backoff) await wait(clock, pauseAfter(attempt, random), request.signal);
  }
}

function outcomeOf(answer: HttpAnswer, now: number): RequestOutcome {
  if (answer.kind === 'aborted') return answer;
  if (answer.kind === 'failure') {
    if (answer.isBlocked) return { kind: 'blocked', reason: answer.reason };
    // An answer that is too long proves that the host works.
    return answer.isRetryable ? { kind: 'fault', reason: answer.reason } : { kind: 'success' };
  }
  const { status, headers } = answer;
  const requested = retryAfter(headers['retry-after'], now);
  if (status === 429 || (status === 503 && requested !== undefined)) {
    return { kind: 'throttled', reason: waitText(requested), ...(requested !== undefined && { wait: requested }) };
  }
  // A host that lacks a method works.
  if (status < 500 || status === 501) return { kind: 'success' };
  const reason = l10n.t('the service answered with status {0}', status);
  return { kind: status === 503 ? 'unavailable' : 'fault', reason };
}

/** @param length of the wait, where it is known; in ms */
export function waitText(length: number | undefined): string {
  return length === undefined
    ? l10n.t('the service requested a wait')
    : l10n.t('the service requested a wait of {0} s', Math.ceil(length / 1000));
}

/**
 * How long to wait before the next attempt, in ms, with full jitter: clients that failed together do not retry together.
 * @param failures so far, from 1
 * @param random from 0 up to 1
 */
export function pauseAfter(failures: number, random: () => number): number {
  return Math.round(random() * backOff(failures, pauses));
}

/**
 * The wait that a `Retry-After` header requests, in ms: `120`, or `Wed, 21 Oct 2026 07:28:00 GMT`.
 * @param now ms since the epoch
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}(\.\d{0,9})?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // `Date.parse` reads a bare number as a year.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Resolves after `ms`, or at once when the signal aborts. */
export function wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.after(ms, end);
    function end(): void {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    }
    signal?.addEventListener('abort', end);
  });
}
