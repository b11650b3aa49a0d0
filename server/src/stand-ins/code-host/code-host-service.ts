import { createHash } from 'node:crypto';
import type { Clock } from '../../engine/model/ports.ts';
import { POINTS_PER_MINUTE, pointsOf, primaryLimit } from './limits.ts';

/** A repository that the service knows. */
export interface ServedRepository {
  readonly id: number;
  /** `lodash/lodash` */
  readonly fullName: string;
  /** Names that lead here. */
  readonly formerNames?: readonly string[];
  readonly archived?: boolean;
  readonly disabled?: boolean;
  /** `2024-01-31T00:00:00Z`; absent if it is unknown, or nothing was pushed. */
  readonly pushedAt?: string;
  /** Absent if it is unknown. */
  readonly openIssues?: number;
  /** SPDX identifier. */
  readonly license?: string;
  /** Access is blocked for legal reasons. */
  readonly isBlocked?: boolean;
}

export interface CodeHostServiceOptions {
  readonly repositories: readonly ServedRepository[];
  readonly clock: Clock;
  /** The host of the web pages: `github.com`. */
  readonly host: string;
  /** Whether a token is valid; absent where each is. */
  readonly accepts?: (token: string) => boolean;
  readonly limits?: Partial<CodeHostLimits>;
}

export interface CodeHostLimits {
  /** Requests an hour of one network address without a token. */
  readonly anonymous: number;
  /** Requests an hour of one token. */
  readonly user: number;
  readonly pointsPerMinute: number;
  /** The status of a refusal: the contract allows both. */
  readonly status: 403 | 429;
  /** Whether a secondary limit names the wait. */
  readonly namesWait: boolean;
}

/** One request, as a server received it. */
export interface ServedRequest {
  readonly method: string;
  /** Path and query of the request line. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The network address of the caller. */
  readonly address: string;
}

export interface ServedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; empty for a 304. */
  readonly body: string;
}

export interface CodeHostService {
  /** Undefined for a path that belongs to another service. */
  answer(request: ServedRequest): ServedReply | undefined;
}

const defaults: CodeHostLimits = {
  anonymous: primaryLimit({ kind: 'anonymous' }).perHour,
  user: primaryLimit({ kind: 'user' }).perHour,
  pointsPerMinute: POINTS_PER_MINUTE,
  status: 403,
  namesWait: true,
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The resource of the rate limits that these calls count against. */
const RESOURCE = 'core';

/** The calls of a code host that we use, with both kinds of limits. Each caller has a window of its own. */
export function createCodeHostService({
  repositories,
  clock,
  host,
  accepts = () => true,
  limits: given,
}: CodeHostServiceOptions): CodeHostService {
  const limits = { ...defaults, ...given };
  const byName = new Map<string, ServedRepository>();
  const former = new Map<string, ServedRepository>();
  for (const it of repositories) {
    byName.set(it.fullName.toLowerCase(), it);
    for (const name of it.formerNames ?? []) former.set(name.toLowerCase(), it);
  }
  const byId = new Map(repositories.map((it) => [`${it.id}`, it]));
  const callers = new Map<string, CallerState>();

  function callerOf(name: string, limit: number): CallerState {
    const now = clock.now();
    const known = callers.get(name);
    if (known && known.reset > now) return known;
    // A window begins with its first request and ends at a whole second.
    const reset = Math.ceil((now + HOUR) / 1000) * 1000;
    const fresh = { limit, used: 0, reset, spent: known?.spent ?? [] };
    callers.set(name, fresh);
    return fresh;
  }

  /** The wait in ms if a request exceeds the points of a minute. */
  function secondaryWait(caller: CallerState, points: number): number | undefined {
    const now = clock.now();
    caller.spent = caller.spent.filter((it) => it.at + MINUTE > now);
    const spent = caller.spent.reduce((sum, it) => sum + it.points, 0);
    const [oldest] = caller.spent;
    if (spent + points > limits.pointsPerMinute) return oldest ? oldest.at + MINUTE - now : MINUTE;
    caller.spent.push({ at: now, points });
    return undefined;
  }

  function repositoryReply(found: ServedRepository | undefined, base: string, name?: string): Draft {
    if (!found) {
      const moved = name === undefined ? undefined : former.get(name.toLowerCase());
      if (!moved) return { status: 404, body: { message: 'Not Found' } };
      const url = `${base}/repositories/${moved.id}`;
      return { status: 301, body: { message: 'Moved Permanently', url }, headers: { location: url } };
    }
    if (found.isBlocked)
      return { status: 451, body: { message: 'Repository access blocked', block: { reason: 'dmca' } } };
    return { status: 200, body: repositoryBody(found, host, base) };
  }

  return {
    answer({ method, target, headers, address }) {
      const route = routeOf(target, host);
      if (!route) return undefined;
      const token = /^(?:bearer|token) +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
      const isUser = token !== undefined && accepts(token);
      const caller = isUser
        ? callerOf(`token ${token}`, limits.user)
        : callerOf(`address ${address}`, limits.anonymous);
      const render = (draft: Draft): ServedReply => rendered(draft, caller, clock.now());
      const wait = secondaryWait(caller, pointsOf(method));
      if (wait !== undefined) {
        const named: Record<string, string> = limits.namesWait ? { 'retry-after': `${Math.ceil(wait / 1000)}` } : {};
        return render({ status: limits.status, body: { message: SECONDARY_TEXT }, headers: named });
      }
      if (headers['authorization'] !== undefined && !isUser)
        return render({ status: 401, body: { message: 'Bad credentials' } });
      // It does not count against the primary limit.
      if (route.kind === 'rate_limit') return render({ status: 200, body: rateLimitBody(caller) });
      if (caller.used >= caller.limit) {
        const whose = isUser ? 'user' : address;
        return render({ status: limits.status, body: { message: `API rate limit exceeded for ${whose}.` } });
      }
      const base = `http://${headers['host'] ?? 'localhost'}${route.prefix}`;
      const draft =
        method !== 'GET' && method !== 'HEAD'
          ? { status: 405, body: { message: 'Method Not Allowed' } }
          : route.kind === 'id'
            ? repositoryReply(byId.get(route.id), base)
            : repositoryReply(byName.get(route.name.toLowerCase()), base, route.name);
      const etag = draft.status === 200 ? etagOf(draft.body) : undefined;
      // A 304 is free.
      if (etag !== undefined && headers['if-none-match'] === etag) return render({ status: 304, headers: { etag } });
      caller.used++;
      return render(etag === undefined ? draft : { ...draft, headers: { etag } });
    },
  };
}

const SECONDARY_TEXT = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';

interface CallerState {
  readonly limit: number;
  used: number;
  /** In ms since the epoch. */
  readonly reset: number;
  /** The points of the last minute, oldest first. */
  spent: { readonly at: number; readonly points: number }[];
}

interface Draft {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

type Route =
  | { readonly kind: 'rate_limit'; readonly prefix: string }
  | { readonly kind: 'name'; readonly prefix: string; readonly name: string }
  | { readonly kind: 'id'; readonly prefix: string; readonly id: string };

/** The paths may follow the host that the service answers for: `/github.com/repos/lodash/lodash`. */
function routeOf(target: string, host: string): Route | undefined {
  const [path = ''] = target.split('?');
  const prefix = path.startsWith(`/${host}/`) ? `/${host}` : '';
  const [kind, ...rest] = path.slice(prefix.length + 1).split('/');
  if (kind === 'rate_limit' && rest.length === 0) return { kind, prefix };
  if (kind === 'repos' && rest.length === 2) return { kind: 'name', prefix, name: rest.join('/') };
  const [id = ''] = rest;
  return kind === 'repositories' && rest.length === 1 ? { kind: 'id', prefix, id } : undefined;
}

function rendered({ status, body, headers = {} }: Draft, caller: CallerState, now: number): ServedReply {
  const { limit, used, reset } = caller;
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      date: new Date(now).toUTCString(),
      'x-ratelimit-limit': `${limit}`,
      'x-ratelimit-remaining': `${limit - used}`,
      'x-ratelimit-used': `${used}`,
      'x-ratelimit-reset': `${reset / 1000}`,
      'x-ratelimit-resource': RESOURCE,
      ...headers,
    },
    body: body ? JSON.stringify(body) : '',
  };
}

function rateLimitBody({ limit, used, reset }: CallerState): object {
  const core = { limit, used, remaining: limit - used, reset: reset / 1000 };
  return { resources: { [RESOURCE]: core }, rate: core };
}

function repositoryBody(it: ServedRepository, host: string, base: string): object {
  const [owner = '', name = ''] = it.fullName.split('/');
  return {
    id: it.id,
    name,
    full_name: it.fullName,
    owner: { login: owner },
    private: false,
    html_url: `https://${host}/${it.fullName}`,
    url: `${base}/repos/${it.fullName}`,
    archived: it.archived === true,
    disabled: it.disabled === true,
    pushed_at: it.pushedAt ?? null,
    ...(it.openIssues !== undefined && { open_issues_count: it.openIssues }),
    license: it.license === undefined ? null : { key: it.license.toLowerCase(), spdx_id: it.license },
  };
}

function etagOf(body: object | undefined): string {
  return `"${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 32)}"`;
}
