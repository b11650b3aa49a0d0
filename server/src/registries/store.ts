import * as l10n from '@vscode/l10n';
import { dueAfter } from '../base/due.ts';
import { LruMap } from '../base/lru-map.ts';
import { versioning } from '../ecosystems/versioning.ts';
import { retryDelay, wait } from '../http/retry.ts';
import {
  type Insight,
  listOf,
  type PackageFacts,
  rowsOf,
  type VersionFacts,
  type VersionSummary,
} from '../model/facts.ts';
import { type PackageKey, packageId, type VersionKey } from '../model/keys.ts';
import { wantedId } from '../model/ports.ts';
import type { Access, AskedRegistry, RegistryProtocol } from '../model/registries/access.ts';
import type { PrivateFact, PrivateFacts, PrivateFactsHost } from '../model/registries/private-facts.ts';
import { hostOfRegistry, refusalText } from '../model/registries/refusal-text.ts';
import type { ListedPackage, RegistryAnswer, RegistryClient } from '../model/registries/registry-client.ts';
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
  firstRetry: 5 * SECOND,
  maxRetry: 5 * MINUTE,
} as const;

/** Packages and versions asked of one host at a time: half of what npm sends at most (`maxsockets`, 15). */
const MAX_PER_HOST = 8;
/** How long listeners wait for further changes, in ms. */
const CHANGE_PAUSE_MS = 50;
/** Facts that are kept although nothing wants them at the moment. */
const MAX_ENTRIES = 20_000;
/** Versions of all lists that are kept. Private packages have some hundreds. */
const MAX_VERSIONS = 500_000;

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

/** The lists of a package in the registries that have it, in the order of its client. */
interface Listing {
  readonly found: readonly { readonly registry: AskedRegistry; readonly listed: ListedPackage }[];
  readonly facts: PackageFacts;
  /** When the registries answered, in ms since the epoch. */
  readonly at: number;
}

type Failure = { readonly kind: 'failed'; readonly reason: string; readonly isDenied?: true };
type Outcome<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'absent' }
  | Failure
  | { readonly kind: 'aborted' };

/** A list that several versions wait for. */
interface SharedListing {
  readonly outcome: Promise<Outcome<Listing>>;
  readonly abort: AbortController;
  users: number;
}

const pending: Insight<never> = { state: 'pending' };

/** The facts of packages that private registries have, kept apart by the list of registries and their credentials. */
export function createPrivateFacts(parts: PrivateStoreParts): PrivateFacts {
  const { clients, transport, clock, random, settings, accessOf, isSameVersion } = parts;
  const entries = new Map<string, Entry>();
  const owners = new Map<string, Wish>();
  const listings = new LruMap<string, Listing>(MAX_VERSIONS, (it) => 1 + it.facts.versions.names.length);
  const listing = new Map<string, SharedListing>();
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
      ? obtainListing(wanted.key, abort.signal).then(factsOf)
      : obtainVersion(wanted.key, abort.signal)
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
        const { denied, firstRetry, maxRetry } = privateLifetimes;
        const wait = isDenied ? denied : retryDelay(entry.failures, firstRetry, maxRetry, () => 0.5 + random() / 2);
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

  /** The list of a package, asked for once for all that wait for it. */
  async function obtainListing(key: PackageKey, signal: AbortSignal): Promise<Outcome<Listing>> {
    const id = packageId(key);
    const known = listings.get(id);
    if (known && known.at <= clock.now() && clock.now() < known.at + lifetime()) return { kind: 'found', value: known };
    const before = listing.get(id);
    const shared = before ?? startListing(id, key);
    shared.users++;
    const leave = (): void => {
      if (--shared.users > 0) return;
      shared.abort.abort();
      if (listing.get(id) === shared) listing.delete(id);
    };
    const aborted = new Promise<Outcome<Listing>>((resolve) => {
      if (signal.aborted) resolve({ kind: 'aborted' });
      signal.addEventListener('abort', () => resolve({ kind: 'aborted' }), { once: true });
    });
    return Promise.race([shared.outcome, aborted]).finally(leave);
  }

  function startListing(id: string, key: PackageKey): SharedListing {
    const abort = new AbortController();
    const outcome = askAll(key, abort.signal).then((it) => {
      if (it.kind === 'found') listings.set(id, it.value);
      return it;
    });
    const shared: SharedListing = { outcome, abort, users: 0 };
    listing.set(id, shared);
    const end = (): void => {
      if (listing.get(id) === shared) listing.delete(id);
    };
    outcome.then(end, end);
    return shared;
  }

  async function askAll(key: PackageKey, signal: AbortSignal): Promise<Outcome<Listing>> {
    const access = accessOf(key.registry ?? '');
    if (access === undefined) return { kind: 'failed', reason: l10n.t('its registries have changed') };
    const found = await askInOrder(access, key.name, signal);
    if (!Array.isArray(found)) return found;
    if (found.length === 0) return { kind: 'absent' };
    return { kind: 'found', value: { found, facts: joinedFacts(key, found), at: clock.now() } };
  }

  /** The lists of the registries that have the package. One that cannot be asked may have it, so it fails all. */
  async function askInOrder(
    { registries, join }: Access,
    name: string,
    signal: AbortSignal,
  ): Promise<Listing['found'][number][] | Failure | { readonly kind: 'aborted' }> {
    const found: Listing['found'][number][] = [];
    const all = join === 'all' ? registries.map((it) => askForList(it, name, signal)) : [];
    let passedOver: Failure | undefined;
    for (const [at, registry] of registries.entries()) {
      const answer = await (all[at] ?? askForList(registry, name, signal));
      if (answer.kind === 'absent') continue;
      if (answer.kind === 'aborted') return answer;
      if (answer.kind !== 'found') {
        const failure = failureOf(answer, registry);
        if (answer.kind === 'refused' || !registry.isOptional) return failure;
        passedOver ??= failure;
        continue;
      }
      found.push({ registry, listed: answer.value });
      if (join === 'first') break;
    }
    return found.length === 0 && passedOver ? passedOver : found;
  }

  async function askForList(
    registry: AskedRegistry,
    name: string,
    signal: AbortSignal,
  ): Promise<RegistryAnswer<ListedPackage>> {
    if (registry.refusal) return { kind: 'refused', refusal: registry.refusal };
    const client = clients[registry.protocol];
    if (client === undefined) return { kind: 'failed', reason: l10n.t('registries of this kind cannot be asked') };
    return client.list({ registry, name, send: transport.sendTo(registry, signal) });
  }

  async function obtainVersion(key: VersionKey, signal: AbortSignal): Promise<Outcome<VersionFacts>> {
    const outcome = await obtainListing({ system: key.system, name: key.name, ...ofRegistry(key) }, signal);
    if (outcome.kind !== 'found') return outcome;
    for (const { registry, listed } of outcome.value.found) {
      const version = spelledIn(listed, key) ?? (listed.mayHave?.(key.version) ? key.version : undefined);
      if (version === undefined) continue;
      const facts = listed.version(version);
      const more = clients[registry.protocol]?.version;
      const own = facts && inList(facts, outcome.value, key);
      if (more === undefined) {
        if (own) return { kind: 'found', value: own };
        continue;
      }
      const send = transport.sendTo(registry, signal);
      const answer = await more({ registry, name: key.name, send, listed }, version);
      switch (answer.kind) {
        case 'found':
          return { kind: 'found', value: inList(answer.value, outcome.value, key) };
        case 'absent':
          if (own) return { kind: 'found', value: own };
          continue;
        case 'aborted':
          return answer;
        default:
          return failureOf(answer, registry);
      }
    }
    return { kind: 'absent' };
  }

  /** The spelling of a version in a list. */
  function spelledIn({ facts, version }: ListedPackage, key: VersionKey): string | undefined {
    if (version(key.version) !== undefined) return key.version;
    return facts.versions.names.find((it) => isSameVersion(key.system, it, key.version));
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
      listings.clear();
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

/** Each version once, of the first registry that has it. */
function joinedFacts(key: PackageKey, found: Listing['found']): PackageFacts {
  const [first, ...others] = found.map((it) => it.listed.facts);
  const known = new Map<string, VersionSummary>();
  for (const it of found.flatMap(({ listed }) => rowsOf(listed.facts.versions)))
    if (!known.has(it.version)) known.set(it.version, it);
  const isSample = [first, ...others].some((it) => it?.isSample);
  const defaults = [...known.values()].filter((it) => it.isDefault).map((it) => it.version);
  const usual = defaults.sort(versioning[key.system].compare).at(-1);
  return {
    key: { system: key.system, name: first?.key.name ?? key.name, ...ofRegistry(key) },
    purl: first?.purl ?? '',
    // Each list has a default version of its own.
    versions: listOf(
      [...known.values()].map((it) => (it.isDefault && it.version !== usual ? { ...it, isDefault: false } : it)),
    ),
    ...(isSample && { isSample: true }),
  };
}

/** The facts of a version as the joined list has it. */
function inList(facts: VersionFacts, { facts: { versions } }: Listing, key: PackageKey): VersionFacts {
  const isDefault = versions.defaults.some((place) => versions.names[place] === facts.version);
  return { ...facts, isDefault, key: { ...facts.key, ...ofRegistry(key) } };
}

function ofRegistry({ registry }: PackageKey): Pick<PackageKey, 'registry'> {
  return registry === undefined ? {} : { registry };
}

/** The words for an answer without facts. */
function failureOf(
  answer: Extract<RegistryAnswer<unknown>, { readonly kind: 'denied' | 'failed' | 'refused' }>,
  registry: AskedRegistry,
): Failure {
  const host = hostOfRegistry(registry);
  switch (answer.kind) {
    case 'failed':
      return { kind: 'failed', reason: l10n.t('{0}: {1}', host, answer.reason) };
    case 'refused':
      return { kind: 'failed', reason: refusalText(answer.refusal), isDenied: true };
    case 'denied': {
      const { credential } = registry;
      return { kind: 'failed', reason: deniedText(host, credential?.from, answer.isForbidden), isDenied: true };
    }
  }
}

function deniedText(host: string, from: string | undefined, isForbidden: true | undefined): string {
  if (from === undefined) return l10n.t('{0} requires a credential, and none was found for it', host);
  return isForbidden
    ? l10n.t('{0} does not permit this with the credential in {1} (HTTP 403)', host, from)
    : l10n.t('{0} does not accept the credential in {1}', host, from);
}

function byId(wanted: readonly PrivateFact[]): Map<string, PrivateFact> {
  return new Map(wanted.map((it) => [wantedId(it), it]));
}
