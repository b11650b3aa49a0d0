import * as l10n from '@vscode/l10n';
import { weigh } from '../../base/collections.ts';
import { dueAfter } from '../../base/due.ts';
import { advisoriesOf, deprecationOf, type Insight, type VersionFacts } from '../../model/facts.ts';
import type { Release, ReleaseInsight, Releases } from '../../model/graph/releases.ts';
import type { AdvisoryId, VersionKey } from '../../model/keys.ts';
import type { Clock } from '../../model/ports.ts';
import type { CachedAnswer } from '../cache/answer-cache.ts';
import { canonicalize, canonicalVersion } from '../canonical-key.ts';
import type { LookupResult } from '../service/responses.ts';
import type { Service } from '../service/service.ts';
import { keyForm, type RequestedVersion } from '../service/version-batch.ts';
import { createDueTimer } from './due-timer.ts';
import { answeredInsight } from './entry.ts';
import { isDue, type Lifetimes, lifetimeOf, retryWait } from './lifetimes.ts';
import type { Pace } from './request-queue.ts';
import { createWaiters } from './subscriptions.ts';

export interface ReleaseStoreOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly lifetimes: () => Lifetimes;
  readonly pace: () => Pick<Pace, 'batchSize' | 'parallelBatches'>;
  readonly service: () => Service;
  /** An answer that is in memory for another reader. */
  readonly known: (id: string) => CachedAnswer | undefined;
  /** Whether nothing else is requested, or about to be. */
  readonly isIdle: () => boolean;
  readonly onKept?: (bytes: number) => void;
  /** Called when nothing is requested any more after thousands of answers, which have left garbage behind. */
  readonly onManyAnswers?: () => void;
}

export interface ReleaseStore extends Releases {
  /** Nothing else is requested any more: goes on. */
  resume(): void;
  /** Requests the failed versions again. */
  retry(): void;
  /** Requests all versions again; what is known stays until then. */
  expire(): void;
  /** Another service answers from now on. */
  reset(): void;
  close(): void;
}

/** Versions whose former answers are read between two pauses: some ms. */
const LOOKS_PER_TURN = 50;
/** How long listeners wait for further answers, in ms. */
const CHANGE_PAUSE = 500;
/** The answers of one service page leave some 200 kB behind, hence 10 MB. */
const MANY_ANSWERS = 5000;
/** What a document names itself is refreshed first, and its answer serves here, too. In ms. */
const SECOND_MS = 60_000;
/** In characters, of all identifiers together. Some 300,000 advisories of all systems are known. */
const MAX_IDENTIFIERS = 16 * 1024 * 1024;

const pending: ReleaseInsight = { state: 'pending' };
const unknown: ReleaseInsight = { state: 'unknown' };
/** Nearly all versions: one object serves them. */
const sound: ReleaseInsight = { state: 'ready', advisories: [], isDeprecated: false };
const deprecated: ReleaseInsight = { state: 'ready', advisories: [], isDeprecated: true };
const listed: ReleaseInsight = { ...sound, areAdvisoriesUnknown: true };
const listedDeprecated: ReleaseInsight = { ...deprecated, areAdvisoriesUnknown: true };

function isAnswered({ state }: ReleaseInsight): boolean {
  return state === 'ready' || state === 'unknown';
}

function isSame(a: ReleaseInsight, b: ReleaseInsight): boolean {
  if (a === b) return true;
  if (a.state !== 'ready' || b.state !== 'ready' || a.isDeprecated !== b.isDeprecated) return false;
  if (a.areAdvisoriesUnknown !== b.areAdvisoriesUnknown) return false;
  return a.advisories.length === b.advisories.length && a.advisories.every((it, at) => it === b.advisories[at]);
}

/** A version on its way from a former answer to a request. */
interface Tracked extends Release {
  readonly id: string;
  insight: ReleaseInsight;
  old?: { readonly at: number; readonly failed?: string };
  /** When it was answered, in ms since the epoch. */
  answeredAt: number;
  /** When it is requested again, in ms since the epoch. */
  due: number;
  failures: number;
  owners: number;
  at: 'rest' | 'looked for' | 'queue' | 'sent';
}

export function createReleaseStore(options: ReleaseStoreOptions): ReleaseStore {
  const { clock, random, lifetimes, pace, service, known, isIdle, onKept, onManyAnswers } = options;
  const all = new Map<string, Tracked>();
  const owners = new Map<string, ReadonlySet<Tracked>>();
  const held = new Set<string>();
  const looking = new Set<Tracked>();
  const queue = new Set<Tracked>();
  const jobs = new Set<AbortController>();
  const failing = new Set<Tracked>();
  const listeners = new Set<() => void>();
  const waiters = createWaiters(clock);
  const dueReleases = createDueTimer(clock, (until) => {
    for (const it of all.values()) {
      if (it.at !== 'rest' || !isAnswered(it.insight) || failing.has(it)) continue;
      if (it.due > until) dueReleases.plan(it.due + SECOND_MS);
      else {
        it.due = Math.min(it.due, clock.now());
        it.at = 'looked for';
        looking.add(it);
      }
    }
    if (looking.size > 0) cancelLook ??= clock.after(0, look);
  });
  const identifiers = new Map<AdvisoryId, AdvisoryId>();
  let identifierLength = 0;
  let revision = 0;
  /** Whether listeners are to be called. */
  let hasNews = false;
  /** Since the last time that nothing was requested. */
  let answered = 0;
  /** A pause may end after the last request: nothing more is sent then. */
  let isClosed = false;
  let cancelLook: (() => void) | undefined;
  let cancelNotice: (() => void) | undefined;
  let cancelRetry = (): void => {};

  function obtain(asked: VersionKey): Tracked {
    const key = canonicalVersion(asked);
    const { id } = canonicalize({ kind: 'version', key });
    const before = all.get(id);
    if (before) {
      if (before.at === 'rest' && before.insight.state !== 'failed' && isDue(before, clock.now())) line(before);
      return before;
    }
    const tracked: Tracked = {
      id,
      key,
      insight: pending,
      due: 0,
      answeredAt: 0,
      failures: 0,
      owners: 0,
      at: 'looked for',
    };
    all.set(id, tracked);
    looking.add(tracked);
    cancelLook ??= clock.after(0, look);
    return tracked;
  }

  /** Uses former answers, and queues what has none or an old one. */
  function look(): void {
    cancelLook = undefined;
    let count = 0;
    for (const it of looking) {
      if (++count > LOOKS_PER_TURN) break;
      looking.delete(it);
      it.at = 'rest';
      const former = known(it.id) ?? service().answers.get(it.id, true);
      const isFormer = former?.insight.state === 'ready' || former?.insight.state === 'unknown';
      if (former && isFormer) {
        it.due = former.due;
        it.answeredAt = 'at' in former.insight ? former.insight.at : 0;
        if (!isDue(it, clock.now())) dueReleases.plan(it.due + SECOND_MS);
        else if (!isAnswered(it.insight)) it.old = { at: it.answeredAt };
        learn(it, former.insight as Insight<VersionFacts>);
      }
      if (!former || !isFormer || isDue(it, clock.now())) line(it);
      else if (former.insight.state === 'ready') onKept?.(weigh(former.insight.value));
    }
    if (looking.size > 0) cancelLook = clock.after(0, look);
    changed();
    pump();
  }

  function line(it: Tracked): void {
    it.at = 'queue';
    queue.add(it);
  }

  function pump(): void {
    if (held.size > 0 || isClosed) return;
    const { batchSize, parallelBatches } = pace();
    // Half of the requests stay free for what becomes urgent meanwhile.
    while (queue.size > 0 && jobs.size < Math.max(1, Math.ceil(parallelBatches / 2)) && isIdle()) {
      // A batch is filled before it is sent.
      if (looking.size > 0 && queue.size < batchSize) return;
      const batch: Tracked[] = [];
      for (const it of queue) {
        if (batch.length >= Math.max(1, batchSize)) break;
        batch.push(it);
      }
      send(batch);
    }
  }

  async function send(batch: readonly Tracked[]): Promise<void> {
    const aborting = new AbortController();
    jobs.add(aborting);
    for (const it of batch) {
      queue.delete(it);
      it.at = 'sent';
    }
    const { api, answers } = service();
    const versions = batch.map(
      (it): RequestedVersion => ({
        key: it.key,
        onResult: (result) => aborting.signal.aborted || take(it, result, answers),
      }),
    );
    await api.versions(keyForm, versions, aborting.signal);
    if (!jobs.delete(aborting)) return;
    for (const it of batch) if (it.at === 'sent' && all.get(it.id) === it) it.at = 'rest';
    planRetry();
    changed();
    pump();
  }

  function take(it: Tracked, result: LookupResult<VersionFacts>, answers: Service['answers']): void {
    if (result.kind === 'aborted') return;
    const now = clock.now();
    it.at = 'rest';
    answered++;
    if (result.kind === 'failed') {
      hasNews = true;
      revision++;
      it.failures++;
      it.due = dueAfter(result.until ?? now + retryWait(it.failures, lifetimes(), random), now);
      if (it.insight.state === 'pending' || it.insight.state === 'failed')
        it.insight = { state: 'failed', reason: result.reason };
      else it.old = { at: it.answeredAt, failed: result.reason };
      if (all.get(it.id) === it) failing.add(it);
      return;
    }
    failing.delete(it);
    it.failures = 0;
    it.due = dueAfter(now + lifetimeOf(result, 'version', lifetimes()), now);
    it.answeredAt = now;
    dueReleases.plan(it.due + SECOND_MS);
    if (it.old) revision++;
    delete it.old;
    const { id, due } = it;
    const insight = answeredInsight(result, now);
    learn(it, insight);
    answers.set({ id, insight, due }, insight.state === 'ready' ? weigh(insight.value) : 0, true);
  }

  /** The same as before is no news. */
  function learn(it: Tracked, answer: Insight<VersionFacts>): void {
    const found = insightOf(answer);
    if (isSame(it.insight, found)) return;
    it.insight = found;
    hasNews = true;
    revision++;
  }

  function insightOf(answer: Insight<VersionFacts>): ReleaseInsight {
    const advisories = advisoriesOf(answer);
    if (answer.state !== 'ready' && advisories.length === 0) return unknown;
    const isDeprecated = answer.state === 'ready' && deprecationOf(answer.value) !== undefined;
    // A service that makes up identifiers without end costs a bounded amount.
    if (identifierLength > MAX_IDENTIFIERS)
      return { state: 'failed', reason: l10n.t('there are too many vulnerabilities') };
    const isUnknown = answer.state === 'ready' && answer.value.areAdvisoriesUnknown;
    if (advisories.length > 0)
      return {
        state: 'ready',
        advisories: advisories.map(interned),
        isDeprecated,
        ...(isUnknown && { areAdvisoriesUnknown: true }),
      };
    if (isUnknown) return isDeprecated ? listedDeprecated : listed;
    return isDeprecated ? deprecated : sound;
  }

  function interned(id: AdvisoryId): AdvisoryId {
    const before = identifiers.get(id);
    if (before !== undefined) return before;
    identifierLength += id.length;
    identifiers.set(id, id);
    return id;
  }

  function planRetry(): void {
    cancelRetry();
    let due = Number.POSITIVE_INFINITY;
    for (const it of failing) if (it.at === 'rest') due = Math.min(due, it.due);
    if (due === Number.POSITIVE_INFINITY) return;
    cancelRetry = clock.after(Math.max(0, due - clock.now()), () => {
      for (const it of failing) if (it.at === 'rest' && it.due <= due) line(it);
      pump();
    });
  }

  function changed(): void {
    waiters.check();
    const isLast = looking.size + queue.size + jobs.size === 0;
    if (isLast) cancelNotice?.();
    if (isLast || cancelNotice === undefined) cancelNotice = clock.after(isLast ? 0 : CHANGE_PAUSE, notify);
    if (isLast && answered >= MANY_ANSWERS) onManyAnswers?.();
    if (isLast) answered = 0;
  }

  function notify(): void {
    cancelNotice = undefined;
    if (!hasNews) return;
    hasNews = false;
    for (const it of [...listeners]) it();
  }

  function drop(former: Iterable<Tracked>): void {
    for (const it of former) {
      if (--it.owners > 0) continue;
      all.delete(it.id);
      looking.delete(it);
      queue.delete(it);
      failing.delete(it);
    }
  }

  function abandon(): void {
    for (const it of jobs) it.abort();
    jobs.clear();
    cancelRetry();
    failing.clear();
  }

  function lineAll(some: Iterable<Tracked>): void {
    for (const it of some) if (it.at === 'rest') line(it);
    pump();
  }

  return {
    begin(owner) {
      const wanted = new Set<Tracked>();
      return {
        add(key) {
          const it = obtain(key);
          if (!wanted.has(it)) it.owners++;
          wanted.add(it);
          return it;
        },
        end() {
          const before = owners.get(owner) ?? [];
          owners.set(owner, wanted);
          drop(before);
          hasNews = true;
          changed();
          pump();
        },
        cancel: () => drop(wanted),
      };
    },
    hold(owner, isHeld) {
      if (isHeld && owners.has(owner)) held.add(owner);
      else if (held.delete(owner)) pump();
    },
    release(owner) {
      held.delete(owner);
      const before = owners.get(owner);
      owners.delete(owner);
      drop(before ?? []);
      pump();
    },
    whenSettled(owner, patience, signal) {
      const isSettled = () => [...(owners.get(owner) ?? [])].every((it) => it.at === 'rest');
      return waiters.until(isSettled, patience, signal);
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    revision: () => revision,
    resume: pump,
    retry: () => lineAll(failing),
    expire: () => lineAll(all.values()),
    reset() {
      abandon();
      queue.clear();
      looking.clear();
      for (const it of all.values()) {
        it.insight = pending;
        delete it.old;
        it.at = 'looked for';
        looking.add(it);
      }
      revision++;
      if (looking.size > 0) cancelLook ??= clock.after(0, look);
    },
    close() {
      isClosed = true;
      abandon();
      dueReleases.cancel();
      cancelLook?.();
      cancelNotice?.();
      for (const some of [all, owners, held, looking, queue, listeners]) some.clear();
      waiters.check();
    },
  };
}
