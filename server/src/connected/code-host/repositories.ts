import * as l10n from '@vscode/l10n';
import { timeOf } from '../../engine/base/dates.ts';
import { isRecord } from '../../engine/base/text.ts';
import { type KeyedEntry, KeyedStore, type Obtained, type Wish } from '../../engine/facts/store/keyed-store.ts';
import type { AnswerStore, StoredAnswer } from '../../engine/model/answers/answer-store.ts';
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
  let caller: Caller | undefined;
  let refreshing: Promise<void> | undefined;
  let refreshedAt = Number.NEGATIVE_INFINITY;

  const store = new KeyedStore<RepositoryId, RepositoryFacts>({
    clock,
    retry: repositoryLifetimes.retry,
    longest: 2 * DAY,
    maxEntries: MAX_ENTRIES,
    wishes: () => wishesIn([...owners.values()].flat(), caller),
    hasPlace: ({ priority }, underWay) => priority === 'asked' || underWay.size < MAX_UNDER_WAY,
    renews: ({ priority }) => priority === 'background',
    async obtain({ id, priority }, { insight, validator }, signal) {
      const by = caller;
      const result = await lookUp(id, validator, { priority, signal });
      if (governor.identity() !== by?.identity) await refresh();
      if (result.kind !== 'unchanged') return result;
      if (insight.state !== 'ready') return invalid();
      parts.onKept?.(BYTES);
      return result;
    },
    kept({ id }) {
      const kept = caller && cache.get(keptId(id));
      const entry = kept && keptEntry(kept, clock.now());
      if (kept && entry && entry.due > clock.now()) parts.onKept?.(kept.bytes);
      return entry;
    },
    keep({ id }, { insight, validator, due }) {
      const facts = insight.state === 'ready' ? { facts: insight.value } : {};
      const value = { ...facts, ...(validator !== undefined && { etag: validator }) };
      cache.set([[keptId(id), { value, at: clock.now(), freshUntil: due, bytes: BYTES }]]);
    },
    changed: () => {
      for (const it of [...listeners]) it();
    },
  });

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
        if (now?.identity !== caller?.identity) store.clear();
        caller = now;
        store.changed();
      })
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  }

  const keptId = (id: RepositoryId): string => `code-host ${FORM} ${caller?.identity} ${id}`;
  const insightOf = (id: RepositoryId): Insight<RepositoryFacts> => store.entry({ id, wanted: id }).insight;

  async function lookUp(id: RepositoryId, etag: string | undefined, options: CallOptions): Promise<Result> {
    const send = (path: string): Promise<ApiAnswer> => governor.send(requestOf(path, etag), CORE, options);
    const answer = await send(`repos/${id}`);
    const moved = movedTo(answer, parts.baseUrl());
    return resultOf(moved === undefined ? answer : await send(moved));
  }

  return {
    codeHost: () => caller?.codeHost,
    repository: insightOf,
    request(owner, wanted) {
      if (wanted.length === 0 && !owners.has(owner)) return;
      owners.set(owner, wanted);
      // Each evaluation of a document comes here: it does not ask for the credential each time.
      if (caller && Math.abs(clock.now() - refreshedAt) <= REFRESH_PAUSE) store.pump();
      else refresh().then(() => store.pump());
    },
    release(owner) {
      owners.delete(owner);
    },
    whenSettled(owner, patience, signal) {
      const isSettled = (): boolean =>
        (owners.get(owner) ?? []).every((it) => !it.isAsked || insightOf(it.id).state !== 'pending');
      return store.whenSettled(isSettled, patience, signal);
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    revision: () => store.revision,
    refresh() {
      // The budget may be another one now.
      store.retryOverBudget();
      return refresh().then(() => store.pump());
    },
    expire: () => store.expire(),
    windows: () => governor.windows(),
    async requestWindows(signal) {
      const request: ApiRequest = { ...requestOf('rate_limit'), method: 'codeHost.rateLimit.get' };
      const answer = await governor.send(request, CORE, { priority: 'asked', ...(signal && { signal }) });
      return answer.kind === 'answer' && answer.status === 200 ? governor.windows() : undefined;
    },
    close: () => store.close(),
  };
}

interface Caller {
  readonly identity: string;
  readonly codeHost: CodeHost;
}

type Result = Obtained<RepositoryFacts>;

interface CallOptions {
  readonly priority: CallPriority;
  readonly signal: AbortSignal;
}

/** What may be requested now, with what a person waits for first. */
function wishesIn(all: readonly WantedRepository[], caller: Caller | undefined): readonly Wish<RepositoryId>[] {
  if (!caller) return [];
  const wishes = new Map<RepositoryId, Wish<RepositoryId>>();
  const sound = all.filter((it) => isRepositoryId(it.id));
  for (const { id, isAsked } of sound) if (isAsked) wishes.set(id, { id, wanted: id, priority: 'asked' });
  for (const { id } of caller.codeHost.looksAhead ? sound : [])
    if (!wishes.has(id)) wishes.set(id, { id, wanted: id, priority: 'background' });
  return [...wishes.values()];
}

function requestOf(path: string, etag?: string): ApiRequest {
  return {
    connection: 'code-host',
    method: 'codeHost.repos.get',
    verb: 'GET',
    path,
    headers: { accept: 'application/vnd.github+json', ...(etag !== undefined && { 'if-none-match': etag }) },
    units: 1,
  };
}

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
  if (status === 304) return { kind: 'unchanged', lifetime: repositoryLifetimes.facts };
  if (status === 404 || status === 410) return { kind: 'unknown', lifetime: repositoryLifetimes.unavailable };
  if (status === 200) {
    const facts = readRepository(text);
    if (!facts) return invalid();
    const etag = headers['etag'];
    return {
      kind: 'facts',
      value: facts,
      lifetime: repositoryLifetimes.facts,
      ...(etag !== undefined && { validator: etag }),
    };
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
function keptEntry({ value, at, freshUntil }: StoredAnswer, now: number): KeyedEntry<RepositoryFacts> | undefined {
  if (!isRecord(value)) return undefined;
  const { facts, etag } = value;
  if (facts !== undefined && !isFacts(facts)) return undefined;
  return {
    insight: facts === undefined ? { state: 'unknown', at } : { state: 'ready', value: facts, at },
    // An answer from the future comes from a clock that was set back.
    due: at > now ? 0 : freshUntil,
    failures: 0,
    ...(typeof etag === 'string' && { validator: etag }),
  };
}

function isFacts(it: unknown): it is RepositoryFacts {
  if (!isRecord(it)) return false;
  const areTexts = typeof it['name'] === 'string' && typeof it['url'] === 'string';
  return areTexts && typeof it['isArchived'] === 'boolean' && typeof it['isDisabled'] === 'boolean';
}
