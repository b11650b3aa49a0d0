import * as l10n from '@vscode/l10n';
import { backOff } from '../../engine/base/back-off.ts';
import { LEAST_WAIT } from '../../engine/base/due.ts';
import type {
  ApiAnswer,
  ApiRequest,
  CallOptions,
  ConnectionClient,
  Hold,
  Holds,
} from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { RateWindow } from '../../engine/model/signals/repository.ts';
import { pointsOf, secondaryLimits } from './rate-limits.ts';

/** Keeps the calls of the code host within its limits. */
export interface Governor {
  /**
   * Waits for its turn and sends. During a hold, nothing is sent. Never rejects.
   * @param resource of the rate limits: `core`
   */
  send(request: ApiRequest, resource: string, options: CallOptions): Promise<ApiAnswer>;
  /** Who calls at this moment. */
  caller(): Promise<GovernedCaller>;
  /** Of the caller of the last call. */
  identity(): string;
  /** The windows of the primary limits, as the last answers reported them. */
  windows(): readonly RateWindow[];
}

export interface GovernedCaller {
  readonly identity: string;
  readonly isSignedIn: boolean;
}

export interface GovernorParts {
  readonly client: ConnectionClient;
  readonly holds: Holds;
  readonly clock: Clock;
  /** Whether there is a credential. Without one, the limits are those of the network address. */
  readonly isSignedIn: () => Promise<boolean>;
}

/** The same client within the limits, for calls of a person. */
export function governedClient(client: ConnectionClient, governor: Governor): ConnectionClient {
  return { identity: () => client.identity(), send: (request, options) => governor.send(request, CORE, options) };
}

/** The header `Date` is in whole seconds, so that answers about one window differ by as much, in ms. */
const DATE_STEP = 1000;

/** The resource of the rate limits that all calls count against but searches and GraphQL. */
export const CORE = 'core';

export const governorLimits = {
  /** Requests at a time for one resource: far below the limit, which the other programs of the person share. */
  concurrent: 4,
  /** Requests an hour that stay for other programs behind an address without a credential. */
  reserve: 10,
  /** Further requests after a secondary limit, before the call fails. */
  secondaryRetries: 5,
  /** How long nothing is sent with a credential that is not accepted, in ms. Another one is tried at once. */
  rejected: 3_600_000,
  /** No hold is longer, in ms: a later end comes from a clock that was wrong. */
  longestHold: 24 * 3_600_000,
} as const;

const MINUTE = 60_000;

export function createGovernor({ client, holds, clock, isSignedIn }: GovernorParts): Governor {
  const lanes = new Map<string, Lane>();
  const signedIn = new Map<string, boolean>();
  let current = '';

  async function caller(): Promise<GovernedCaller> {
    const identity = await client.identity();
    const known = signedIn.get(identity) ?? (await isSignedIn());
    signedIn.set(identity, known);
    current = identity;
    return { identity, isSignedIn: known };
  }

  function laneOf(identity: string, resource: string): Lane {
    const id = `${identity} ${resource}`;
    const lane = lanes.get(id) ?? createLane(identity, resource);
    lanes.set(id, lane);
    return lane;
  }

  function createLane(identity: string, resource: string): Lane {
    return { identity, resource, isAnonymous: signedIn.get(identity) === false, waiting: [], spent: [], ...idle };
  }

  /** The hold that applies to a resource now. */
  function holdOf(lane: Lane): Hold | undefined {
    const now = clock.now();
    if (lane.own) {
      if (lane.own.until > now) return lane.own;
      // The hold is over, although its timer comes a little later. A timer is independent of a clock that was set forward.
      if (now - lane.own.until >= LEAST_WAIT) return { ...lane.own, until: now + MINUTE };
    }
    return holds
      .inForce('code-host', lane.identity)
      .filter((it) => it.scope === lane.resource || it.scope === '*')
      .filter((it) => it.until > now && it.until <= now + governorLimits.longestHold && it.until !== lane.over)
      .sort((a, b) => b.until - a.until)[0];
  }

  /** @param wait in ms */
  function hold(lane: Lane, wait: number, reason: string): void {
    const length = Math.min(wait, governorLimits.longestHold);
    const own: Hold = { scope: lane.resource, until: clock.now() + length, reason };
    if (lane.own && own.until < lane.own.until + DATE_STEP) return;
    holds.set('code-host', lane.identity, own);
    lane.own = own;
    clock.after(length, () => {
      if (lane.own !== own) return;
      delete lane.own;
      lane.over = own.until;
      // If the clock was set back, the window would seem to last.
      if (lane.window && lane.window.reset <= own.until) delete lane.window;
    });
  }

  /** Lets waiting calls pass, those that a person waits for first. */
  function pump(lane: Lane): void {
    for (;;) {
      const next = lane.waiting.find((it) => it.priority === 'asked') ?? lane.waiting[0];
      if (next === undefined || lane.inFlight >= governorLimits.concurrent) return;
      if (isUsedUp(lane)) {
        // The answers under way may report a new window.
        if (lane.inFlight > 0) return;
        holdUntilReset(lane);
      }
      const held = holdOf(lane);
      if (!held && !hasPoints(lane, next.points)) return;
      lane.waiting.splice(lane.waiting.indexOf(next), 1);
      if (held) next.pass({ kind: 'held', until: held.until, reason: held.reason });
      else {
        lane.inFlight++;
        lane.spent.push({ at: clock.now(), points: next.points });
        next.pass('granted');
      }
    }
  }

  /** Whether the points of the last minute leave room; if not, waits for it. */
  function hasPoints(lane: Lane, points: number): boolean {
    const now = clock.now();
    // After the clock was set back, what was spent counts from now on.
    lane.spent = lane.spent.filter((it) => it.at + MINUTE > now).map((it) => (it.at > now ? { ...it, at: now } : it));
    const spent = lane.spent.reduce((sum, it) => sum + it.points, 0);
    if (spent + points <= secondaryLimits.pointsPerMinute) return true;
    const oldest = lane.spent[0]?.at ?? now;
    lane.timer ??= clock.after(oldest + MINUTE - now, () => {
      delete lane.timer;
      pump(lane);
    });
    return false;
  }

  /** Whether the calls under way use what is left of the window. */
  function isUsedUp(lane: Lane): boolean {
    const { window, inFlight, isAnonymous } = lane;
    if (!window || window.reset <= clock.now()) return false;
    return window.remaining - inFlight <= (isAnonymous ? governorLimits.reserve : 0);
  }

  function holdUntilReset(lane: Lane): void {
    const { window } = lane;
    if (!window) return;
    const reason =
      window.remaining > 0
        ? l10n.t('the last {0} requests of this hour are left to other programs', governorLimits.reserve)
        : usedUp();
    hold(lane, Math.min(window.wait, window.reset - clock.now()), reason);
  }

  /** Waits until the call may be sent. */
  function turn(lane: Lane, points: number, { priority, signal }: CallOptions): Promise<'granted' | ApiAnswer> {
    if (signal?.aborted) return Promise.resolve({ kind: 'aborted' });
    return new Promise((resolve) => {
      const abort = (): void => {
        lane.waiting.splice(lane.waiting.indexOf(waiting), 1);
        resolve({ kind: 'aborted' });
      };
      const waiting: Waiting = {
        points,
        priority,
        pass(result) {
          signal?.removeEventListener('abort', abort);
          resolve(result);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      lane.waiting.push(waiting);
      pump(lane);
    });
  }

  /** Notes what an answer reports about the limits. `wave`: that of the lane when the call was sent. */
  function note(lane: Lane, answer: ApiAnswer, wave: number): ApiAnswer {
    if (answer.kind !== 'answer') return answer;
    const now = clock.now();
    const report = readReport(answer, now);
    if (answer.status === 401)
      hold(lane, governorLimits.rejected, l10n.t('the code host does not accept the credential'));
    if (report.window) lane.window = laterOf(lane.window, report.window);
    if (report.limit === undefined) {
      lane.secondary = 0;
      return answer;
    }
    const { retryAfter, resetIn } = report;
    if (report.limit === 'primary') {
      hold(lane, resetIn ?? secondaryLimits.leastWait, usedUp());
      return { kind: 'held', until: holdOf(lane)?.until ?? now, reason: usedUp() };
    }
    // Calls that were under way together meet one limit.
    if (wave === lane.wave) {
      lane.wave++;
      lane.secondary++;
    }
    const atLeast = backOff(lane.secondary, { first: secondaryLimits.leastWait, longest: Number.POSITIVE_INFINITY });
    const named = retryAfter ?? resetIn;
    hold(lane, named === undefined ? atLeast : lane.secondary > 1 ? Math.max(named, atLeast) : named, tooFast());
    if (lane.secondary > governorLimits.secondaryRetries)
      return { kind: 'failure', reason: l10n.t('given up after {0} limits in a row', lane.secondary) };
    return { kind: 'held', until: holdOf(lane)?.until ?? now, reason: tooFast() };
  }

  return {
    async send(request, resource, options) {
      const { identity } = await caller();
      const lane = laneOf(identity, resource);
      const result = await turn(lane, pointsOf(request.verb), options);
      if (result !== 'granted') return result;
      const { wave } = lane;
      const answer = await client.send(request, options);
      lane.inFlight--;
      // The service may count a call against another resource than expected.
      const counted = answer.kind === 'answer' ? answer.headers['x-ratelimit-resource'] : undefined;
      const other = counted !== undefined && counted !== resource ? laneOf(identity, counted) : undefined;
      const noted = note(lane, answer, wave);
      if (other) note(other, answer, other.wave);
      pump(lane);
      return noted;
    },
    caller,
    identity: () => current,
    windows: () =>
      [...lanes.values()].flatMap(({ identity, window }) =>
        window && identity === current && window.reset > clock.now() ? [window] : [],
      ),
  };
}

/** The calls of one identity to one resource. */
interface Lane {
  readonly identity: string;
  readonly resource: string;
  readonly isAnonymous: boolean;
  readonly waiting: Waiting[];
  /** The points of the last minute, oldest first. */
  spent: { readonly at: number; readonly points: number }[];
  inFlight: number;
  /** Grows with each secondary limit. */
  wave: number;
  /** Secondary limits in a row. */
  secondary: number;
  window?: ReportedWindow;
  /** The hold of this process, until its timer has ended it. */
  own?: Hold;
  /** The end of the last such hold. The others may still find it in force, if the clock was set back. */
  over?: number;
  timer?: () => void;
}

const idle = { inFlight: 0, wave: 0, secondary: 0 } as const;

interface Waiting {
  readonly points: number;
  readonly priority: CallOptions['priority'];
  readonly pass: (result: 'granted' | ApiAnswer) => void;
}

function usedUp(): string {
  return l10n.t('the rate limit is used up');
}

function tooFast(): string {
  return l10n.t('the code host requested a pause');
}

/** Answers may arrive in another order than they were made. */
function laterOf(known: ReportedWindow | undefined, reported: ReportedWindow): ReportedWindow {
  if (!known || reported.resetThere > known.resetThere) return reported;
  return reported.resetThere < known.resetThere || reported.remaining > known.remaining ? known : reported;
}

interface ReportedWindow extends RateWindow {
  /** When it resets by the clock of the service, in s since the epoch. */
  readonly resetThere: number;
  /** How long that was when it was reported, in ms: independent of a clock that was set back since. */
  readonly wait: number;
}

interface LimitReport {
  readonly window?: ReportedWindow;
  /** The limit that the answer is about, if it refuses the call because of one. */
  readonly limit?: 'primary' | 'secondary';
  /** In ms. */
  readonly retryAfter?: number;
  /** Time until the window resets, in ms; absent unless nothing remains of it. */
  readonly resetIn?: number;
}

/** What an answer reports about limits. Source: the accounting contract, C, headers and errors. */
export function readReport(answer: Extract<ApiAnswer, { readonly kind: 'answer' }>, now: number): LimitReport {
  const { status, headers, text } = answer;
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((it) => numberIn(headers[`x-ratelimit-${it}`]));
  // The clock of this machine may be wrong; the service's own time and its reset belong together.
  const there = Date.parse(headers['date'] ?? '');
  const wait = reset === undefined ? undefined : reset * 1000 - (Number.isNaN(there) ? now : there);
  const resource = headers['x-ratelimit-resource'] ?? '';
  const window =
    limit !== undefined && remaining !== undefined && reset !== undefined && wait !== undefined
      ? { window: { resource, limit, remaining, reset: now + wait, resetThere: reset, wait } }
      : undefined;
  if (status !== 403 && status !== 429) return { ...window };
  const named = requestedWait(headers['retry-after'], Number.isNaN(there) ? now : there);
  const retryAfter = named === undefined ? undefined : { retryAfter: named };
  const resetIn =
    remaining === 0 && wait !== undefined && wait > 0 ? { resetIn: Math.max(wait, LEAST_WAIT) } : undefined;
  const isSecondary = /secondary rate limit|abuse detection/i.test(text) || (remaining !== 0 && retryAfter);
  if (isSecondary) return { ...window, limit: 'secondary', ...retryAfter, ...resetIn };
  if (remaining === 0) return { ...window, limit: 'primary', ...resetIn };
  // A 403 without a limit refuses access; a 429 is a limit whatever it says.
  return status === 429 ? { ...window, limit: 'secondary' } : { ...window };
}

/** A number of a header, which counts something. */
function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined;
}

/** In ms, from seconds or a date. Source: RFC 9110, 10.2.3. */
function requestedWait(text: string | undefined, now: number): number | undefined {
  const seconds = numberIn(text);
  if (seconds !== undefined) return Math.max(seconds * 1000, LEAST_WAIT);
  const end = /[a-z]/i.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN;
  return Number.isNaN(end) ? undefined : Math.max(end - now, LEAST_WAIT);
}
