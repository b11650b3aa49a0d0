import * as l10n from '@vscode/l10n';
import { isLoopback } from '../base/loopback.ts';
import { type CircuitBreaker, createCircuitBreaker } from '../http/circuit-breaker.ts';
import { innerAddress, tooLong } from '../http/errors.ts';
import { type SendResult, send } from '../http/retry.ts';
import { type Http, httpLimits } from '../http/types.ts';
import type { Clock } from '../model/ports.ts';
import type { AskedRegistry, Refusal, RefusalRule } from '../model/registries/access.ts';
import { isInnerHost } from '../model/registries/inner-host.ts';
import type { RegistryReply, RegistryRequest, SendToRegistry } from '../model/registries/registry-client.ts';
import { type Settings, settingThatStopsLookups } from '../model/settings.ts';

export interface TransportParts {
  readonly http: Pick<Http, 'request'>;
  readonly clock: Clock;
  /** From 0 up to 1, as `Math.random`. */
  readonly random: () => number;
  readonly settings: () => Pick<Settings, 'privateRegistries' | 'offline' | 'invalidSettings'>;
}

/** Sends GET requests to private registries. */
export interface Transport {
  sendTo(registry: AskedRegistry, signal: AbortSignal): SendToRegistry;
  /** Sends credentials again that a registry did not accept, and ends back-offs that it did not request. */
  retryNow(): void;
}

/** Redirects of one request. Source: the limit of npm is 20, that of pip 30; a registry needs one or two. */
const MAX_REDIRECTS = 5;
/** Hosts whose circuit breakers are kept. */
const MAX_HOSTS = 200;

/** Packages for which a credential is sent, one after another, while each answer is 403: it may be right, and permit others. */
const MAX_FORBIDDEN = 3;

/** What is known of a credential at an origin. */
type Standing =
  /** One request with it is under way, and all others wait. */
  | { readonly kind: 'open'; readonly done: Promise<void> }
  /** So many answers were 403, and no other one arrived. */
  | { readonly kind: 'forbidden'; readonly times: number }
  | { readonly kind: 'accepted' }
  /** By the status of the answer. */
  | { readonly kind: 'denied'; readonly status: 401 | 403 };

export function createTransport({ http, clock, random, settings }: TransportParts): Transport {
  const breakers = new Map<string, CircuitBreaker>();
  /** By origin and mark of the credential. */
  const standings = new Map<string, Standing>();

  function breakerOf(origin: string): CircuitBreaker {
    const known = breakers.get(origin) ?? createCircuitBreaker(clock, random);
    breakers.delete(origin);
    breakers.set(origin, known);
    const [oldest] = breakers.keys();
    if (breakers.size > MAX_HOSTS && oldest !== undefined) breakers.delete(oldest);
    return known;
  }

  async function get(
    url: URL,
    { accept, conditions, firstBytes }: RegistryRequest,
    authorization: string | undefined,
    isGuarded: boolean,
    signal: AbortSignal,
  ): Promise<SendResult> {
    const { origin, pathname, search } = url;
    const isPart = firstBytes !== undefined;
    const headers = {
      ...(accept !== undefined && { accept }),
      ...conditions,
      ...(isPart && { range: `bytes=0-${firstBytes - 1}`, 'accept-encoding': 'identity' }),
      ...(authorization !== undefined && { authorization }),
    };
    return send(
      { http, breaker: breakerOf(origin), clock, random },
      {
        method: 'GET',
        origin,
        path: pathname + search,
        headers,
        signal,
        ...(isPart && { isBinary: true }),
        ...(isGuarded && { refusesInner: true }),
      },
    );
  }

  /** Sends a credential to one request until it is known to be right: many wrong ones may lock an account. */
  async function withCredential(
    id: string,
    ask: () => Promise<SendResult>,
    signal: AbortSignal,
  ): Promise<SendResult | Extract<Standing, { readonly kind: 'denied' }>> {
    for (;;) {
      const standing = standings.get(id);
      if (standing?.kind === 'denied') return standing;
      if (standing?.kind === 'accepted') break;
      if (standing?.kind !== 'open') return alone(id, standing?.times ?? 0, ask);
      await standing.done;
      if (signal.aborted) return { kind: 'aborted' };
    }
    const answer = await ask();
    if (answer.kind === 'answer' && answer.status === 401) standings.set(id, { kind: 'denied', status: 401 });
    return answer;
  }

  async function alone(id: string, forbidden: number, ask: () => Promise<SendResult>): Promise<SendResult> {
    let end = (): void => {};
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    const open: Standing = { kind: 'open', done };
    standings.set(id, open);
    try {
      const answer = await ask();
      if (standings.get(id) === open) {
        const standing = standingAfter(answer, forbidden);
        if (standing) standings.set(id, standing);
        else standings.delete(id);
      }
      return answer;
    } finally {
      end();
    }
  }

  async function exchange(
    registry: AskedRegistry,
    request: RegistryRequest,
    signal: AbortSignal,
  ): Promise<RegistryReply> {
    const { credential, refusal, from } = registry;
    const closed = reasonNotToSend(settings());
    if (closed !== undefined) return { kind: 'failed', reason: closed };
    if (refusal) return { kind: 'refused', refusal };
    const home = urlOf(registry.address);
    let url = urlOf(request.url);
    if (home === undefined || url === undefined) return refused('unusable-address', from);
    // A name must not go over an open connection if its registry has a safe one.
    if (home.protocol === 'https:' && url.protocol === 'http:') {
      return { kind: 'failed', reason: l10n.t('its index leads to an address without TLS') };
    }
    let hasLeft = false;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const { hostname, origin } = url;
      const isGuarded = registry.namedBy === 'workspace' || hostname !== home.hostname;
      if (isGuarded && isInnerHost(hostname)) return refused('inner-address', from, hostname);
      hasLeft ||= origin !== home.origin;
      const isFor = credential !== undefined && !hasLeft && isWithin(url, home, registry.protocol);
      if (isFor && url.protocol === 'http:' && !isLoopback(hostname)) return refused('plain-http', from, hostname);
      const to = url;
      const ask = (): Promise<SendResult> => get(to, request, isFor ? credential.open() : undefined, isGuarded, signal);
      const answer = isFor ? await withCredential(`${origin} ${credential.mark}`, ask, signal) : await ask();
      if (answer.kind === 'denied')
        return { kind: 'reply', status: answer.status, headers: {}, text: '', url: url.href };
      if (answer.kind === 'aborted') return answer;
      if (answer.kind === 'refused') return { kind: 'failed', reason: answer.backoff.reason };
      if (answer.kind === 'failure') {
        if (answer.reason === innerAddress()) return refused('inner-address', from, hostname);
        const isTooLarge = answer.reason === tooLong(httpLimits).reason;
        return { kind: 'failed', reason: answer.reason, ...(isTooLarge && { isTooLarge }) };
      }
      const { status, headers, text } = answer;
      // No credential went there, so it says nothing about that of the registry.
      if (hasLeft && (status === 401 || status === 403)) {
        return { kind: 'failed', reason: l10n.t('it leads to {0}, which answers with HTTP {1}', url.host, status) };
      }
      const { location } = headers;
      if (location === undefined || !isRedirect(status)) {
        return { kind: 'reply', status, headers, text, url: url.href };
      }
      const next = urlOf(location, url);
      if (next === undefined) return { kind: 'failed', reason: l10n.t('it redirects to an invalid address') };
      if (url.protocol === 'https:' && next.protocol === 'http:') {
        return { kind: 'failed', reason: l10n.t('it redirects from https to http') };
      }
      url = next;
    }
    return { kind: 'failed', reason: l10n.t('it redirects more than {0} times', MAX_REDIRECTS) };
  }

  return {
    sendTo: (registry, signal) => (request) => exchange(registry, request, signal),
    retryNow() {
      for (const [id, it] of standings) if (it.kind === 'denied' || it.kind === 'forbidden') standings.delete(id);
      for (const it of breakers.values()) it.retryNow();
    },
  };
}

/** @param forbidden how many answers before were 403 */
function standingAfter(answer: SendResult, forbidden: number): Standing | undefined {
  if (answer.kind !== 'answer' || answer.status >= 500) {
    return forbidden > 0 ? { kind: 'forbidden', times: forbidden } : undefined;
  }
  switch (answer.status) {
    case 401:
      return { kind: 'denied', status: 401 };
    case 403:
      return forbidden + 1 < MAX_FORBIDDEN
        ? { kind: 'forbidden', times: forbidden + 1 }
        : { kind: 'denied', status: 403 };
    default:
      return { kind: 'accepted' };
  }
}

function reasonNotToSend(settings: ReturnType<TransportParts['settings']>): string | undefined {
  const closed = settingThatStopsLookups(settings)?.reason;
  if (closed !== undefined) return closed;
  if (settings.offline) return l10n.t('working offline');
  return settings.privateRegistries === 'ask' ? undefined : l10n.t('private registries are not asked');
}

/** An address over http without user and password; undefined for any other one. */
function urlOf(address: string, base?: URL): URL | undefined {
  if (!URL.canParse(address, base?.href)) return undefined;
  const url = new URL(address, base?.href);
  const isPlain = url.username === '' && url.password === '';
  return isPlain && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined;
}

/**
 * Whether the client of a registry sends its credential to an address at the same origin. npm's belongs to a path; the
 * other clients' to a host.
 */
function isWithin(url: URL, home: URL, protocol: AskedRegistry['protocol']): boolean {
  if (url.origin !== home.origin) return false;
  const path = home.pathname.replace(/\/*$/, '/');
  return protocol !== 'npm' || `${url.pathname}/`.startsWith(path);
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

function refused(rule: RefusalRule, from: string, detail?: string): RegistryReply {
  const refusal: Refusal = { rule, from, ...(detail !== undefined && { detail }) };
  return { kind: 'refused', refusal };
}
