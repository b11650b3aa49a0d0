import * as l10n from '@vscode/l10n';
import type { Clock, Trouble } from '../model/ports.ts';
import { httpLimits } from './types.ts';

/** A time during which nothing is sent to a host. */
export interface Hold {
  /** In ms since the epoch. */
  readonly until: number;
  /** A clause to show: `the service asked to wait`, `connection refused`. */
  readonly reason: string;
  /** The host asked for it, whether or not it said how long; else it could not be reached. */
  readonly asked: boolean;
}

/** What became of a request that was let through. */
export type Outcome =
  | { readonly kind: 'fine' }
  /** The host asked for less (429, 503). `wait` in ms where it said how long. */
  | { readonly kind: 'overload'; readonly reason: string; readonly wait?: number }
  /** The host says that it is not well (503), and nothing of a wait. */
  | { readonly kind: 'down'; readonly reason: string }
  /** It could not be reached, or answered with a fault of its own. */
  | { readonly kind: 'fault'; readonly reason: string }
  /** Somebody on the way lets nothing through before a person has changed something. */
  | { readonly kind: 'barred'; readonly reason: string }
  /** Given up by us: says nothing about the host. */
  | { readonly kind: 'aborted' };

export type Turn =
  | { readonly kind: 'go' }
  | { readonly kind: 'held'; readonly hold: Hold }
  | { readonly kind: 'aborted' };

/** Stands before one host: lets requests through, holds them back, lets one try after a hold. */
export interface Gate {
  /**
   * Waits for the turn of a request. Every `go` must be followed by one `report`. A hold that lasts longer than the
   * patience of the gate is not waited for.
   */
  pass(signal?: AbortSignal): Promise<Turn>;
  report(outcome: Outcome): void;
  hold(): Hold | undefined;
  /** A request that was let through is sent. */
  setOut(): Trip;
  /**
   * Why the host could not be reached, from a hold for that reason on until it answers, or somebody does not want to wait;
   * before that, that a connection or an answer takes long.
   */
  trouble(): Trouble | undefined;
  /** Somebody does not want to wait: a hold that the host has not asked for ends. */
  hurry(): void;
  /** Called when a hold begins, is made longer, and ends. Returns what ends the subscription. */
  onDidHold(listener: (hold: Hold | undefined) => void): () => void;
}

const limits = {
  /** Faults in a row that make a hold. */
  faults: 5,
  /** Without word from the host, a hold lasts from half of this up to it, in ms; each further one twice as long. */
  firstHold: 2_000,
  longestHold: 300_000,
  /** The same where the host was not reached, or answered with a fault: whoever is back on the network sees it soon. */
  longestOutage: 60_000,
  /** What a host may ask for at the most, in ms. */
  longestAsked: 3_600_000,
  /** After so many ms without a hold, the next one counts as the first. */
  calm: 60_000,
  /** The longest rest of a hold that a request waits for, in ms. */
  patience: 5_000,
} as const;

/** @param earlier a hold that the host asked for before, which may not be over yet */
export function createGate(clock: Clock, random: () => number, earlier?: Hold): Gate {
  /** `trying`: the hold is over, and one request finds out whether the host is well. */
  let state: 'open' | 'held' | 'trying' = 'open';
  let probing = false;
  let current: Hold | undefined;
  let trouble: string | undefined;
  let faults = 0;
  let holds = 0;
  let lastEnd = Number.NEGATIVE_INFINITY;
  let cancelEnd: (() => void) | undefined;
  const reaching = createReaching(clock);
  const waiting = new Set<(turn: Turn) => void>();
  const listeners = new Set<(hold: Hold | undefined) => void>();

  function begin(reason: string, asked: boolean, longest: number, wait?: number): void {
    const now = clock.now();
    if (state !== 'held') {
      const before = now - lastEnd > limits.calm ? 0 : holds;
      // A host that says how long has not left us guessing: that is no reason to stay away for longer next time.
      holds = wait ? before : before + 1;
    }
    const bound = Math.min(longest, limits.firstHold * 2 ** Math.min(Math.max(0, holds - 1), 30));
    const length = wait ? Math.min(wait, limits.longestAsked) : Math.round(bound * (0.5 + random() / 2));
    const until = state === 'held' && current ? Math.max(current.until, now + length) : now + length;
    current = { until, reason, asked: asked || (state === 'held' && current?.asked === true) };
    trouble = current.asked ? undefined : reason;
    state = 'held';
    cancelEnd?.();
    cancelEnd = clock.after(until - now, endHold);
    if (until - now > limits.patience) answerAll({ kind: 'held', hold: current });
    tell();
  }

  function endHold(): void {
    cancelEnd?.();
    state = 'trying';
    current = undefined;
    lastEnd = clock.now();
    tell();
    tryNext();
  }

  /** After a hold the first in line goes alone. */
  function tryNext(): void {
    const [next] = waiting;
    probing = next !== undefined;
    next?.({ kind: 'go' });
  }

  function open(): void {
    const wasHeld = current !== undefined;
    if (state === 'held') lastEnd = clock.now();
    state = 'open';
    probing = false;
    current = undefined;
    trouble = undefined;
    faults = 0;
    cancelEnd?.();
    if (wasHeld) tell();
    answerAll({ kind: 'go' });
  }

  function answerAll(turn: Turn): void {
    const all = [...waiting];
    waiting.clear();
    for (const answer of all) answer(turn);
  }

  function tell(): void {
    for (const listener of [...listeners]) listener(current);
  }

  if (earlier && earlier.until > clock.now())
    begin(earlier.reason, true, limits.longestHold, earlier.until - clock.now());

  return {
    pass(signal) {
      if (signal?.aborted) return Promise.resolve({ kind: 'aborted' });
      // A machine that slept woke up later than its timers reckon.
      if (current && current.until <= clock.now()) endHold();
      if (state === 'open') return Promise.resolve({ kind: 'go' });
      if (state === 'trying' && !probing) {
        probing = true;
        return Promise.resolve({ kind: 'go' });
      }
      if (current && current.until - clock.now() > limits.patience) {
        return Promise.resolve({ kind: 'held', hold: current });
      }
      return new Promise((resolve) => {
        const onAbort = () => answer({ kind: 'aborted' });
        function answer(turn: Turn): void {
          waiting.delete(answer);
          signal?.removeEventListener('abort', onAbort);
          resolve(turn);
        }
        waiting.add(answer);
        signal?.addEventListener('abort', onAbort);
      });
    },

    report(outcome) {
      switch (outcome.kind) {
        case 'fine':
          faults = 0;
          // An answer to what was sent before the hold does not end one that the host asked for.
          if (state === 'trying' || (state === 'held' && !current?.asked)) open();
          return;
        case 'overload':
          begin(outcome.reason, true, limits.longestHold, outcome.wait);
          return;
        case 'down':
          if (state !== 'held') begin(outcome.reason, false, limits.longestOutage);
          return;
        case 'fault':
          faults++;
          if (state === 'trying' || (state === 'open' && faults >= limits.faults)) {
            begin(outcome.reason, false, limits.longestOutage);
          }
          return;
        case 'barred':
          begin(outcome.reason, false, limits.longestHold, limits.longestHold);
          return;
        case 'aborted':
          if (state === 'trying') tryNext();
          return;
      }
    },

    hold: () => current,
    setOut: reaching.setOut,

    trouble() {
      if (trouble !== undefined) return { reason: trouble };
      const waitsFor = reaching.slow();
      return waitsFor && { reason: notYet[waitsFor](), isEarly: true };
    },

    hurry() {
      trouble = undefined;
      if (state === 'held' && !current?.asked) endHold();
    },

    onDidHold(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Why there is no answer, while it is waited for. */
const notYet = {
  connection: () =>
    l10n.t('no connection has been made yet, and one may take {0} s', Math.round(httpLimits.connect / 1000)),
  answer: () => l10n.t('the service was reached, and its answer takes long'),
} as const;

/**
 * Whether requests wait for so long that somebody will wonder: for a connection, or for anything to come over one. A host
 * that says nothing lets the whole time pass that it is given, and until then nothing has failed.
 */
export interface Reaching {
  /** A request sets out. */
  setOut(): Trip;
  /** What is waited for; undefined where nothing takes long. */
  slow(): 'connection' | 'answer' | undefined;
}

/** One attempt at a request. */
export interface Trip {
  /** A connection carries it. */
  readonly carried: () => void;
  /** It has its answer, or will have none. */
  readonly end: () => void;
}

const reachingLimits = {
  /** In ms: by then the first packet was lost, since it is sent once more after one second (RFC 6298, 2.1). */
  connection: 2_000,
  /** In ms: fifty times what nine of ten answers of the public service take. */
  answer: 5_000,
  /** In ms: longer than between two attempts at one request, so that a second one does not count from anew. */
  rest: 1_000,
} as const;

export function createReaching(clock: Clock): Reaching {
  let underWay = 0;
  let carried = 0;
  /** From when on requests were out and no connection carried any, in ms since the epoch. */
  let since = 0;
  /** From when on connections carried some, and nothing ended, in ms since the epoch. */
  let silent = 0;
  /** When the last one that was out ended. */
  let left = Number.NEGATIVE_INFINITY;
  const isOut = (now: number): boolean => underWay > 0 || now - left <= reachingLimits.rest;

  return {
    setOut() {
      if (!isOut(clock.now())) since = clock.now();
      underWay++;
      let isCarried = false;
      return {
        carried() {
          if (isCarried) return;
          if (carried === 0) silent = clock.now();
          carried++;
          isCarried = true;
        },
        end() {
          underWay--;
          left = clock.now();
          if (!isCarried) return;
          carried--;
          [since, silent] = [left, left];
        },
      };
    },
    slow() {
      const now = clock.now();
      if (carried > 0) return now - silent >= reachingLimits.answer ? 'answer' : undefined;
      return now - since >= reachingLimits.connection && isOut(now) ? 'connection' : undefined;
    },
  };
}
