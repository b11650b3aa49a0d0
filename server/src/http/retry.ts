import * as l10n from '@vscode/l10n';
import type { Clock } from '../model/ports.ts';
import type { Gate, Hold, Outcome } from './circuit-breaker.ts';
import type { Http, HttpAnswer, HttpRequest } from './types.ts';

/** Three attempts bridge a restart of a server behind a load balancer, without keeping anybody waiting for long. */
const limits = {
  /** Attempts at one request, the first included. */
  attempts: 3,
  /** The wait before the second attempt is up to this many ms; each further one up to twice as long. */
  firstWait: 400,
  longestWait: 5_000,
} as const;

export interface Sending {
  readonly http: Pick<Http, 'request'>;
  readonly gate: Gate;
  readonly clock: Clock;
  /** From 0 up to 1, as `Math.random`. */
  readonly random: () => number;
}

/** `held`: it was not sent, or not once more, for the host is not to be disturbed before the hold ends. */
export type Sent = HttpAnswer | { readonly kind: 'held'; readonly hold: Hold };

/** Sends a request when its host may be asked, and again where that promises anything. Never rejects. */
export async function send(sending: Sending, request: HttpRequest): Promise<Sent> {
  const { http, gate, clock, random } = sending;
  for (let attempt = 1; ; attempt++) {
    const turn = await gate.pass(request.signal);
    if (turn.kind !== 'go') return turn;
    const trip = gate.setOut();
    const answer = await http.request({ ...request, onCarried: trip.carried });
    trip.end();
    const outcome = outcomeOf(answer, clock.now());
    gate.report(outcome);
    if (outcome.kind === 'fine' || outcome.kind === 'aborted') return answer;
    const hold = gate.hold();
    if (attempt >= limits.attempts || outcome.kind === 'barred') return hold ? { kind: 'held', hold } : answer;
    // A hold is waited for at the gate.
    if (!hold) {
      await wait(clock, backoff(attempt, limits.firstWait, limits.longestWait, random), request.signal);
    }
  }
}

function outcomeOf(answer: HttpAnswer, now: number): Outcome {
  if (answer.kind === 'aborted') return answer;
  if (answer.kind === 'failure') {
    if (answer.barred) return { kind: 'barred', reason: answer.reason };
    // An answer that is too long shows that the host is well.
    return answer.again ? { kind: 'fault', reason: answer.reason } : { kind: 'fine' };
  }
  const { status, headers } = answer;
  const asked = retryAfter(headers['retry-after'], now);
  if (status === 429 || (status === 503 && asked !== undefined)) {
    const reason = l10n.t('the service asked to wait');
    return { kind: 'overload', reason, ...(asked !== undefined && { wait: asked }) };
  }
  if (status < 500) return { kind: 'fine' };
  return { kind: status === 503 ? 'down' : 'fault', reason: l10n.t('the service answered with status {0}', status) };
}

/**
 * How long to wait before an attempt, with full jitter: anything up to a bound that doubles. Clients that failed
 * together do not come back together.
 * @param failures so far, from 1
 * @param random from 0 up to 1
 */
export function backoff(failures: number, firstWait: number, longestWait: number, random: () => number): number {
  return Math.round(random() * Math.min(longestWait, firstWait * 2 ** Math.min(failures - 1, 30)));
}

/**
 * The wait that a `Retry-After` header asks for, in ms: `120`, or `Wed, 21 Oct 2026 07:28:00 GMT`.
 * @param now ms since the epoch
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(\.\d{0,9})?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // `Date.parse` takes a bare number for a year.
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
