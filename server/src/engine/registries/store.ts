import { backOff, spread } from '../base/back-off.ts';
import { dueAfter } from '../base/due.ts';
import { wait } from '../http/retry.ts';
import type { Insight, PackageFacts, VersionFacts } from '../model/facts.ts';
import { type PackageKey, packageId } from '../model/keys.ts';
import { wantedId } from '../model/ports.ts';
import type { RegistryProtocol } from '../model/registries/access.ts';
import type { PrivateFact, PrivateFacts, PrivateFactsHost } from '../model/registries/private-facts.ts';
import { hostOfRegistry } from '../model/registries/refusal-text.ts';
import type { RegistryClient } from '../model/registries/registry-client.ts';
import { createRegistryLookups, type Failure, type Listing, type Outcome } from './lookups.ts';
import type { Transport } from './transport.ts';

export interface PrivateStoreParts extends PrivateFactsHost {
  readonly clients: Readonly<Partial<Record<RegistryProtocol, RegistryClient>>>;
  readonly transport: Transport;
  /** From 0 up to 1, as `Math.random`. */
  readonly random: () => number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** In ms, as those of the facts of the Package Insights Service; the settings bound the first one. */
export const privateLifetimes = {
  facts: HOUR,
  unknown: 10 * MINUTE,
  /** A credential that is not accepted now is not accepted in a minute. */
  denied: 24 * HOUR,
  retry: { first: 5 * SECOND, longest: 5 * MINUTE },
} as const;

/** Packages and versions asked of one host at a time: half of what npm sends at most (`maxsockets`, 15). */
const MAX_PER_HOST = 8;
/** How long listeners wait for further changes, in ms. */
const CHANGE_PAUSE_MS = 50;
/** Facts that are kept although nothing wants them at the moment. */
const MAX_ENTRIES = 20_000;

/** A fact that an owner wants. */
interface Entry {
  readonly wanted: PrivateFact;
  insight: Insight<unknown>;
  /** When it is asked for again, in ms since the epoch. */
  due: number;
  failures: number;
  /** Set while it is asked for. */
  job?: { readonly host: string; readonly abort: AbortController };
}

interface Wish {
  readonly urgent: Map<string, PrivateFact>;
  readonly background: Map<string, PrivateFact>;
}

const pending: Insight<never> = { state: 'pending' };

/** The facts of packages that private registries have, kept apart by the list of registries and their credentials. */
export function createPrivateFacts(parts: PrivateStoreParts): PrivateFacts {
  const { clients, transport, clock, random, settings, accessOf, isSameVersion } = parts;
  const entries = new Map<string, Entry>();
  const owners = new Map<string, Wish>();
  const lookups = createRegistryLookups({ clients, transport, clock, isSameVersion, lifetime });
  const waiting = new Set<() => void>();
  const listeners = new Set<(isSettled: boolean) => void>();
  let inView: ReadonlySet<string> = new Set();
  let revision = 0;
  let isPumping = false;
  let isClosed = false;
  let cancelChange: (() => void) | undefined;
  let wake: { readonly at: number; readonly cancel: () => void } | undefined;

  function lifetime(): number {
    const { min, max } = settings().freshness;
    return Math.min(max * MINUTE, Math.max(min * MINUTE, privateLifetimes.facts));
  }

  function changed(): void {
    if (isClosed) return;
    revision++;
    for (const it of [...waiting]) it();
    cancelChange ??= clock.after(CHANGE_PAUSE_MS, () => {
      cancelChange = undefined;
      const isSettled = ![...entries.values()].some((it) => it.job);
      for (const it of [...listeners]) it(isSettled);
    });
  }

  function read<T>(wanted: PrivateFact): Insight<T> {
    return (entries.get(wantedId(wanted))?.insight ?? pending) as Insight<T>;
  }

  /** Everything wanted, the most urgent first. */
  function wantedNow(): ReadonlyMap<string, PrivateFact> {
    const wanted = new Map<string, PrivateFact>();
    const urgent = [...owners.values()].flatMap((it) => [...it.urgent]);
    for (const [id, it] of urgent) if (inView.has(packageId(it.key))) wanted.set(id, it);
    for (const [id, it] of urgent) wanted.set(id, it);
    for (const { background } of owners.values()) for (const [id, it] of background) wanted.set(id, it);
    return wanted;
  }

  /** Starts what is due in the next turn, after all owners have said what they want. */
  function pump(): void {
    if (isPumping || isClosed) return;
    isPumping = true;
    queueMicrotask(() => {
      isPumping = false;
      if (!isClosed) startDue();
    });
  }

  function startDue(): void {
    const wanted = wantedNow();
    const busy = new Map<string, number>();
    for (const [id, entry] of entries) {
      if (entry.job && !wanted.has(id)) entry.job.abort.abort();
      else if (entry.job) busy.set(entry.job.host, (busy.get(entry.job.host) ?? 0) + 1);
      else if (!wanted.has(id) && !isKept(entry)) entries.delete(id);
    }
    const now = clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [id, it] of wanted) {
      const entry: Entry = entries.get(id) ?? { wanted: it, insight: pending, due: 0, failures: 0 };
      entries.set(id, entry);
      if (entry.job) continue;
      const isDue = entry.due <= now || entry.due > now + 32 * 24 * HOUR;
      if (!isDue) {
        // A fresh fact is asked for again when a document is looked at; a failed one by itself.
        if (entry.insight.state === 'failed') next = Math.min(next, entry.due);
        continue;
      }
      const host = hostOf(it.key);
      const others = busy.get(host) ?? 0;
      if (others >= MAX_PER_HOST) continue;
      busy.set(host, others + 1);
      start(entry, host);
    }
    if (next === wake?.at) return;
    wake?.cancel();
    wake = undefined;
    if (next === Number.POSITIVE_INFINITY) return;
    const cancel = clock.after(Math.max(0, next - now), () => {
      wake = undefined;
      pump();
    });
    wake = { at: next, cancel };
  }

  /**
   * An answer outlives the wish for it: what is known of a package decides whether its version is wanted, and what is
   * known of the version decides whether its package is.
   */
  function isKept({ insight, due }: Entry): boolean {
    return insight.state !== 'pending' && clock.now() < due && entries.size <= MAX_ENTRIES;
  }

  function hostOf({ registry = '' }: PackageKey): string {
    const [first] = accessOf(registry)?.registries ?? [];
    return first ? hostOfRegistry(first) : '';
  }

  async function start(entry: Entry, host: string): Promise<void> {
    const abort = new AbortController();
    entry.job = { host, abort };
    const { insight, wanted } = entry;
    if (insight.state === 'ready' || insight.state === 'unknown') {
      entry.insight = { ...insight, refresh: 'pending' };
      revision++;
    }
    const outcome = await (wanted.kind === 'package'
      ? lookups.list(accessOf(wanted.key.registry ?? ''), wanted.key, abort.signal).then(factsOf)
      : lookups.version(accessOf(wanted.key.registry ?? ''), wanted.key, abort.signal)
    ).catch((error: unknown): Failure => ({ kind: 'failed', reason: String(error) }));
    delete entry.job;
    take(entry, outcome);
    changed();
    pump();
  }

  function take(entry: Entry, outcome: Outcome<unknown>): void {
    const now = clock.now();
    const { insight } = entry;
    const before =
      insight.state === 'ready'
        ? ({ state: 'ready', value: insight.value, at: insight.at } as const)
        : insight.state === 'unknown'
          ? ({ state: 'unknown', at: insight.at } as const)
          : undefined;
    switch (outcome.kind) {
      case 'aborted':
        entry.insight = before ?? pending;
        entry.due = 0;
        return;
      case 'failed': {
        const { reason, isDenied } = outcome;
        entry.failures++;
        const { denied, retry } = privateLifetimes;
        const wait = isDenied ? denied : spread(backOff(entry.failures, retry), random);
        entry.due = dueAfter(now + wait, now);
        entry.insight = before ? { ...before, refresh: { failed: reason } } : { state: 'failed', reason, at: now };
        return;
      }
      case 'absent':
        entry.failures = 0;
        entry.due = now + privateLifetimes.unknown;
        entry.insight = { state: 'unknown', at: now };
        return;
      case 'found':
        entry.failures = 0;
        entry.due = now + lifetime();
        entry.insight = { state: 'ready', value: outcome.value, at: now };
    }
  }

  function isSettled(owner: string): boolean {
    const urgent = owners.get(owner)?.urgent.values() ?? [];
    for (const it of urgent) if (read(it).state === 'pending') return false;
    return true;
  }

  return {
    version: (key) => read<VersionFacts>({ kind: 'version', key }),
    package: (key) => read<PackageFacts>({ kind: 'package', key }),
    request(owner, wanted, background) {
      if (wanted.length + background.length > 0)
        owners.set(owner, { urgent: byId(wanted), background: byId(background) });
      else if (!owners.delete(owner)) return;
      pump();
    },
    requestAlso(owner, wanted) {
      if (wanted.length === 0) return;
      const before = owners.get(owner) ?? { urgent: new Map(), background: new Map() };
      for (const [id, it] of byId(wanted)) before.urgent.set(id, it);
      owners.set(owner, before);
      pump();
    },
    release(owner) {
      if (owners.delete(owner)) pump();
    },
    prioritize(packages) {
      inView = packages;
    },
    async whenSettled(owner, patience, signal) {
      if (isSettled(owner)) return;
      const ended = new AbortController();
      const check = (): void => {
        if (isClosed || isSettled(owner)) ended.abort();
      };
      const stop = (): void => ended.abort();
      waiting.add(check);
      signal?.addEventListener('abort', stop);
      if (signal?.aborted) stop();
      await wait(clock, patience, ended.signal);
      signal?.removeEventListener('abort', stop);
      waiting.delete(check);
    },
    onDidChange(listener) {
      listeners.add(listener);
    },
    revision: () => revision,
    expire() {
      transport.retryNow();
      lookups.forget();
      for (const it of entries.values()) {
        it.due = 0;
        it.failures = 0;
        if (it.insight.state === 'failed') it.insight = pending;
      }
      changed();
      pump();
    },
    close() {
      isClosed = true;
      for (const it of entries.values()) it.job?.abort.abort();
      cancelChange?.();
      wake?.cancel();
      for (const it of [...waiting]) it();
    },
  };
}

function factsOf(outcome: Outcome<Listing>): Outcome<PackageFacts> {
  return outcome.kind === 'found' ? { kind: 'found', value: outcome.value.facts } : outcome;
}

function byId(wanted: readonly PrivateFact[]): Map<string, PrivateFact> {
  return new Map(wanted.map((it) => [wantedId(it), it]));
}
