import { messageOf } from '../engine/base/text.ts';
import { parseServiceAddress } from '../engine/model/links.ts';
import { type System, systemNames } from '../engine/model/system.ts';
import { registryClients } from '../engine/registries/clients.ts';
import { createRegistryLookups } from '../engine/registries/lookups.ts';
import { createTransport } from '../engine/registries/transport.ts';
import { canonicalVersion } from '../service/canonical.ts';
import { loadCatalog } from '../service/catalog/load.ts';
import { alone } from '../service/mirror/coordination.ts';
import type { MirrorEvent } from '../service/mirror/events.ts';
import { createMirror } from '../service/mirror/mirror.ts';
import { createUpstream, InvalidUpstream, lifetimes, type UpstreamOptions } from '../service/mirror/upstream.ts';
import { withCatalogInFront } from '../service/registries/catalog-in-front.ts';
import { gatedHttp } from '../service/registries/gate.ts';
import { createRegistryUpstream } from '../service/registries/registry-upstream.ts';
import { rememberingTransport, repliesIn, repliesInMemory } from '../service/registries/replies.ts';
import type { SharedCoordination } from '../service/shared/redis.ts';
import { shownAddress } from '../service/store/address.ts';
import { openStore } from '../service/store/open-store.ts';
import type { Store } from '../service/store/store.ts';
import { createLog, type Log, withoutCredentials } from '../service/team/log.ts';
import type { TeamOptions, TeamService } from '../service/team/options.ts';
import { operatorPages } from '../service/team/pages.ts';
import { InvalidTokens, readTokens } from '../service/team/tokens.ts';

/*
 * A team's service: a store, an upstream service, and what operates them. A bundle of its own, which the terminal program
 * loads for `serve --store` and `serve --upstream` alone. What is printed is for programs, so it is English.
 */

/** @throws `Unusable` for addresses, files and databases that cannot be used */
export async function openTeam(options: TeamOptions): Promise<TeamService> {
  const { clock, version } = options;
  const log = createLog(options.log, clock.now);
  const isAllowed = options.tokens === undefined ? undefined : allowedBy(options.tokens);
  const { createMetrics } = await import('../service/team/metrics.ts');
  const shared = await openShared(options, log);
  const isSharedConnected = () => shared?.isConnected();
  const metrics = createMetrics(isSharedConnected);
  const coordination = shared ?? alone(clock.now, options.upstreamBudget);
  const watch = watchStore(log);
  const observe = (event: MirrorEvent): void => {
    metrics.observe(event);
    watch(event);
  };
  const common = { coordination, clock, observe };
  const catalog = options.registries && (await loadCatalog(options.registries.catalog));
  const store = await open(options, log);
  const isExcerpt = await belongsTo(store, originOf(options));
  const upstream = upstreamOf(options, common, options.store === undefined ? undefined : store);
  const mirror = createMirror({ ...common, store, isExcerpt, ...(upstream && { upstream }) });
  let isDraining = false;
  const pages = operatorPages({ version, store, metrics, isDraining: () => isDraining, isSharedConnected });
  log.info('started', {
    version,
    store: options.store ? shownAddress(options.store) : 'memory',
    upstream: originOf(options) ?? 'none',
    shared: options.shared !== undefined,
    tokens: isAllowed !== undefined,
  });
  return {
    source: catalog ? withCatalogInFront(catalog, mirror, options.registries?.addresses ?? new Map(), clock) : mirror,
    pages,
    ...(isAllowed && { isAllowed }),
    onAnswered(answered) {
      metrics.answered(answered);
      log.info('answered', { ...answered, seconds: Number(answered.seconds.toFixed(4)) });
    },
    onFault: (fault) =>
      log.error('fault', { reason: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) }),
    drain() {
      isDraining = true;
      log.info('draining');
    },
    async close() {
      shared?.close();
      await store.close();
      log.info('ended');
    },
  };
}

/** In lists: a store keeps what they have said. */
const MOST_VERSIONS = 100_000;

/** @param database absent: memory alone */
function upstreamOf(
  options: TeamOptions,
  common: Omit<UpstreamOptions, 'baseUrl' | 'http' | 'random'>,
  database: Store | undefined,
) {
  const { upstream: baseUrl, registries, http, clock } = options;
  const random = Math.random;
  if (registries) {
    const settings = () => ({ privateRegistries: 'ask', offline: false, invalidSettings: [] }) as const;
    const replies = database ? repliesIn(database) : repliesInMemory();
    // A store that cannot be written keeps what it has.
    replies.prune(clock.now()).catch(() => undefined);
    const gated = createTransport({ http: gatedHttp(http, clock), clock, random, settings });
    const transport = rememberingTransport(gated, replies, clock);
    const isSameVersion = (system: System, a: string, b: string): boolean =>
      canonicalVersion(system, a) === canonicalVersion(system, b);
    const lifetime = () => lifetimes.unsaid;
    const lookups = createRegistryLookups({
      clients: registryClients,
      transport,
      clock,
      isSameVersion,
      lifetime,
      mostVersions: MOST_VERSIONS,
    });
    const { accessOf, onProgress } = registries;
    const { observe } = common;
    return createRegistryUpstream({ lookups, accessOf, clock, observe, ...(onProgress && { onProgress }) });
  }
  return baseUrl === undefined ? undefined : usable(() => createUpstream({ baseUrl, http, random, ...common }));
}

/** Where the answers in the store come from. */
function originOf({ upstream, registries }: TeamOptions): string | undefined {
  if (registries === undefined) return upstream;
  return [...(registries.asked ?? registries.addresses)]
    .map(([system, all]) => `${systemNames[system]} ${all.join(' ')}`)
    .join(', ');
}

/** Logs when calls of the database begin to fail, and when they succeed again: the service answers on meanwhile. */
function watchStore(log: Log): (event: MirrorEvent) => void {
  const failing = new Map<string, string>();
  return (event) => {
    if (event.kind !== 'store') return;
    const { call, reason } = event;
    if (reason === undefined) {
      if (failing.delete(call)) log.info('store', { call, ok: true });
    } else if (failing.get(call) !== reason) {
      failing.set(call, reason);
      log.error('store', { call, ok: false, reason });
    }
  };
}

/** What was given cannot be used. The message is for the person. */
class Unusable extends Error {
  /** Programs in other bundles know the error by its name. */
  override readonly name = 'Unusable';
}

function usable<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof InvalidUpstream || error instanceof InvalidTokens) throw new Unusable(error.message);
    throw error;
  }
}

function allowedBy(tokens: string): (authorization: string | undefined) => boolean {
  return usable(() => readTokens(tokens));
}

async function openShared(options: TeamOptions, log: Log): Promise<SharedCoordination | undefined> {
  const { shared: address, upstream, upstreamBudget: budget, clock } = options;
  if (address === undefined || upstream === undefined) return undefined;
  const { openRedis } = await import('../service/shared/redis.ts');
  const onChange = (isConnected: boolean, reason: string): void => {
    if (isConnected) log.info('shared', { connected: true });
    else log.error('shared', { connected: false, reason });
  };
  return openRedis({ address, upstream: parseServiceAddress(upstream) ?? upstream, budget, now: clock.now, onChange });
}

async function open({ store: address }: TeamOptions, log: Log): Promise<Store> {
  try {
    return await openStore(address, (error) => log.error('store', { reason: messageOf(error) }));
  } catch (error) {
    const shown = address === undefined ? 'memory' : shownAddress(address);
    throw new Unusable(`${shown} cannot be used: ${withoutCredentials(messageOf(error))}`);
  }
}

/**
 * A store keeps the answers of one upstream service. Whether it has such answers, although no upstream service is asked
 * now: then it is no evidence of what does not exist.
 */
async function belongsTo(store: Store, baseUrl: string | undefined): Promise<boolean> {
  if (baseUrl === undefined) return (await store.note('upstream')) !== undefined;
  const address = parseServiceAddress(baseUrl) ?? baseUrl;
  const first = await store.setNote('upstream', address);
  if (first !== address)
    throw new Unusable(`the store has the answers of ${first}; another upstream service needs another store`);
  return false;
}
