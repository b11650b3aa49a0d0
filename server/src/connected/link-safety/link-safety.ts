import * as l10n from '@vscode/l10n';
import { LruMap } from '../../engine/base/lru-map.ts';
import { type CanonicalUrl, canonicalUrl, formatCanonicalUrl } from '../../engine/links/canonical-url.ts';
import { expressionsOf, hashOf } from '../../engine/links/expressions.ts';
import {
  type ApiRequest,
  type CallOptions,
  type CallPriority,
  type ConnectionClient,
  type Holds,
  usualThreatLists,
} from '../../engine/model/connection.ts';
import type { LinkSafety, LinkState } from '../../engine/model/links.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { ListStore } from './list-store.ts';
import {
  type ClientInfo,
  hashesRequest,
  listName,
  listRequest,
  MAX_ENTRIES,
  type Method,
  matchesRequest,
  readHashes,
  readLists,
  readUrlMatches,
  type ThreatMatch,
  threatListOf,
} from './protocol.ts';
import { createThreatLists, REFRESH_AGE, type ThreatLists } from './threat-lists.ts';
import { createWaits } from './waits.ts';

export interface LinkSafetyParts {
  /** `lookup` sends the addresses; `private` sends 4 bytes of a hash, and only if a list has them. */
  readonly mode: 'lookup' | 'private';
  readonly connection: ConnectionClient;
  readonly holds: Holds;
  readonly store: ListStore;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly client: ClientInfo;
  /** `MALWARE/WINDOWS/URL`: all of them or none are used. Absent: those of the usual ones that the service has. */
  readonly lists?: readonly string[];
  readonly log?: (line: string) => void;
}

export interface ConnectedLinkSafety extends LinkSafety {
  /** Aborts requests; nothing is sent afterwards. */
  close(): void;
}

/** In ms. Source: documentation of the lookup service: older data warns no one. */
const MAX_WARNING_AGE = 30 * 60_000;

/** The service gives no time for addresses that matched nothing. In ms. */
const CHECKED_FOR = 30 * 60_000;

/** A state lasts long enough to be read and clicked, even if the service permits no caching. In ms. */
const MIN_CACHED = 60_000;
const MAX_CACHED = 24 * 3_600_000;

/** Answers in memory; one takes some 200 bytes. */
const MAX_ANSWERS = 10_000;

/** Links whose hashes are kept in memory, 1 to 3 kB each. */
const MAX_HASHED = 2_000;

/** Lists are kept up to date for so long after the last request for a link. In ms. */
const ACTIVE_FOR = 60 * 60_000;

/** Of a hash, in bytes: fewer than the lists may have, so that many addresses share them. */
const PREFIX_SIZE = 4;

/** What the service said of something. */
interface Known {
  /** In ms since the epoch. */
  readonly at: number;
  /** Until when it is not asked again. */
  readonly until: number;
  /** Empty for no match. */
  readonly threats: readonly string[];
}

/** What the service said of a prefix of hashes. */
interface KnownPrefix {
  /** Of hashes that matched nothing. */
  readonly others: Known;
  /** By full hash, in base64. */
  readonly matches: ReadonlyMap<string, Known>;
}

export function createLinkSafety(parts: LinkSafetyParts): ConnectedLinkSafety {
  const { mode, connection, clock, client } = parts;
  const lists = (parts.lists ?? usualThreatLists).map(threatListOf);
  const waits = createWaits(parts);
  const listeners = new Set<() => void>();
  const aborting = new AbortController();
  const urls = new LruMap<string, Known>(MAX_ANSWERS);
  const prefixes = new LruMap<string, KnownPrefix>(MAX_ANSWERS);
  const hashed = new LruMap<string, readonly Buffer[]>(MAX_HASHED);
  let identity: string | undefined;
  let threatLists: ThreatLists | undefined;
  /** Lists that were chosen and that the service does not have; undefined while that is not known. */
  let lacking: readonly string[] | undefined;
  let last: Promise<void> = Promise.resolve();
  let requestedAt = Number.NEGATIVE_INFINITY;
  let cancelRefresh: (() => void) | undefined;

  function stateOf(url: string): LinkState {
    const asked = canonicalOf(url);
    if (asked === undefined) return unchecked;
    const now = clock.now();
    if (mode === 'lookup') {
      const known = urls.get(formatCanonicalUrl(asked));
      return known && isValid(known, now) ? stateFrom([known], now) : unchecked;
    }
    const hashes = hashesOf(asked);
    const found = hashes.flatMap((it) => knownOf(it) ?? []).filter((it) => isValid(it, now));
    if (found.some((it) => it.threats.length > 0)) return stateFrom(found, now);
    const since = threatLists?.freshSince();
    if (since === undefined || threatLists === undefined) return unchecked;
    const suspects = hashes.filter(threatLists.matches).map(knownOf);
    if (suspects.some((it) => it === undefined || !isValid(it, now))) return unchecked;
    return stateFrom([{ at: since, until: now, threats: [] }, ...suspects.flatMap((it) => it ?? [])], now);
  }

  /** A link is shown many times. */
  function hashesOf(url: CanonicalUrl): readonly Buffer[] {
    const key = formatCanonicalUrl(url);
    const known = hashed.get(key);
    if (known) return known;
    const hashes = expressionsOf(url).map(hashOf);
    hashed.set(key, hashes);
    return hashes;
  }

  function knownOf(hash: Buffer): Known | undefined {
    const known = prefixes.get(prefixOf(hash));
    return known?.matches.get(hash.toString('base64')) ?? known?.others;
  }

  /** Runs after those before it, so that what they learned is not requested again. */
  function request(wanted: readonly string[], priority: CallPriority): Promise<void> {
    requestedAt = clock.now();
    const work = last.then(() => check(wanted, { priority, signal: aborting.signal }));
    last = work.catch(() => {});
    return last;
  }

  async function check(wanted: readonly string[], options: CallOptions): Promise<void> {
    if (aborting.signal.aborted) return;
    const current = await connection.identity();
    if (current !== identity) forget(current);
    if (!(await hasLists(current, options))) return;
    if (mode === 'lookup') await lookUp(current, wanted, options);
    else await findHashes(current, wanted, options);
  }

  /** What one service said is not used for another. */
  function forget(current: string): void {
    identity = current;
    urls.clear();
    prefixes.clear();
    lacking = parts.lists === undefined ? [] : undefined;
    const isChosen = parts.lists !== undefined;
    threatLists = createThreatLists({ ...parts, lists, isChosen, waits, identity: current });
  }

  /** A service may ignore a list that it does not have, and no link must seem to be checked against it. */
  async function hasLists(current: string, options: CallOptions): Promise<boolean> {
    if (lacking === undefined) {
      const answer = await send(current, 'threatLists.list', listRequest(), options, (text) => {
        const offered = readLists(text);
        return offered && { offered, minimumWait: 0 };
      });
      if (answer === undefined) return false;
      const offered = answer.offered.map(listName);
      lacking = lists.map(listName).filter((it) => !offered.includes(it));
      if (lacking.length > 0)
        parts.log?.(l10n.t('no link is checked: the service does not have {0}', lacking.join(', ')));
    }
    return lacking.length === 0;
  }

  async function lookUp(current: string, wanted: readonly string[], options: CallOptions): Promise<void> {
    const now = clock.now();
    const asked = wanted.flatMap((it) => {
      const canonical = canonicalOf(it);
      const url = canonical && formatCanonicalUrl(canonical);
      const known = url === undefined ? undefined : urls.get(url);
      return url === undefined || (known && isCurrent(known, now)) ? [] : [url];
    });
    for (const some of chunks([...new Set(asked)])) {
      const body = matchesRequest(client, lists, some);
      const answer = await send(current, 'threatMatches.find', body, options, (text) => {
        const read = readUrlMatches(text);
        // A match of another address than those sent may be meant for any of them.
        return read?.matches.every((it) => some.includes(it.url)) ? read : undefined;
      });
      if (answer === undefined) return;
      for (const url of some) {
        const own = answer.matches.filter((it) => it.url === url);
        urls.set(url, knownFrom(own, CHECKED_FOR, clock.now()));
      }
      changed();
    }
  }

  async function findHashes(current: string, wanted: readonly string[], options: CallOptions): Promise<void> {
    const ours = threatLists;
    if (ours === undefined) return;
    const before = ours.freshSince();
    await ours.update(options);
    if (ours.freshSince() !== before) changed();
    const now = clock.now();
    const asked = wanted.flatMap((it) => {
      const canonical = canonicalOf(it);
      const suspects = canonical ? hashesOf(canonical).filter(ours.matches) : [];
      return suspects.flatMap((hash) => {
        const known = knownOf(hash);
        return known && isCurrent(known, now) ? [] : [prefixOf(hash)];
      });
    });
    for (const some of chunks([...new Set(asked)])) {
      const bytes = some.map((it) => Buffer.from(it, 'base64'));
      const body = hashesRequest(client, lists, ours.states(), bytes);
      const answer = await send(current, 'fullHashes.find', body, options, readHashes);
      if (answer === undefined) break;
      const at = clock.now();
      for (const prefix of some) {
        const own = answer.matches.filter((it) => prefixOf(it.hash) === prefix);
        const hashes = new Set(own.map((it) => it.hash.toString('base64')));
        const matchesOf = (hash: string) => own.filter((it) => it.hash.toString('base64') === hash);
        prefixes.set(prefix, {
          others: knownFrom([], answer.negativeCacheDuration, at),
          matches: new Map([...hashes].map((hash) => [hash, knownFrom(matchesOf(hash), 0, at)])),
        });
      }
      changed();
    }
    planRefresh(current);
  }

  /** The known threats among the matches; without one, a check that lasts `duration` ms. */
  function knownFrom(matches: readonly ThreatMatch[], duration: number, at: number): Known {
    const names = lists.map(listName);
    const threats = matches.filter((it) => names.includes(listName(it.list)));
    const lasts = threats.length > 0 ? Math.min(...threats.map((it) => it.cacheDuration)) : duration;
    return {
      at,
      until: at + Math.min(Math.max(lasts, MIN_CACHED), MAX_CACHED),
      threats: [...new Set(threats.map((it) => it.list.threatType))],
    };
  }

  /** Undefined if nothing was sent, or the answer is none; the method rests then. */
  async function send<T extends { readonly minimumWait?: number }>(
    current: string,
    method: Method,
    body: ApiRequest,
    options: CallOptions,
    read: (text: string) => T | undefined,
  ): Promise<T | undefined> {
    if (waits.until(current, method) !== undefined) return undefined;
    const answer = await connection.send(body, options);
    if (answer.kind !== 'answer' && answer.kind !== 'failure') return undefined;
    const value = answer.kind === 'answer' && answer.status === 200 ? read(answer.text) : undefined;
    if (value === undefined) waits.failed(current, method);
    else waits.succeeded(current, method, value.minimumWait);
    return value;
  }

  function planRefresh(current: string): void {
    cancelRefresh?.();
    if (aborting.signal.aborted || clock.now() - requestedAt >= ACTIVE_FOR) return;
    const now = clock.now();
    const due = (threatLists?.freshSince() ?? now - REFRESH_AGE) + REFRESH_AGE;
    const until = Math.max(due, waits.until(current, 'threatListUpdates.fetch') ?? 0);
    cancelRefresh = clock.after(Math.max(until - now, MIN_CACHED), () => {
      last = last.then(() => check([], { priority: 'background', signal: aborting.signal })).catch(() => {});
    });
  }

  function changed(): void {
    for (const it of [...listeners]) it();
  }

  return {
    stateOf,
    request,
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      aborting.abort();
      cancelRefresh?.();
      listeners.clear();
    },
  };
}

const unchecked: LinkState = { kind: 'unchecked' };

function stateFrom(known: readonly Known[], now: number): LinkState {
  const threats = [...new Set(known.flatMap((it) => it.threats))];
  const at = Math.min(now, ...known.map((it) => it.at));
  return threats.length > 0 ? { kind: 'suspected', threats, at } : { kind: 'checked', at };
}

/** Whether a state can rest on it. A time in the future is from before the clock was set back. */
function isValid(known: Known, now: number): boolean {
  return isCurrent(known, now) && (known.threats.length === 0 || now - known.at < MAX_WARNING_AGE);
}

/** Whether the service is not to be asked again. */
function isCurrent({ at, until }: Known, now: number): boolean {
  return at <= now && now < until;
}

/** The address that a browser would request: it reads backslashes and escapes in its own way. */
function canonicalOf(url: string): CanonicalUrl | undefined {
  if (!URL.canParse(url)) return undefined;
  const { href, protocol } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? canonicalUrl(href) : undefined;
}

function prefixOf(hash: Buffer): string {
  return hash.subarray(0, PREFIX_SIZE).toString('base64');
}

function chunks<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / MAX_ENTRIES) }, (_, at) =>
    all.slice(at * MAX_ENTRIES, (at + 1) * MAX_ENTRIES),
  );
}
