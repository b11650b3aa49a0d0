import * as l10n from '@vscode/l10n';
import { weigh } from '../../base/collections.ts';
import type { Http } from '../../http/types.ts';
import type { AdvisoryFacts, Insight, PackageFacts, Ready, VersionFacts } from '../../model/facts.ts';
import { type AdvisoryId, packageId } from '../../model/keys.ts';
import type { Requirements } from '../../model/lookups.ts';
import type { Clock, ConnectedInsights, ServiceFact } from '../../model/ports.ts';
import { isSuspicion, suspicionText } from '../../model/severity-rating.ts';
import { noSignals, type SignalChoice } from '../../model/signals/choice.ts';
import type { ProjectFacts } from '../../model/signals/project.ts';
import type { SimilarFacts } from '../../model/signals/similar.ts';
import type { Cache } from '../cache/cache.ts';
import { createCanonicalize } from '../canonical-key.ts';
import { isForService, lookupsRefusingPrivateKeys } from '../service/private-keys.ts';
import type { LookupResult } from '../service/responses.ts';
import { connect, placeOf, type Service, type ServiceSettings } from '../service/service.ts';
import { keyForm, purlForm, type RequestedVersion } from '../service/version-batch.ts';
import { createFactEvents } from './change-events.ts';
import { createDueTimer } from './due-timer.ts';
import { applyResult, type Entry, isBackground, type Job, late, newEntry, pending, requestOf } from './entry.ts';
import { isDue, type Lifetimes, lifetimesFor, longestLifetime, refreshAt } from './lifetimes.ts';
import { createLookups } from './lookups.ts';
import { createReleaseStore } from './release-store.ts';
import { createRequestQueue } from './request-queue.ts';
import { createSubscriptions, createWaiters } from './subscriptions.ts';

export interface InsightsOptions {
  /** Read at each request, so a change of the service takes effect with the next one. */
  readonly settings: () => ServiceSettings;
  readonly http: Http;
  readonly clock: Clock;
  readonly cache: Cache;
  /** Called when a kept answer is used and nothing is requested. `bytes`: its approximate size. */
  readonly onKept?: (bytes: number) => void;
  /** Called when many answers have left garbage behind, and nothing more is requested for now. */
  readonly onManyAnswers?: () => void;
  /** From 0 up to 1, as `Math.random`. */
  readonly random?: () => number;
  readonly limits?: Partial<InsightsLimits>;
}

export interface InsightsLimits extends Lifetimes {
  /** How long listeners wait for further changes while requests are running, in ms. */
  readonly changePause: number;
  /** Packages and advisories that are requested at a time. */
  readonly parallelLookups: number;
  /** The approximate size in memory of all facts that are wanted, in bytes. */
  readonly maxFactBytes: number;
}

const defaultLimits: Omit<InsightsLimits, keyof Lifetimes> = {
  changePause: 50,
  parallelLookups: 50,
  // 10,000 packages with lists of a hundred versions and three versions each: the largest monorepos known.
  maxFactBytes: 256 * 1024 * 1024,
};

/**
 * A finding waits for the details of its advisories for so long, in ms, from when they are known to exist. Most arrive
 * within a second; a service that does not answer is noticed after several times as long.
 */
const ADVISORY_PATIENCE = 10_000;

/** So many answers leave more garbage behind than a collection takes time for: some 15 MB with 800 versions. */
const MANY_ANSWERS = 300;
/** Without a request for so long, a person has what was asked for, in ms. */
const QUIET_MS = 3000;

/** By the text in place of its identifier. */
const suspectedById = new Map<AdvisoryId, Ready<AdvisoryFacts>>();

/** What is said where no record says it: nothing is requested. */
function suspected(id: AdvisoryId): Ready<AdvisoryFacts> {
  const known = suspectedById.get(id);
  if (known) return known;
  const made: Ready<AdvisoryFacts> = {
    state: 'ready',
    value: { id, url: '', title: suspicionText(id), aliases: [] },
    at: 0,
  };
  suspectedById.set(id, made);
  return made;
}

/** The facts of the Package Insights Service. Does not close `http`. */
export function createInsights(options: InsightsOptions): ConnectedInsights {
  const { settings, clock, cache, random = Math.random } = options;
  const { changePause, parallelLookups, maxFactBytes } = { ...defaultLimits, ...options.limits };
  const lifetimes = (): Lifetimes => lifetimesFor(settings().freshness, options.limits);
  const canonicalize = createCanonicalize();
  const entries = new Map<string, Entry>();
  const subscriptions = createSubscriptions();
  /** Failed entries, to be requested again. */
  const failing = new Set<Entry>();
  const events = createFactEvents(clock, changePause);
  const waiters = createWaiters(clock);
  const parts = {
    ...options,
    random,
    maxLifetime: (kind: string) => longestLifetime(kind, lifetimes()),
    // The reason is shown at once, not after the last attempt.
    onTrouble: events.changed,
  };
  let service = connect(settings().baseUrl, parts);
  /** Answered as before: no notice is sent. */
  const unchanged = new Set<Entry>();
  const dueInUse = createDueTimer(clock, refreshInUse);
  const plannedLate = new Set<() => void>();
  let cancelRetry = () => {};
  let hasAnswered = false;
  let revision = 0;
  let choice = noSignals;
  /** The weight of all entries. */
  let totalWeight = 0;
  /** Answers since garbage was last collected. */
  let answered = 0;
  let cancelCollection = () => {};

  const queue = createRequestQueue({
    clock,
    pace: () => ({ ...settings(), parallelLookups }),
    sendBatch: (batch, signal) => {
      const versions = batch.flatMap((entry): RequestedVersion[] => {
        const { wanted } = entry;
        return wanted.kind === 'version' ? [{ key: wanted.key, onResult: (it) => take(entry, it, signal) }] : [];
      });
      return service.api.versions(batch[0]?.byPurl ? purlForm : keyForm, versions, signal);
    },
    sendLookup: async (entry, signal) => {
      const { wanted } = entry;
      if (wanted.kind === 'package') take(entry, await service.api.package(wanted.key, signal), signal);
      if (wanted.kind === 'advisory') take(entry, await service.api.advisory(wanted.id, signal), signal);
      if (wanted.kind === 'project') take(entry, await service.api.project(wanted.id, signal), signal);
      if (wanted.kind === 'similar') take(entry, await service.api.similar(wanted.key, signal), signal);
      if (wanted.kind === 'requirements') take(entry, await service.api.requirements(wanted.key, signal), signal);
    },
    onEnd: endJob,
  });

  const releases = createReleaseStore({
    clock,
    random,
    lifetimes,
    pace: settings,
    service: () => service,
    known: (id) => entries.get(id),
    isIdle: queue.isIdle,
    ...(options.onKept && { onKept: options.onKept }),
    ...(options.onManyAnswers && { onManyAnswers: options.onManyAnswers }),
  });

  function read<T>(wanted: ServiceFact): Insight<T> {
    if (!isForService(wanted)) return pending;
    const { id } = canonicalize(wanted);
    return (entries.get(id)?.insight ?? service.answers.get(id)?.insight ?? pending) as Insight<T>;
  }

  function obtain(wanted: ServiceFact): Entry {
    const canonical = canonicalize(wanted);
    const known = entries.get(canonical.id);
    if (known) return known;
    const entry = newEntry(canonical, wanted, service.answers.get(canonical.id));
    entries.set(canonical.id, entry);
    totalWeight += entry.weight;
    if (entry.due > clock.now()) options.onKept?.(entry.weight);
    watch(entry);
    if (wanted.kind === 'advisory' && entry.insight === pending) planLate(entry);
    return entry;
  }

  function watch(entry: Entry): void {
    const due = refreshAt(entry, lifetimes());
    if (due !== undefined) dueInUse.plan(due);
  }

  /** Without a word: a refresh that fails, or another answer, is told when it is there. */
  function refreshInUse(until: number): void {
    const now = clock.now();
    for (const entry of entries.values()) {
      if (entry.at !== 'rest' || entry.subscribers === 0 || failing.has(entry)) continue;
      const due = refreshAt(entry, lifetimes());
      // A list that only proposes something waits until its document is looked at again.
      if (due === undefined || (entry.wanted.kind === 'package' && isBackground(entry))) continue;
      if (due > until) dueInUse.plan(due);
      else {
        entry.due = Math.min(entry.due, now);
        queue.add(entry, false);
      }
    }
  }

  function planLate(entry: Entry): void {
    const cancel = clock.after(ADVISORY_PATIENCE, () => {
      plannedLate.delete(cancel);
      if (entry.insight !== pending || entries.get(entry.id) !== entry) return;
      entry.insight = late;
      revision++;
      events.changed();
    });
    plannedLate.add(cancel);
  }

  /**
   * Queues an entry that is due. A queued one moves to the end, so the order of the request is kept.
   * @param isMore whether more entries follow at once
   */
  function enqueue(entry: Entry, isMore = false): void {
    if (entry.subscribers === 0) return;
    if (entry.at === 'rest') {
      if (!isDue(entry, clock.now())) return;
      if (entry.insight.state === 'ready' || entry.insight.state === 'unknown') {
        entry.insight = { ...entry.insight, refresh: 'pending' };
        revision++;
      }
    } else if (entry.at !== 'queue') return;
    queue.add(entry, isMore);
  }

  /** Turns facts beyond the limit into a failure: a service that answers without end costs a bounded amount. */
  function limitWeight(entry: Entry, result: LookupResult<unknown>): LookupResult<unknown> {
    if (result.kind !== 'facts' && result.kind !== 'unknown') return result;
    const weight = result.kind === 'facts' ? weigh(result.facts) : 0;
    if (totalWeight - entry.weight + weight > maxFactBytes) {
      const reason = l10n.t('all answers together exceed {0} MiB', Math.round(maxFactBytes / 1024 / 1024));
      return { kind: 'failed', reason, outage: false };
    }
    totalWeight += weight - entry.weight;
    entry.weight = weight;
    return result;
  }

  function take(entry: Entry, given: LookupResult<unknown>, signal: AbortSignal): void {
    const result = signal.aborted ? { kind: 'aborted' as const } : limitWeight(entry, given);
    if (result.kind === 'aborted') return;
    const isNew = applyResult(entry, result, clock.now(), lifetimes(), random);
    if (isNew) revision++;
    else unchanged.add(entry);
    watch(entry);
    if (result.kind === 'failed') failing.add(entry);
    else {
      failing.delete(entry);
      hasAnswered = true;
      answered++;
      service.answers.set(entry, result.kind === 'facts' ? entry.weight : 0);
    }
    if (!isNew) return;
    events.changed();
    waiters.check();
  }

  function endJob(job: Job): void {
    for (const entry of job.entries) {
      if (entry.subscribers === 0) forget(entry);
      else enqueue(entry);
    }
    // One answer shows that the service works again, so the other failures of the outage are retried at once.
    for (const entry of hasAnswered ? failing : []) {
      if (!entry.outage || job.entries.has(entry)) continue;
      entry.due = clock.now();
      enqueue(entry);
    }
    hasAnswered = false;
    const received = [...job.entries].filter((it) => !unchanged.delete(it) && it.insight.state !== 'pending');
    if (received.length > 0) events.received(received, received.some(queue.isInView));
    planRetry();
    cancelCollection();
    if (!queue.isIdle()) return;
    events.flush();
    releases.resume();
    if (answered >= MANY_ANSWERS) cancelCollection = clock.after(QUIET_MS, collect);
  }

  function collect(): void {
    answered = 0;
    options.onManyAnswers?.();
  }

  function planRetry(): void {
    cancelRetry();
    let due = Number.POSITIVE_INFINITY;
    const now = clock.now();
    for (const entry of failing) if (entry.at === 'rest') due = Math.min(due, isDue(entry, now) ? now : entry.due);
    if (due === Number.POSITIVE_INFINITY) return;
    cancelRetry = clock.after(due - now, () => {
      for (const entry of failing) {
        // A clock that was set back meanwhile would make it wait again.
        if (entry.due <= due) entry.due = Math.min(entry.due, clock.now());
        enqueue(entry);
      }
      planRetry();
    });
  }

  function forget(entry: Entry): void {
    failing.delete(entry);
    if (entry.at !== 'rest' || entries.get(entry.id) !== entry) return;
    entries.delete(entry.id);
    totalWeight -= entry.weight;
    // The cache has neither failures nor refreshes, so the insight changes.
    if (entry.insight.state === 'failed' || 'refresh' in entry.insight) revision++;
  }

  function subscribe(
    owner: string,
    urgent: readonly ServiceFact[],
    background: readonly ServiceFact[],
    isFollowUp = false,
  ): void {
    const before = subscriptions.of(owner);
    const isHeld = (it: Entry): boolean => before.urgent.has(it) || before.background.has(it);
    const isKept = (it: Entry): boolean =>
      isFollowUp && it.wanted.kind !== 'version' && 'value' in it.insight && it.at === 'rest' && isHeld(it);
    const [first, later] = [urgent, background].map((it) => new Set(it.filter(isForService).map(obtain))) as [
      Set<Entry>,
      Set<Entry>,
    ];
    const dropped = subscriptions.set(owner, first, later);
    queue.remove(dropped);
    for (const entry of dropped) forget(entry);
    for (const entry of [...first, ...later]) if (!isKept(entry)) enqueue(entry);
  }

  function request(
    owner: string,
    wanted: readonly ServiceFact[],
    background: readonly ServiceFact[] = [],
    isFollowUp = false,
  ): void {
    follow();
    subscribe(owner, wanted, background, isFollowUp);
    waiters.check();
    releases.resume();
  }

  /** Requests entries again. A failed one is pending until it fails again; what was concluded without it stays. */
  function retry(all: Iterable<Entry>): void {
    subscriptions.reopen();
    revision++;
    for (const entry of all) {
      entry.due = clock.now();
      entry.failures = 0;
      if (entry.insight.state === 'failed') entry.insight = entry.wanted.kind === 'advisory' ? late : pending;
      enqueue(entry);
    }
  }

  /** Connects anew, and requests everything anew, if the settings have changed the service or the way to it. */
  function follow(): Service {
    if (service.isBack()) {
      retry(failing);
      releases.retry();
    }
    if (placeOf(settings()) === service.place) return service;
    const all = subscriptions.all();
    for (const [owner] of all) subscriptions.set(owner, new Set(), new Set());
    abandon();
    service = connect(settings().baseUrl, parts);
    releases.reset();
    // Identifiers of advisories come from answers of the former service. Those of the new one will name their own.
    const wantedOf = (some: ReadonlySet<Entry>): ServiceFact[] =>
      [...some].map(requestOf).filter((it) => it.kind !== 'advisory');
    for (const [owner, { urgent, background }] of all) subscribe(owner, wantedOf(urgent), wantedOf(background));
    if (all.length > 0) events.changed();
    return service;
  }

  function abandon(): void {
    queue.clear();
    cancelRetry();
    cancelCollection();
    dueInUse.cancel();
    for (const cancel of plannedLate) cancel();
    plannedLate.clear();
    entries.clear();
    totalWeight = 0;
    failing.clear();
    revision++;
  }

  /** The same object while the settings stay the same: evaluations compare it. */
  function signals(): SignalChoice {
    const { projectScores = false, minScore = 0, similarNames } = settings();
    const isNamed = similarNames === 'service';
    if (choice.projects !== projectScores || choice.minScore !== minScore || choice.similarNames !== isNamed) {
      choice = { projects: projectScores, minScore, similarNames: isNamed };
      revision++;
    }
    return choice;
  }

  return {
    version: (key) => read<VersionFacts>({ kind: 'version', key }),
    package: (key) => read<PackageFacts>({ kind: 'package', key }),
    advisory: (id) => (isSuspicion(id) ? suspected(id) : read<AdvisoryFacts>({ kind: 'advisory', id })),
    project: (id) => read<ProjectFacts>({ kind: 'project', id }),
    similar: (key) => read<SimilarFacts>({ kind: 'similar', key }),
    signals,
    requirements: (key) => read<Requirements>({ kind: 'requirements', key }),
    releases,
    request,
    requestAlso(owner, wanted: readonly ServiceFact[], isMore) {
      follow();
      const added = wanted.filter(isForService).map(obtain);
      subscriptions.add(owner, added);
      for (const entry of added) enqueue(entry, isMore);
      queue.sendFull();
    },
    release: (owner) => request(owner, []),
    prioritize(owner, packages) {
      const isInView = ({ wanted }: Entry) =>
        wanted.kind !== 'advisory' && wanted.kind !== 'project' && packages.has(packageId(wanted.key));
      queue.prioritize(isInView, (it) => subscriptions.of(owner).urgent.has(it));
    },

    whenSettled: (owner, patience, signal) => waiters.until(() => subscriptions.isSettled(owner), patience, signal),
    onDidChange: events.onDidChange,
    revision() {
      signals();
      return revision;
    },
    expire() {
      follow().breaker.retryNow();
      cache.expire();
      retry(entries.values());
      releases.expire();
    },
    reconnect() {
      follow();
      waiters.check();
    },

    lookups: lookupsRefusingPrivateKeys(createLookups({ service: follow, clock, lifetimes })),
    backoff: () => service.breaker.backoff(),
    connectionProblem: () => service.breaker.trouble(),
    versionLifetime: () => longestLifetime('version', lifetimes()),

    async close() {
      for (const [owner] of subscriptions.all()) subscriptions.set(owner, new Set(), new Set());
      abandon();
      releases.close();
      events.close();
      waiters.check();
    },
  };
}
