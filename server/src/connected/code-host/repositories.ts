import * as l10n from '@vscode/l10n';
import { backOff } from '../../engine/base/back-off.ts';
import { timeOf } from '../../engine/base/dates.ts';
import { dueAfter } from '../../engine/base/due.ts';
import { LruMap } from '../../engine/base/lru-map.ts';
import { isRecord } from '../../engine/base/text.ts';
import type { AnswerStore } from '../../engine/model/answers/answer-store.ts';
import type { ApiAnswer, ApiRequest, CallPriority } from '../../engine/model/connection.ts';
import type { Insight } from '../../engine/model/facts.ts';
import { webAddress } from '../../engine/model/links.ts';
import type { Clock } from '../../engine/model/ports.ts';
import {
  type CodeHost,
  hostBehind,
  isRepositoryId,
  type Repositories,
  type RepositoryFacts,
  type RepositoryId,
  type WantedRepository,
} from '../../engine/model/signals/repository.ts';
import { CORE, type Governor } from './governor.ts';

export interface CodeHostParts {
  readonly governor: Governor;
  readonly clock: Clock;
  /** Keeps answers. The cache of the Package Insights Service's answers will do: identifiers differ. */
  readonly cache: AnswerStore;
  /** The address of the connection; empty while it is not connected. */
  readonly baseUrl: () => string;
  /** Called when a kept answer is used: without a request, or after the code host has reported no change. */
  readonly onKept?: (bytes: number) => void;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const repositoryLifetimes = {
  /** A repository is seldom archived or renamed. In ms. */
  facts: DAY,
  /** One that the code host does not know, or does not show. In ms. */
  unavailable: DAY,
  /** A failed request is sent again after this, then after twice as long, and so on. In ms. */
  retry: { first: MINUTE, longest: HOUR },
} as const;

/** More than the dependencies of any workspace that one person has open. */
const MAX_ENTRIES = 20_000;
/** Requests of the background that wait for their turn or an answer. The others can still be canceled. */
const MAX_UNDER_WAY = 8;
/** How long a caller is taken for the same, in ms, unless a request shows another one. */
const REFRESH_PAUSE = MINUTE;
/** Grows with each change of the form of kept answers. */
const FORM = 1;
/** Of an answer and its identifier, approximately. */
const BYTES = 500;

export function createCodeHost(parts: CodeHostParts): Repositories {
  const { governor, clock, cache } = parts;
  const listeners = new Set<() => void>();
  const owners = new Map<string, readonly WantedRepository[]>();
  const underWay = new Set<RepositoryId>();
  const closing = new AbortController();
  let entries = new LruMap<RepositoryId, Entry>(MAX_ENTRIES);
  let caller: Caller | undefined;
  let refreshing: Promise<void> | undefined;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let revision = 0;
  let wake: { readonly at: number; readonly cancel: () => void } | undefined;

  function changed(): void {
    revision++;
    for (const it of [...listeners]) it();
  }

  async function callerNow(): Promise<Caller | undefined> {
    const host = hostBehind(parts.baseUrl());
    if (host === undefined) return undefined;
    const { identity, isSignedIn } = await governor.caller();
    return { identity, codeHost: { host, looksAhead: isSignedIn } };
  }

  /** Learns who calls, and of whom. What is known of one caller is not shown for another. */
  function refresh(): Promise<void> {
    refreshedAt = clock.now();
    refreshing ??= callerNow()
      .then((now) => {
        if (now?.identity === caller?.identity && now?.codeHost.looksAhead === caller?.codeHost.looksAhead) return;
        if (now?.identity !== caller?.identity) entries = new LruMap(MAX_ENTRIES);
        caller = now;
        changed();
      })
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  }

  const keptId = (id: RepositoryId): string => `code-host ${FORM} ${caller?.identity} ${id}`;

  function entryOf(id: RepositoryId): Entry {
    const known = entries.get(id);
    if (known) return known;
    const kept = caller && cache.get(keptId(id));
    const value = kept && readKept(kept.value);
    const entry: Entry = { insight: pending, due: 0, failures: 0 };
    if (kept && value) {
      // An answer from the future comes from a clock that was set back.
      entry.due = kept.at > clock.now() ? 0 : kept.freshUntil;
      entry.insight = value.facts
        ? { state: 'ready', value: value.facts, at: kept.at }
        : { state: 'unknown', at: kept.at };
      if (value.etag !== undefined) entry.etag = value.etag;
      if (entry.due > clock.now()) parts.onKept?.(kept.bytes);
    }
    entries.set(id, entry);
    return entry;
  }

  /** What may be requested now, with what a person waits for first. */
  function wantedNow(): ReadonlyMap<RepositoryId, CallPriority> {
    const wanted = new Map<RepositoryId, CallPriority>();
    const all = [...owners.values()].flat().filter((it) => isRepositoryId(it.id));
    for (const it of all) if (it.isAsked) wanted.set(it.id, 'asked');
    if (caller?.codeHost.looksAhead) for (const it of all) if (!wanted.has(it.id)) wanted.set(it.id, 'background');
    return wanted;
  }

  function isDue({ due, isOverBudget }: Entry, priority: CallPriority): boolean {
    const now = clock.now();
    return (isOverBudget && priority === 'asked') || due <= now || due > now + 2 * DAY;
  }

  /** Requests everything wanted that is due, and plans the next time. */
  function pump(): void {
    if (closing.signal.aborted || !caller) return;
    let next = Number.POSITIVE_INFINITY;
    for (const [id, priority] of wantedNow()) {
      const entry = entryOf(id);
      if (underWay.has(id)) continue;
      if (isDue(entry, priority)) {
        if (priority === 'asked' || underWay.size < MAX_UNDER_WAY) obtain(id, entry, caller, priority);
      } else if (priority === 'background') next = Math.min(next, entry.due);
    }
    if (next === wake?.at) return;
    wake?.cancel();
    wake = undefined;
    if (next === Number.POSITIVE_INFINITY) return;
    const cancel = clock.after(Math.max(0, next - clock.now()), () => {
      wake = undefined;
      pump();
    });
    wake = { at: next, cancel };
  }

  async function obtain(id: RepositoryId, entry: Entry, by: Caller, priority: CallPriority): Promise<void> {
    underWay.add(id);
    const { insight } = entry;
    if (insight.state === 'ready' || insight.state === 'unknown') entry.insight = { ...insight, refresh: 'pending' };
    else entry.insight = pending;
    revision++;
    const result = await lookUp(id, entry.etag, priority);
    underWay.delete(id);
    if (governor.identity() !== by.identity) await refresh();
    // An answer to another credential is not shown.
    if (caller === by) take(id, entry, result);
    changed();
    pump();
  }

  function take(id: RepositoryId, entry: Entry, given: Result): void {
    const now = clock.now();
    const before = entry.insight;
    const former = before.state === 'ready' || before.state === 'unknown' ? before : undefined;
    const result = given.kind === 'unchanged' && former?.state !== 'ready' ? invalid() : given;
    delete entry.isOverBudget;
    if (result.kind === 'aborted') {
      entry.insight = former ?? pending;
      return;
    }
    if (result.kind === 'failed') {
      const { reason } = result;
      if (result.isOverBudget) entry.isOverBudget = true;
      entry.failures++;
      entry.due = dueAfter(result.until ?? now + backOff(entry.failures, repositoryLifetimes.retry), now);
      entry.insight = former ? { ...former, refresh: { failed: reason } } : { state: 'failed', reason, at: now };
      return;
    }
    entry.failures = 0;
    if (result.kind === 'unchanged') {
      parts.onKept?.(BYTES);
      if (former?.state === 'ready') entry.insight = { state: 'ready', value: former.value, at: now };
      entry.due = now + repositoryLifetimes.facts;
    } else if (result.kind === 'facts') {
      entry.insight = { state: 'ready', value: result.facts, at: now };
      entry.due = now + repositoryLifetimes.facts;
      delete entry.etag;
      if (result.etag !== undefined) entry.etag = result.etag;
    } else {
      entry.insight = { state: 'unknown', at: now };
      entry.due = now + repositoryLifetimes.unavailable;
      delete entry.etag;
    }
    const facts = entry.insight.state === 'ready' ? { facts: entry.insight.value } : {};
    const value = { ...facts, ...(entry.etag !== undefined && { etag: entry.etag }) };
    cache.set([[keptId(id), { value, at: now, freshUntil: entry.due, bytes: BYTES }]]);
  }

  function send(path: string, etag: string | undefined, priority: CallPriority): Promise<ApiAnswer> {
    const request: ApiRequest = {
      connection: 'code-host',
      method: 'codeHost.repos.get',
      verb: 'GET',
      path,
      headers: { accept: 'application/vnd.github+json', ...(etag !== undefined && { 'if-none-match': etag }) },
      units: 1,
    };
    return governor.send(request, CORE, { priority, signal: closing.signal });
  }

  async function lookUp(id: RepositoryId, etag: string | undefined, priority: CallPriority): Promise<Result> {
    const answer = await send(`repos/${id}`, etag, priority);
    const moved = movedTo(answer, parts.baseUrl());
    return resultOf(moved === undefined ? answer : await send(moved, etag, priority));
  }

  return {
    codeHost: () => caller?.codeHost,
    repository: (id) => entryOf(id).insight,
    request(owner, wanted) {
      if (wanted.length === 0 && !owners.has(owner)) return;
      owners.set(owner, wanted);
      // Each evaluation of a document comes here: it does not ask for the credential each time.
      if (caller && Math.abs(clock.now() - refreshedAt) <= REFRESH_PAUSE) pump();
      else refresh().then(pump);
    },
    release(owner) {
      owners.delete(owner);
    },
    whenSettled(owner, patience, signal) {
      const isSettled = (): boolean =>
        (owners.get(owner) ?? []).every((it) => !it.isAsked || entryOf(it.id).insight.state !== 'pending');
      return new Promise((resolve) => {
        if (signal?.aborted || isSettled()) return resolve();
        const end = (): void => {
          cancel();
          listeners.delete(look);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const look = (): void => {
          if (isSettled()) end();
        };
        const cancel = clock.after(patience, end);
        listeners.add(look);
        signal?.addEventListener('abort', end);
      });
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    revision: () => revision,
    refresh() {
      // The budget may be another one now.
      for (const [, it] of entries.entries()) if (it.isOverBudget) it.due = 0;
      return refresh().then(pump);
    },
    expire() {
      for (const [, it] of entries.entries()) it.due = 0;
      pump();
    },
    windows: () => governor.windows(),
    async requestWindows(signal) {
      const request: ApiRequest = {
        connection: 'code-host',
        method: 'codeHost.rateLimit.get',
        verb: 'GET',
        path: 'rate_limit',
        headers: { accept: 'application/vnd.github+json' },
        units: 1,
      };
      const answer = await governor.send(request, CORE, { priority: 'asked', ...(signal && { signal }) });
      return answer.kind === 'answer' && answer.status === 200 ? governor.windows() : undefined;
    },
    close() {
      closing.abort();
      wake?.cancel();
    },
  };
}

interface Caller {
  readonly identity: string;
  readonly codeHost: CodeHost;
}

interface Entry {
  insight: Insight<RepositoryFacts>;
  etag?: string;
  /** When it is to be requested again, in ms since the epoch. */
  due: number;
  /** In a row. */
  failures: number;
  /** The budget stopped it in the background. It does not stop what a person asks for. */
  isOverBudget?: true;
}

const pending: Insight<RepositoryFacts> = { state: 'pending' };

type Result =
  | { readonly kind: 'facts'; readonly facts: RepositoryFacts; readonly etag?: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unknown' }
  /** `until`: when to try again, in ms since the epoch. */
  | { readonly kind: 'failed'; readonly reason: string; readonly until?: number; readonly isOverBudget?: true }
  | { readonly kind: 'aborted' };

/** Where a renamed repository is: a path below the address of the service. Undefined without such a redirect. */
function movedTo(answer: ApiAnswer, baseUrl: string): string | undefined {
  if (answer.kind !== 'answer' || ![301, 302, 307, 308].includes(answer.status)) return undefined;
  const location = answer.headers['location'] ?? '';
  const path = location.startsWith(`${baseUrl}/`) ? location.slice(baseUrl.length + 1) : '';
  return /^repositories\/\d{1,20}$/.test(path) ? path : undefined;
}

function resultOf(answer: ApiAnswer): Result {
  switch (answer.kind) {
    case 'aborted':
      return answer;
    case 'held':
    case 'over-budget': {
      const { until } = answer;
      const reason = l10n.t('{0}, until {1}', answer.reason, timeOf(until));
      return { kind: 'failed', reason, until, ...(answer.kind === 'over-budget' && { isOverBudget: true }) };
    }
    case 'not-connected':
    case 'failure':
      return { kind: 'failed', reason: answer.reason };
    case 'answer':
      return resultOfStatus(answer);
  }
}

function resultOfStatus({ status, headers, text }: Extract<ApiAnswer, { readonly kind: 'answer' }>): Result {
  if (status === 304) return { kind: 'unchanged' };
  if (status === 404 || status === 410) return { kind: 'unknown' };
  if (status === 200) {
    const facts = readRepository(text);
    if (!facts) return invalid();
    const etag = headers['etag'];
    return { kind: 'facts', facts, ...(etag !== undefined && { etag }) };
  }
  return { kind: 'failed', reason: refusalText(status) };
}

function invalid(): Result {
  return { kind: 'failed', reason: l10n.t('the answer of the code host is invalid') };
}

function refusalText(status: number): string {
  if (status === 401) return l10n.t('the code host does not accept the credential');
  if (status === 403) return l10n.t('the code host does not permit access');
  if (status === 451) return l10n.t('the code host blocks access for legal reasons');
  if (status < 400) return l10n.t('the repository has moved elsewhere');
  return l10n.t('the code host answered with status {0}', status);
}

/** Reads `GET /repos/{owner}/{repo}`. Undefined for anything else. */
function readRepository(text: string): RepositoryFacts | undefined {
  const body = parseJson(text);
  if (!isRecord(body)) return undefined;
  const { full_name: name, html_url: page, archived, disabled, pushed_at: pushed, license } = body;
  const url = typeof page === 'string' ? webAddress(page) : undefined;
  if (typeof name !== 'string' || !isRepositoryId(name.toLowerCase()) || url === undefined) return undefined;
  if (typeof archived !== 'boolean') return undefined;
  const pushedAt = typeof pushed === 'string' ? Date.parse(pushed) : Number.NaN;
  const issues = body['open_issues_count'];
  const spdx = isRecord(license) ? license['spdx_id'] : undefined;
  return {
    name,
    url,
    isArchived: archived,
    isDisabled: disabled === true,
    ...(!Number.isNaN(pushedAt) && { pushedAt }),
    ...(typeof issues === 'number' && Number.isSafeInteger(issues) && issues >= 0 && { openIssues: issues }),
    // The code host reports NOASSERTION for a license that it does not recognize.
    ...(typeof spdx === 'string' && /^[\w.+-]{1,64}$/.test(spdx) && spdx !== 'NOASSERTION' && { license: spdx }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A kept answer; undefined for one of another form. Without facts, the code host does not know the repository. */
function readKept(value: unknown): { readonly facts?: RepositoryFacts; readonly etag?: string } | undefined {
  if (!isRecord(value)) return undefined;
  const { facts, etag } = value;
  const known = etag === undefined || typeof etag !== 'string' ? {} : { etag };
  if (facts === undefined) return known;
  if (!isRecord(facts) || typeof facts['name'] !== 'string' || typeof facts['isArchived'] !== 'boolean')
    return undefined;
  if (typeof facts['url'] !== 'string' || typeof facts['isDisabled'] !== 'boolean') return undefined;
  return { facts: facts as unknown as RepositoryFacts, ...known };
}
