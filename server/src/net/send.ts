import * as l10n from '@vscode/l10n';
import type { Clock } from '../model/ports.ts';
import type { Gate, Hold, Outcome } from './gate.ts';
import type { Http, HttpAnswer, HttpRequest } from './http.ts';
import { backoff, retryAfter, wait } from './retry.ts';

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
