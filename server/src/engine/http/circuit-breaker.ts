import * as l10n from '@vscode/l10n';
import { backOff, spread } from '../base/back-off.ts';
import type { Clock, ConnectionProblem } from '../model/ports.ts';
import { createLatencyMonitor, type TrackedRequest } from './latency-monitor.ts';
import { createProbe } from './probe.ts';
import { httpLimits } from './types.ts';

/** A time during which no request is sent to a host. */
export interface Backoff {
  /** In ms since the epoch. */
  readonly until: number;
  /** A clause to show: `the service asked to wait`, `connection refused`. */
  readonly reason: string;
  /** The host requested it, with or without a length. Otherwise it could not be reached. */
  readonly asked: boolean;
}

/** The outcome of a permitted request. */
export type RequestOutcome =
  | { readonly kind: 'success' }
  /** The host requests a pause (429, 503). `wait` in ms if it gave a length. */
  | { readonly kind: 'throttled'; readonly reason: string; readonly wait?: number }
  /** The host reports that it is unavailable (503), without a length. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** The host was not reached, or failed. */
  | { readonly kind: 'fault'; readonly reason: string }
  /** A proxy refuses every request until a person changes something. */
  | { readonly kind: 'blocked'; readonly reason: string }
  /** Canceled by us, so it shows nothing about the host. */
  | { readonly kind: 'aborted' };

export type Permit =
  | { readonly kind: 'granted' }
  | { readonly kind: 'refused'; readonly backoff: Backoff }
  | { readonly kind: 'aborted' };

/**
 * Decides for one host whether requests are sent.
 *
 *     closed ──── faults, or the host requests a pause ───▶ open: nothing is sent until the back-off ends
 *       ▲                                                     │  ▲
 *       └── success ── half-open: one request is sent alone ◀─┘  │
 *                                  └───────────── fault ─────────┘
 */
export interface CircuitBreaker {
  /**
   * Waits until a request may be sent. Every granted permit must be followed by one `report`. A back-off longer than
   * `MAX_WAIT` is not waited for.
   */
  acquire(signal?: AbortSignal): Promise<Permit>;
  report(outcome: RequestOutcome): void;
  backoff(): Backoff | undefined;
  /** To be called when a permitted request is sent. */
  track(): TrackedRequest;
  /**
   * Why the host could not be reached: from the first such back-off until an answer or `retryNow`. Before that, whether a
   * connection or an answer takes long.
   */
  trouble(): ConnectionProblem | undefined;
  /** Ends a back-off that the host did not request. */
  retryNow(): void;
  /** Called when a back-off begins, grows, and ends. Returns a function that unsubscribes. */
  onDidChangeBackoff(listener: (backoff: Backoff | undefined) => void): () => void;
}

const granted: Promise<Permit> = Promise.resolve({ kind: 'granted' });

/** Faults in a row that open the circuit. */
const MAX_FAULTS = 5;

/** A back-off of unknown length lasts between half of this and all of it, in ms; each further one up to twice as long. */
const FIRST_BACKOFF = 2_000;

/** The longest back-off of unknown length that a host requested, in ms. */
const MAX_BACKOFF = 300_000;

/** The longest back-off after faults, in ms: a person who is online again notices it soon. */
const MAX_OUTAGE_BACKOFF = 60_000;

/** The longest back-off that a host may request, in ms. */
const MAX_REQUESTED_BACKOFF = 3_600_000;

/** After so many ms without a back-off, the next one counts as the first. */
const CALM_PERIOD = 60_000;

/** The longest remaining back-off that a request waits for, in ms. */
const MAX_WAIT = 5_000;

/** @param earlier a back-off that the host requested in a former session, perhaps over by now */
export function createCircuitBreaker(clock: Clock, random: () => number, earlier?: Backoff): CircuitBreaker {
  let current: Backoff | undefined;
  let trouble: string | undefined;
  let faults = 0;
  let backoffs = 0;
  let lastEnd = Number.NEGATIVE_INFINITY;
  let cancelEnd: (() => void) | undefined;
  const latency = createLatencyMonitor(clock);
  /** All requests go while the circuit is closed, none while it is open, one while it is half-open. */
  const probe = createProbe<Exclude<Permit, { readonly kind: 'granted' }>>('all');
  const listeners = new Set<(backoff: Backoff | undefined) => void>();

  function open(reason: string, asked: boolean, longest: number, wait?: number): void {
    const now = clock.now();
    const isOpen = probe.admitted() === 'none';
    if (!isOpen) {
      const before = now - lastEnd > CALM_PERIOD ? 0 : backoffs;
      // A length that the host gave is no guess of ours, so it does not make the next back-off longer.
      backoffs = wait ? before : before + 1;
    }
    const bound = backOff(backoffs, { first: FIRST_BACKOFF, longest });
    const length = wait ? Math.min(wait, MAX_REQUESTED_BACKOFF) : spread(bound, random);
    const until = isOpen && current ? Math.max(current.until, now + length) : now + length;
    current = { until, reason, asked: asked || (isOpen && current?.asked === true) };
    trouble = current.asked ? undefined : reason;
    cancelEnd?.();
    cancelEnd = clock.after(until - now, halfOpen);
    probe.admit('none', until - now > MAX_WAIT ? { kind: 'refused', backoff: current } : undefined);
    notify();
  }

  function halfOpen(): void {
    cancelEnd?.();
    current = undefined;
    lastEnd = clock.now();
    notify();
    probe.admit('one');
  }

  function close(): void {
    const wasOpen = current !== undefined;
    if (wasOpen) lastEnd = clock.now();
    current = undefined;
    trouble = undefined;
    faults = 0;
    cancelEnd?.();
    if (wasOpen) notify();
    probe.admit('all');
  }

  function notify(): void {
    for (const listener of [...listeners]) listener(current);
  }

  if (earlier && earlier.until > clock.now()) open(earlier.reason, true, MAX_BACKOFF, earlier.until - clock.now());

  return {
    acquire(signal) {
      if (signal?.aborted) return Promise.resolve({ kind: 'aborted' });
      // After sleep the timers of the machine are late.
      if (current && current.until <= clock.now()) halfOpen();
      if (current && current.until - clock.now() > MAX_WAIT) {
        return Promise.resolve({ kind: 'refused', backoff: current });
      }
      if (probe.admitted() === 'all') return granted;
      return new Promise((resolve) => {
        let isWaiting = true;
        const leave = probe.enter((answer) => {
          isWaiting = false;
          signal?.removeEventListener('abort', onAbort);
          resolve(answer === 'go' ? { kind: 'granted' } : answer);
        });
        function onAbort(): void {
          leave();
          resolve({ kind: 'aborted' });
        }
        if (isWaiting) signal?.addEventListener('abort', onAbort, { once: true });
      });
    },

    report(outcome) {
      switch (outcome.kind) {
        case 'success':
          faults = 0;
          // An answer to an earlier request does not end a back-off that the host requested.
          if (probe.admitted() !== 'all' && !current?.asked) close();
          return;
        case 'throttled':
          open(outcome.reason, true, MAX_BACKOFF, outcome.wait);
          return;
        case 'unavailable':
          if (probe.admitted() !== 'none') open(outcome.reason, false, MAX_OUTAGE_BACKOFF);
          return;
        case 'fault':
          faults++;
          if (probe.admitted() === 'one' || (probe.admitted() === 'all' && faults >= MAX_FAULTS)) {
            open(outcome.reason, false, MAX_OUTAGE_BACKOFF);
          }
          return;
        case 'blocked':
          open(outcome.reason, false, MAX_BACKOFF, MAX_BACKOFF);
          return;
        case 'aborted':
          probe.skip();
          return;
      }
    },

    backoff: () => current,
    track: latency.track,

    trouble() {
      if (trouble !== undefined) return { reason: trouble };
      const phase = latency.slowPhase();
      return phase && { reason: slowReason[phase](), isOnlySlow: true };
    },

    retryNow() {
      trouble = undefined;
      if (current && !current.asked) halfOpen();
    },

    onDidChangeBackoff(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Why there is no answer yet. */
const slowReason = {
  connection: () => l10n.t('no connection so far (timeout: {0} s)', Math.round(httpLimits.connect / 1000)),
  answer: () => l10n.t('the service is slow to answer'),
} as const;
