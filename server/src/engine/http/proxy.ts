import { BlockList, isIPv4, isIPv6 } from 'node:net';
import * as l10n from '@vscode/l10n';
import { isLoopback } from '../base/loopback.ts';
import type { Network } from '../model/network.ts';
import { untrusted } from './errors.ts';
import { createProbe, type Probe } from './probe.ts';
import type { Proxies, ProxySetting } from './proxies.ts';

/** How a host is reached. */
export type ProxyDecision =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'proxy';
      /** `http://host:3128` */
      readonly origin: string;
      /** The value of `Proxy-Authorization`. */
      readonly authorization?: string;
      /** The certificate of the proxy is not verified. */
      readonly anyCertificate?: true;
    }
  | { readonly kind: 'invalid'; readonly reason: string };

/** A decision by which requests can be sent. */
export type UsableProxyDecision = Exclude<ProxyDecision, { readonly kind: 'invalid' }>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxies named by the environment. The lower-case names win, as they do for curl.
 * @param environment the variables by name
 */
export function proxiesOf(environment: Environment): Proxies {
  const read = (name: string): ProxySetting | undefined => {
    const source = [name.toLowerCase(), name].find((it) => environment[it]);
    return source === undefined ? undefined : { address: environment[source] ?? null, source };
  };
  const all = read('ALL_PROXY');
  const [http, https, except] = [read('HTTP_PROXY') ?? all, read('HTTPS_PROXY') ?? all, read('NO_PROXY')?.address];
  return { ...(http && { http }), ...(https && { https }), ...(except && { except }) };
}

/** The proxies of an editor: the same object until its settings change. */
export function followProxies(network: () => Network, environment: Environment): () => Proxies {
  const usual = proxiesOf(environment);
  let now: Network | undefined;
  let proxies = usual;
  return () => {
    const next = network();
    if (next !== now) proxies = proxiesFor(next, usual);
    now = next;
    return proxies;
  };
}

/**
 * The proxies of an editor.
 * @param usual those of the environment; each detail of the editor overrides theirs
 */
function proxiesFor(network: Network, usual: Proxies): Proxies {
  const { proxy: address, noProxy = [], proxyAuthorization: authorization, proxyStrictSSL, proxySupport } = network;
  if (proxySupport === 'off') return usual;
  const proxy = address === undefined ? undefined : { address, source: 'http.proxy' };
  return {
    ...usual,
    ...(proxy && { http: proxy, https: proxy }),
    ...(noProxy.length > 0 && { except: noProxy.join(',') }),
    ...(authorization !== undefined && { authorization }),
    ...(proxyStrictSSL === false && { anyCertificate: true }),
  };
}

/** Decides how `https://host:port` is reached. This machine itself never needs a proxy. */
export function decideProxy(origin: string, proxies: Proxies): ProxyDecision {
  const { protocol, hostname, port } = new URL(origin);
  const proxy = protocol === 'https:' ? proxies.https : proxies.http;
  if (
    proxy === undefined ||
    proxy.address === '' ||
    isLoopback(hostname) ||
    isExcepted(hostname, port || defaultPort(protocol), proxies.except ?? '')
  ) {
    return { kind: 'direct' };
  }
  const url = proxyAt(proxy.address);
  if (url === undefined) return { kind: 'invalid', reason: l10n.t('invalid proxy address in {0}', proxy.source) };
  if (!/^https?:$/.test(url.protocol)) {
    const type = url.protocol.slice(0, -1);
    return { kind: 'invalid', reason: l10n.t('unsupported proxy type in {0}: {1}', proxy.source, type) };
  }
  const authorization = proxies.authorization ?? basic(url);
  return {
    kind: 'proxy',
    origin: url.origin,
    ...(authorization !== undefined && { authorization }),
    ...(proxies.anyCertificate && { anyCertificate: true }),
  };
}

function proxyAt(proxy: ProxySetting['address']): URL | undefined {
  if (proxy === null) return undefined;
  const isWhole = /^[a-z][a-z\d+.-]*:\/\//i.test(proxy);
  // Many people write `proxy.example:3128`; `http:/proxy.example` would be a host named `http`.
  if (!isWhole && !/^[^\s/\\]+\/?$/.test(proxy)) return undefined;
  const address = isWhole ? proxy : `http://${proxy}`;
  return URL.canParse(address) ? new URL(address) : undefined;
}

function basic({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
}

/**
 * `example.org` and `.example.org` match the host and everything below it, `10.0.0.0/8` and `fd00::/8` the addresses of
 * a network. An entry with a port matches that port only.
 */
function isExcepted(hostname: string, port: string, except: string): boolean {
  return except
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((it) => it !== '')
    .some((entry) => {
      if (entry === '*') return true;
      if (entry.includes('/')) return isWithin(hostname, entry);
      // The last part of a bare IPv6 address is not a port.
      const cut = /^(?:[^:]*|\[.*\]):\d+$/.test(entry) ? entry.lastIndexOf(':') : entry.length;
      if (cut < entry.length && entry.slice(cut + 1) !== port) return false;
      const host = entry.slice(0, cut).replace(/^\*?\./, '');
      return hostname === host || hostname === `[${host}]` || hostname.endsWith(`.${host}`);
    });
}

/**
 * Whether a host is an address within a network. Names are not resolved.
 * @param network `10.0.0.0/8`
 */
function isWithin(hostname: string, network: string): boolean {
  const [start = '', length = ''] = network.split('/');
  const [host, first] = [addressOf(hostname), addressOf(start)];
  if (!host || !first || !/^\d{1,3}$/.test(length) || Number(length) > first.bits) return false;
  const networks = new BlockList();
  networks.addSubnet(first.address, Number(length), first.family);
  return networks.check(host.address, host.family);
}

/** Reads `10.0.0.7`, `fd00::1` and `[fd00::1]`. */
function addressOf(text: string) {
  const address = text.replace(/^\[|\]$/g, '');
  if (isIPv4(address)) return { address, family: 'ipv4', bits: 32 } as const;
  // An address with an interface, as in `fe80::1%eth0`, does not belong to a network.
  return isIPv6(address) && !address.includes('%') ? ({ address, family: 'ipv6', bits: 128 } as const) : undefined;
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}

/** A password with a bare `%` stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Why there is no connection to a proxy, as a clause. */
export function notReached(reason: string): string {
  return reason === untrusted() ? reason : l10n.t('the proxy cannot be reached: {0}', reason);
}

/**
 * The reason in an answer of the proxy itself: `the proxy asks for credentials`.
 * @param authorization the credentials that were sent
 */
export function proxyRefusal(status: number, authorization: string | undefined): string {
  if (status !== 407) return l10n.t('the proxy answered with status {0}', status);
  return authorization === undefined
    ? l10n.t('the proxy requires credentials')
    : l10n.t('the proxy rejects the credentials');
}

/**
 * Sends the first request with credentials alone, until the proxy accepts it. A wave of requests with wrong credentials
 * would lock the account.
 */
export interface ProxyAuthProbe<T> {
  /** Calls `send` when it may be sent. If the first request is refused, all that wait get its outcome. */
  send(decision: UsableProxyDecision, send: () => Promise<T>): Promise<T>;
  /** The proxy accepted the credentials, whatever becomes of the request. */
  onAuthorized(decision: UsableProxyDecision): void;
}

export function createProxyAuthProbe<
  T extends { readonly kind: 'received' | 'failure' | 'aborted' },
>(): ProxyAuthProbe<T> {
  const probes = new Map<string, Probe<T>>();

  function probeOf(decision: UsableProxyDecision): Probe<T> {
    const id = JSON.stringify(decision);
    const probe = probes.get(id) ?? createProbe<T>();
    probes.set(id, probe);
    return probe;
  }

  async function sendInTurn(decision: UsableProxyDecision, send: () => Promise<T>): Promise<T> {
    const probe = probeOf(decision);
    let leave = (): void => {};
    const answer = await new Promise<'go' | T>((resolve) => {
      leave = probe.enter(resolve);
    });
    if (answer !== 'go') return answer;
    try {
      const sent = await send();
      if (sent.kind === 'received') probe.admit('all');
      else if (sent.kind === 'failure' && probe.admitted() === 'one') probe.admit('one', sent);
      return sent;
    } finally {
      leave();
    }
  }

  return {
    send: (decision, send) =>
      decision.kind === 'direct' || decision.authorization === undefined ? send() : sendInTurn(decision, send),

    onAuthorized: (decision) => probeOf(decision).admit('all'),
  };
}
