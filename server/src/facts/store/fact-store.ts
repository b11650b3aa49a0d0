import * as l10n from '@vscode/l10n';
import { weigh } from '../../base/collections.ts';
import type { Http } from '../../http/types.ts';
import type { AdvisoryFacts, Insight, PackageFacts, VersionFacts } from '../../model/facts.ts';
import { packageId } from '../../model/keys.ts';
import type { Requirements } from '../../model/lookups.ts';
import type { Clock, ConnectedInsights, Wanted } from '../../model/ports.ts';
import type { Cache } from '../cache/cache.ts';
import type { Learnt } from '../service/responses.ts';
import { connect, placeOf, type Service, type ServiceSettings } from '../service/service.ts';
import { type AskedVersion, keyForm, purlForm } from '../service/version-batch.ts';
import { byKey, createIdentify } from './canonical-key.ts';
import { createNotice } from './change-events.ts';
import { createOwners, createRepeated, createWaiting } from './claims.ts';
import {
  askedOf,
  type Entry,
  type InsightsLimits,
  isDue,
  type Job,
  learn,
  limitsFor,
  newEntry,
  pending,
} from './entry.ts';
import { createLookups } from './lookups.ts';
import { createCollector } from './request-queue.ts';

export interface InsightsOptions {
  /** Read whenever something is asked: a service that moves is noticed at the next `request`. */
  readonly settings: () => ServiceSettings;
  readonly http: Http;
  readonly clock: Clock;
  readonly cache: Cache;
  /** From 0 up to 1, as `Math.random`. */
  readonly random?: () => number;
  readonly limits?: Partial<InsightsLimits>;
}

/** The facts, as the Package Insights Service has them. The connections stay with the `Http` given. */
export function createInsights(options: InsightsOptions): ConnectedInsights {
  const { settings, clock, cache, random = Math.random } = options;
  const limits = (): InsightsLimits => limitsFor(settings().freshness, options.limits);
  const identify = byKey(createIdentify());
  const entries = new Map<string, Entry>();
  const owners = createOwners();
  /** What failed, to be asked again. */
  const failing = new Set<Entry>();
  const notice = createNotice(clock, limits().learnPause);
  const waiting = createWaiting(clock);
  // Whoever waits is told at once that something is wrong, and not after the last attempt.
  const parts = { ...options, random, limits, onTrouble: notice.learnt };
  let service = connect(settings().baseUrl, parts);
  let cancelRetry = () => {};
  let isWell = false;
  let changes = 0;
  /** What the facts of all entries take. */
  let held = 0;
  const repeated = createRepeated(() => clock.now());

  const collector = createCollector({
    clock,
    pace: () => ({ ...settings(), parallelLookUps: limits().parallelLookUps }),
    batch: (asked, signal) => {
      const versions = asked.flatMap((entry): AskedVersion[] => {
        const { wanted } = entry;
        return wanted.kind === 'version' ? [{ key: wanted.key, learn: (it) => take(entry, it, signal) }] : [];
      });
      return service.api.versions(asked[0]?.byPurl ? purlForm : keyForm, versions, signal);
    },
    lookUp: async (entry, signal) => {
      const { wanted } = entry;
      if (wanted.kind === 'package') take(entry, await service.api.package(wanted.key, signal), signal);
      if (wanted.kind === 'advisory') take(entry, await service.api.advisory(wanted.id, signal), signal);
      if (wanted.kind === 'requirements') take(entry, await service.api.requirements(wanted.key, signal), signal);
    },
    ended,
  });

  function read<T>(wanted: Wanted): Insight<T> {
    const { id } = identify(wanted);
    return (entries.get(id)?.insight ?? service.shelf.read(id)?.insight ?? pending) as Insight<T>;
  }

  function obtain(wanted: Wanted): Entry {
    const identified = identify(wanted);
    const known = entries.get(identified.id);
    if (known) return known;
    const entry = newEntry(identified, wanted, service.shelf.read(identified.id));
    entries.set(identified.id, entry);
    held += entry.weight;
    return entry;
  }

  /**
   * Puts in line what is wanted and not fresh. What is in line already moves to its end, so that order is kept.
   * @param isMore whether more is about to be asked
   */
  function ask(entry: Entry, isMore = false): void {
    if (entry.owners === 0) return;
    if (entry.at === 'rest') {
      if (!isDue(entry, clock.now())) return;
      if (entry.insight.state === 'ready' || entry.insight.state === 'unknown') {
        entry.insight = { ...entry.insight, refresh: 'pending' };
        changes++;
      }
    } else if (entry.at !== 'queue') return;
    collector.add(entry, isMore);
  }

  /** Facts for which there is room: a service that answers without end costs a bounded amount. */
  function fitting(entry: Entry, learnt: Learnt<unknown>): Learnt<unknown> {
    if (learnt.kind !== 'facts' && learnt.kind !== 'unknown') return learnt;
    const weight = learnt.kind === 'facts' ? weigh(learnt.facts) : 0;
    const { keptBytes } = limits();
    if (held - entry.weight + weight > keptBytes) {
      const reason = l10n.t('all answers together take more than {0} MiB', Math.round(keptBytes / 1024 / 1024));
      return { kind: 'failed', reason, outage: false };
    }
    held += weight - entry.weight;
    entry.weight = weight;
    return learnt;
  }

  function take(entry: Entry, given: Learnt<unknown>, signal: AbortSignal): void {
    const learnt = signal.aborted ? { kind: 'aborted' as const } : fitting(entry, given);
    if (learnt.kind === 'aborted') return;
    learn(entry, learnt, clock.now(), limits(), random);
    changes++;
    if (learnt.kind === 'failed') failing.add(entry);
    else {
      failing.delete(entry);
      isWell = true;
      service.shelf.keep(entry, learnt.kind === 'facts' ? entry.weight : 0);
    }
    notice.learnt();
    waiting.check();
  }

  function ended(job: Job): void {
    for (const entry of job.entries) {
      if (entry.owners === 0) forget(entry);
      else ask(entry);
    }
    // One answer shows that the service is back: what failed with it need not wait for its time.
    for (const entry of isWell ? failing : []) {
      if (!entry.outage || job.entries.has(entry)) continue;
      entry.due = clock.now();
      ask(entry);
    }
    isWell = false;
    const answered = [...job.entries].filter((it) => it.insight.state !== 'pending');
    notice.answered(answered, answered.some(collector.isInView));
    planRetry();
    if (collector.isIdle()) notice.hurry();
  }

  function planRetry(): void {
    cancelRetry();
    let due = Number.POSITIVE_INFINITY;
    const now = clock.now();
    for (const entry of failing) if (entry.at === 'rest') due = Math.min(due, isDue(entry, now) ? now : entry.due);
    if (due === Number.POSITIVE_INFINITY) return;
    cancelRetry = clock.after(due - now, () => {
      for (const entry of failing) {
        // A clock that was set back meanwhile would have it wait once more.
        if (entry.due <= due) entry.due = Math.min(entry.due, clock.now());
        ask(entry);
      }
      planRetry();
    });
  }

  function forget(entry: Entry): void {
    failing.delete(entry);
    if (entry.at !== 'rest' || entries.get(entry.id) !== entry) return;
    entries.delete(entry.id);
    held -= entry.weight;
    // A failure, or that it is being asked for again, is not kept anywhere else.
    if (entry.insight.state === 'failed' || 'refresh' in entry.insight) changes++;
  }

  function claim(owner: string, urgent: readonly Wanted[], background: readonly Wanted[]): void {
    const [first, later] = [new Set(urgent.map(obtain)), new Set(background.map(obtain))];
    const dropped = owners.set(owner, first, later);
    collector.remove(dropped);
    for (const entry of dropped) forget(entry);
    for (const entry of [...first, ...later]) ask(entry);
  }

  function request(owner: string, wanted: readonly Wanted[], background: readonly Wanted[] = []): void {
    follow();
    // Most keystrokes change nothing of it, and there are thousands of things to go through.
    if (repeated.isRepeated(owner, wanted, background, changes)) return;
    claim(owner, wanted, background);
    waiting.check();
  }

  /** Somebody wants to know now: why it could not be asked before is told no longer, until it fails once more. */
  function askAnew(all: Iterable<Entry>): void {
    repeated.clear();
    owners.reopen();
    changes++;
    for (const entry of all) {
      entry.due = clock.now();
      entry.failures = 0;
      if (entry.insight.state === 'failed') entry.insight = pending;
      ask(entry);
    }
  }

  function requestAlso(owner: string, wanted: readonly Wanted[], isMore: boolean): void {
    follow();
    const entries = wanted.map(obtain);
    owners.add(owner, entries);
    for (const entry of entries) ask(entry, isMore);
    collector.sendWhole();
  }

  /** Where the service or the way to it has changed, everything is asked anew. */
  function follow(): Service {
    if (service.isBack()) askAnew(failing);
    if (placeOf(settings()) === service.place) return service;
    const claims = owners.all();
    for (const [owner] of claims) owners.set(owner, new Set(), new Set());
    abandon();
    service = connect(settings().baseUrl, parts);
    for (const [owner, { urgent, background }] of claims) {
      const [first, later] = [urgent, background].map((all) => [...all].map(askedOf));
      claim(owner, first ?? [], later ?? []);
    }
    if (claims.length > 0) notice.learnt();
    return service;
  }

  function abandon(): void {
    collector.clear();
    cancelRetry();
    entries.clear();
    held = 0;
    failing.clear();
    changes++;
  }

  return {
    version: (key) => read<VersionFacts>({ kind: 'version', key }),
    package: (key) => read<PackageFacts>({ kind: 'package', key }),
    advisory: (id) => read<AdvisoryFacts>({ kind: 'advisory', id }),
    requirements: (key) => read<Requirements>({ kind: 'requirements', key }),
    request,
    requestAlso,
    reconnect() {
      follow();
      waiting.check();
    },
    release: (owner) => request(owner, []),
    prioritize(owner, packages) {
      const isInView = ({ wanted }: Entry) => wanted.kind !== 'advisory' && packages.has(packageId(wanted.key));
      collector.prefer(isInView, (it) => owners.urgent(owner).has(it));
    },

    whenSettled: (owner, patience, signal) => waiting.until(() => owners.isSettled(owner), patience, signal),
    onDidReceive: notice.onDidAnswer,
    onDidChange: notice.onDidLearn,
    revision: () => changes,
    expire() {
      follow().breaker.retryNow();
      cache.expire();
      askAnew(entries.values());
    },

    lookups: createLookups({ service: follow, clock, limits }),
    backoff: () => service.breaker.backoff(),
    trouble: () => service.breaker.trouble(),

    async close() {
      for (const [owner] of owners.all()) owners.set(owner, new Set(), new Set());
      abandon();
      notice.close();
      waiting.check();
    },
  };
}
