import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { type CircuitBreaker, createCircuitBreaker } from '../../engine/http/circuit-breaker.ts';
import { pauseAfter, retryAfter, wait, waitText } from '../../engine/http/retry.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../engine/http/types.ts';
import type {
  ApiAnswer,
  ApiRequest,
  CallOptions,
  ConnectionName,
  ConnectionSettings,
  ConnectionStatus,
  Connections,
  Credential,
  Hold,
  Holds,
  Ledger,
} from '../../engine/model/connection.ts';
import { CredentialError, connectionNames, readConnectionAddress } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import { authorize, isSendable, redactAnswer } from '../api/credentials.ts';
import { readJson } from '../api/json.ts';
import type { ConnectedHost } from '../model/connected-services.ts';
import { createGate, type Gate } from './gate.ts';

export interface ConnectionsParts extends ConnectedHost {
  readonly http: Pick<Http, 'request'>;
  readonly clock: Clock;
  /** From 0 up to 1, as `Math.random`. */
  readonly random: () => number;
  readonly ledger: Ledger;
  readonly holds: Holds;
}

/** Attempts at a request that changes nothing, the first included. */
const MAX_ATTEMPTS = 3;
/** A service may request a longer wait; it is tried again after a day. In ms. */
const MAX_HOLD = 24 * 3_600_000;
/** The wait, in ms, after a 429 that gives none. */
const DEFAULT_HOLD = 60_000;
const DAY = 24 * 3_600_000;

interface SendParts extends ConnectionsParts {
  readonly gate?: Gate;
  /** Why the next attempt must not be sent. */
  readonly refuse?: () => ApiAnswer | undefined;
  /** Called with each answer before another request may be sent. */
  readonly heed?: (answer: ApiAnswer) => void;
}

/** The end of a budget, in requests and as a share of it: more than other programs send in the second before they are seen. */
const exactFrom = { requests: 100, share: 0.1 } as const;

export function createConnections(parts: ConnectionsParts): Connections {
  const { settings, clock, credentials, ledger, holds } = parts;
  const known = new Map<ConnectionName, Known>();
  /** Requests that are not charged yet. */
  const underWay = new Map<ConnectionName, number>();
  const gates = new Map<ConnectionName, Gate>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const it of [...listeners]) it();
  };

  /** The state of a connection begins anew with its address. */
  function knownOf(name: ConnectionName): Known {
    const { baseUrl } = settings().connections[name];
    const before = known.get(name);
    if (before?.baseUrl === baseUrl) return before;
    const breaker = createCircuitBreaker(clock, parts.random);
    breaker.onDidChangeBackoff(changed);
    const fresh: Known = { baseUrl, breaker };
    known.set(name, fresh);
    return fresh;
  }

  /** Why a request must not be sent now. Asked again before each attempt: what holds may have changed while it waited. */
  function refusalOf(name: ConnectionName, baseUrl: string, identity: string, { priority }: CallOptions) {
    const chosen = settings().connections[name];
    const reason = reasonNotToSend(chosen, settings().offline);
    if (reason !== undefined) return { kind: 'not-connected', reason } as const;
    if (chosen.baseUrl !== baseUrl) return { kind: 'not-connected', reason: l10n.t('not connected') } as const;
    const now = clock.now();
    const held = holds.inForce(name, identity).find((it) => it.scope === '*' && isInForce(it, now));
    if (held) return { kind: 'held', until: held.until, reason: held.reason } as const;
    if (priority !== 'background') return undefined;
    if (!isNearEnd(name, chosen)) return undefined;
    if (ledger.requestsOn(name, now, true) + (underWay.get(name) ?? 0) < chosen.dailyBudget) return undefined;
    return { kind: 'over-budget', until: (Math.floor(now / DAY) + 1) * DAY, reason: budgetText(chosen) } as const;
  }

  /** Whether the budget is about to be spent, so that the counts of all programs must be exact. */
  function isNearEnd(name: ConnectionName, { dailyBudget }: ConnectionSettings): boolean {
    const requests = ledger.requestsOn(name, clock.now()) + (underWay.get(name) ?? 0);
    return requests >= dailyBudget - Math.max(exactFrom.requests, dailyBudget * exactFrom.share);
  }

  const readable = (name: ConnectionName, baseUrl: string): Promise<Credential | undefined> =>
    credentials.read(name, baseUrl).catch(() => undefined);

  async function send(request: ApiRequest, options: CallOptions): Promise<ApiAnswer> {
    const name = request.connection;
    const chosen = settings().connections[name];
    const refusal = reasonNotToSend(chosen, settings().offline);
    if (refusal !== undefined) return { kind: 'not-connected', reason: refusal };
    const read = credentials.read(name, chosen.baseUrl).catch((it: unknown) => new Unreadable(it));
    const credential = await unlessAborted(read, options.signal);
    if (credential === 'aborted') return { kind: 'aborted' };
    if (credential instanceof Unreadable) {
      const { reason } = credential;
      knownOf(name).lastError = { at: clock.now(), reason };
      changed();
      return { kind: 'not-connected', reason };
    }
    const identity = identityOf(chosen.baseUrl, credential?.secret);
    const refuse = (): ApiAnswer | undefined => refusalOf(name, chosen.baseUrl, identity, options);
    const refused = refuse();
    if (refused) return refused;
    const state = knownOf(name);
    const counted: ConnectionsParts['http'] = {
      async request(it) {
        underWay.set(name, (underWay.get(name) ?? 0) + 1);
        try {
          const answer = await parts.http.request(it);
          // Other programs see it at once.
          if (isNearEnd(name, settings().connections[name])) ledger.requestsOn(name, clock.now(), true);
          return answer;
        } finally {
          underWay.set(name, (underWay.get(name) ?? 1) - 1);
        }
      },
    };
    const gate = gates.get(name) ?? createGate();
    gates.set(name, gate);
    const heed = (it: ApiAnswer): void => holdAfter(name, identity, it);
    const sending = { ...parts, http: counted, gate, refuse, heed };
    const answer = redactAnswer(await sendOver(state, chosen, request, options, sending, credential), credential);
    const reason = isAboutConnection(answer) ? errorIn(answer) : undefined;
    if (reason === undefined) delete state.lastError;
    else if (answer.kind !== 'aborted') state.lastError = { at: clock.now(), reason };
    changed();
    return answer;
  }

  function holdAfter(name: ConnectionName, identity: string, answer: ApiAnswer): void {
    const at = clock.now();
    const hold = answer.kind === 'answer' ? requestedHold(answer, at) : undefined;
    // The code host limits each of its resources, and has rules of its own.
    const isOfResource = name === 'code-host' && answer.kind === 'answer' && answer.status === 429;
    if (hold && !isOfResource) holds.set(name, identity, hold);
  }

  return {
    client: (name) => ({
      send,
      async identity() {
        const { baseUrl } = settings().connections[name];
        return identityOf(baseUrl, (await readable(name, baseUrl))?.secret);
      },
    }),
    list: () =>
      Promise.all(
        connectionNames.map(async (name): Promise<ConnectionStatus> => {
          const { baseUrl, dailyBudget, invalid } = settings().connections[name];
          if (baseUrl === '') {
            const lastError = invalid === undefined ? undefined : { at: clock.now(), reason: invalid };
            return { name, hasCredential: false, requestsToday: 0, holds: [], ...(lastError && { lastError }) };
          }
          const { breaker, lastError } = knownOf(name);
          const credential = await readable(name, baseUrl);
          const now = clock.now();
          const backoff = breaker.backoff();
          const inForce = holds
            .inForce(name, identityOf(baseUrl, credential?.secret))
            .filter((it) => isInForce(it, now));
          const outage: Hold[] = backoff ? [{ scope: '*', until: backoff.until, reason: backoff.reason }] : [];
          return {
            name,
            host: new URL(baseUrl).host,
            hasCredential: credential !== undefined,
            requestsToday: ledger.requestsOn(name, now),
            budget: dailyBudget,
            holds: [...inForce, ...outage],
            ...(lastError && { lastError }),
          };
        }),
      ),
    async try(name, baseUrl, credential) {
      if (settings().offline) return { ok: false, reason: l10n.t('working offline') };
      const request: ApiRequest = {
        connection: name,
        method: `${name}.try`,
        verb: 'GET',
        path: probes[name](settings()),
        units: 1,
      };
      const state: Known = { baseUrl, breaker: createCircuitBreaker(clock, parts.random) };
      const chosen = { ...settings().connections[name], baseUrl };
      const sent = await sendOver(state, chosen, request, { priority: 'asked' }, parts, credential);
      const reason = errorIn(redactAnswer(sent, credential)) ?? garbageIn(sent);
      return reason === undefined ? { ok: true } : { ok: false, reason };
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The cheapest request of each service that shows whether it accepts a credential. */
const probes: Readonly<Record<ConnectionName, (settings: ReturnType<ConnectedHost['settings']>) => string>> = {
  'code-host': () => 'rate_limit',
  'link-safety': () => 'v4/threatLists',
  scheduling: () => 'users/me/settings?maxResults=1',
  deployments: ({ deployments: { project } }) => `${encodeURIComponent(project)}/global/types?maxResults=1`,
  'token-audit': () => 'admin/reports/v1/activity/users/all/applications/token?maxResults=1',
};

interface Known {
  readonly baseUrl: string;
  readonly breaker: CircuitBreaker;
  lastError?: NonNullable<ConnectionStatus['lastError']>;
}

/** Distinguishes credentials without disclosing them. */
function identityOf(baseUrl: string, secret: string | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([baseUrl, secret]))
    .digest('base64url')
    .slice(0, 16);
}

class Unreadable {
  readonly reason: string;

  constructor(error: unknown) {
    const general = l10n.t('the credential cannot be read');
    this.reason = error instanceof CredentialError ? `${general}: ${error.message}` : general;
  }
}

function reasonNotToSend({ baseUrl, invalid }: ConnectionSettings, offline: boolean): string | undefined {
  if (invalid !== undefined) return invalid;
  if (baseUrl === '') return l10n.t('not connected');
  return offline ? l10n.t('working offline') : undefined;
}

/** No hold is longer: a later end comes from a clock that was wrong. */
function isInForce({ until }: Hold, now: number): boolean {
  return until > now && until <= now + MAX_HOLD;
}

function budgetText({ dailyBudget }: ConnectionSettings): string {
  return l10n.t('the budget of {0} a day is spent', dailyBudget);
}

/** A person who cancels does not wait for a client that never answers. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | 'aborted'> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => resolve('aborted');
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Requests that change something are sent once; the others again after a failure that may pass. */
async function sendOver(
  { breaker }: Known,
  { baseUrl }: ConnectionSettings,
  request: ApiRequest,
  { priority, signal }: CallOptions,
  { http, clock, random, ledger, gate, refuse, heed }: SendParts,
  credential: Credential | undefined,
): Promise<ApiAnswer> {
  const changesState = request.verb !== 'GET' && request.verb !== 'HEAD' && !isReading(request);
  const address = readConnectionAddress(baseUrl);
  if (address.kind === 'invalid') return { kind: 'not-connected', reason: address.reason };
  if (credential && !isSendable(credential))
    return { kind: 'not-connected', reason: l10n.t('the credential contains characters that cannot be sent') };
  // It can make tokens of every user, so it must not be on a person's machine. Source: the accounting contract, C.
  if (request.connection === 'code-host' && credential?.secret.includes(':'))
    return { kind: 'not-connected', reason: l10n.t('an OAuth client secret is not accepted; use a token') };
  const sent: HttpRequest = {
    ...authorize(request, address, credential),
    ...(changesState && { changesState }),
    ...(signal && { signal }),
    onEnd: (traffic) => {
      const { connection: service, units } = request;
      ledger.charge({ service, at: clock.now(), isSecure: address.origin.startsWith('https:'), units, ...traffic });
    },
  };
  let last: ApiAnswer | undefined;
  for (let attempt = 1; ; attempt++) {
    if ((await gate?.enter(priority, signal)) === 'aborted') return { kind: 'aborted' };
    const attempted = await attemptOne().finally(() => gate?.leave());
    if (attempted.kind === 'refused') return attempted.instead;
    const { fault } = attempted;
    last = attempted.answer;
    const isFinal = fault === undefined || changesState || attempt >= MAX_ATTEMPTS || signal?.aborted === true;
    if (isFinal || breaker.backoff()) return last;
    await wait(clock, pauseAfter(attempt, random), signal);
  }

  async function attemptOne(): Promise<Attempted> {
    const permit = await breaker.acquire(signal);
    if (permit.kind === 'aborted') return { kind: 'refused', instead: permit };
    if (permit.kind === 'refused') return { kind: 'refused', instead: { kind: 'held', ...permit.backoff } };
    const refusal = refuse?.();
    if (refusal) {
      breaker.report({ kind: 'aborted' });
      return { kind: 'refused', instead: last ?? refusal };
    }
    const tracked = breaker.track();
    const answer = await http.request({ ...sent, onConnected: tracked.connected });
    tracked.end();
    const fault = faultIn(answer, clock.now());
    const read = checked(answer, `${baseUrl.replace(/\/+$/, '')}/`);
    breaker.report(
      answer.kind === 'aborted' ? answer : fault === undefined ? { kind: 'success' } : { kind: 'fault', reason: fault },
    );
    heed?.(read);
    return { kind: 'sent', answer: read, fault };
  }
}

/** `fault`: why it may succeed another time. */
type Attempted =
  | { readonly kind: 'sent'; readonly answer: ApiAnswer; readonly fault: string | undefined }
  | { readonly kind: 'refused'; readonly instead: ApiAnswer };

/** Lookups of the link safety service, and questions for free time and permissions, are POST requests that change nothing. */
function isReading({ connection, method }: ApiRequest): boolean {
  return connection === 'link-safety' || /^scheduling\.freebusy\.query$|\.testIamPermissions$/.test(method);
}

function faultIn(answer: HttpAnswer, now: number): string | undefined {
  if (answer.kind === 'failure') return answer.isRetryable ? answer.reason : undefined;
  if (answer.kind !== 'answer' || answer.status < 500 || requestedHold(answer, now)) return undefined;
  return l10n.t('the service answered with status {0}', answer.status);
}

/**
 * A page of a proxy or a login is no answer of the service. A redirect within it is one: a repository was renamed.
 * @param address of the service, with a slash at its end
 */
function checked(answer: HttpAnswer, address: string): ApiAnswer {
  if (answer.kind === 'failure') return { kind: 'failure', reason: answer.reason };
  if (answer.kind === 'aborted') return answer;
  const { status, headers, text } = answer;
  const isWithin = headers['location']?.startsWith(address) === true;
  if (status >= 300 && status < 400 && status !== 304 && !isWithin)
    return { kind: 'failure', reason: l10n.t('the address redirects elsewhere (status {0})', status) };
  const type = headers['content-type'] ?? '';
  if (status < 300 && text !== '' && !/\bjson\b/i.test(type))
    return { kind: 'failure', reason: l10n.t('the answer is not JSON, so it is not from this service') };
  return answer;
}

/** A service that does not know one resource, or has another version of it, is connected as it should be. */
function isAboutConnection(answer: ApiAnswer): boolean {
  return answer.kind !== 'answer' || ![404, 409, 410, 412, 422, 451].includes(answer.status);
}

/** A clause; undefined for a success. */
function errorIn(answer: ApiAnswer): string | undefined {
  if (answer.kind !== 'answer') return answer.kind === 'aborted' ? undefined : answer.reason;
  if (answer.status < 400) return undefined;
  return statusText(answer.status);
}

/** A proxy may cut an answer, or send a page of its own as JSON. */
function garbageIn(answer: ApiAnswer): string | undefined {
  const isGarbage = answer.kind === 'answer' && answer.text !== '' && readJson(answer.text).kind !== 'value';
  return isGarbage ? l10n.t('the answer is not JSON, so it is not from this service') : undefined;
}

/** Why a service refused a request, in words. */
export function statusText(status: number): string {
  if (status === 401) return l10n.t('the service does not accept the credential (status {0})', status);
  if (status === 403) return l10n.t('the service does not permit this (status {0})', status);
  if (status === 404) return l10n.t('the service does not know this (status {0})', status);
  if (status === 429) return l10n.t('the service requested a wait');
  return l10n.t('the service answered with status {0}', status);
}

function requestedHold(answer: Extract<ApiAnswer, { readonly kind: 'answer' }>, now: number): Hold | undefined {
  // The clock of this machine may be wrong; a date and the service's own time belong together.
  const there = Date.parse(answer.headers['date'] ?? '');
  const requested = retryAfter(answer.headers['retry-after'], Number.isNaN(there) ? now : there);
  if (answer.status !== 429 && !(answer.status === 503 && requested !== undefined)) return undefined;
  const until = now + Math.min(requested ?? DEFAULT_HOLD, MAX_HOLD);
  return { scope: '*', until, reason: waitText(requested) };
}
