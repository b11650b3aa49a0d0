import { KeyedStore, type Obtained } from '../facts/store/keyed-store.ts';
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
/** No setting allows a longer lifetime. In ms. */
const LONGEST = 31 * 24 * HOUR;
/** Facts that are kept although nothing wants them at the moment. */
const MAX_ENTRIES = 20_000;

/** What an owner wants. Maps, since an owner may name a fact twice. */
interface Owner {
  readonly urgent: Map<string, PrivateFact>;
  readonly background: Map<string, PrivateFact>;
}

/** The facts of packages that private registries have, kept apart by the list of registries and their credentials. */
export function createPrivateFacts(parts: PrivateStoreParts): PrivateFacts {
  const { clients, transport, clock, random, settings, accessOf, isSameVersion } = parts;
  const owners = new Map<string, Owner>();
  const lookups = createRegistryLookups({ clients, transport, clock, isSameVersion, lifetime });
  const listeners = new Set<(isSettled: boolean) => void>();
  let inView: ReadonlySet<string> = new Set();
  let cancelChange: (() => void) | undefined;

  const store = new KeyedStore<PrivateFact, unknown>({
    clock,
    random,
    retry: privateLifetimes.retry,
    longest: LONGEST,
    maxEntries: MAX_ENTRIES,
    wishes() {
      const wanted = wantedNow();
      store.abort(({ id }) => !wanted.has(id));
      return [...wanted].map(([id, it]) => ({ id, wanted: it, priority: 'background' }));
    },
    hasPlace({ wanted }, underWay) {
      const host = hostOf(wanted.key);
      return [...underWay].filter((it) => hostOf(it.wanted.key) === host).length < MAX_PER_HOST;
    },
    // A fresh fact is asked for again when a document is looked at; a failed one by itself.
    renews: (_, { insight }) => insight.state === 'failed',
    obtain: async ({ wanted }, _, signal) => obtained(await lookUp(wanted, signal)),
    changed() {
      cancelChange ??= clock.after(CHANGE_PAUSE_MS, () => {
        cancelChange = undefined;
        for (const it of [...listeners]) it(store.isIdle);
      });
    },
  });

  function lifetime(): number {
    const { min, max } = settings().freshness;
    return Math.min(max * MINUTE, Math.max(min * MINUTE, privateLifetimes.facts));
  }

  function lookUp({ kind, key }: PrivateFact, signal: AbortSignal): Promise<Outcome<unknown>> {
    const access = accessOf(key.registry ?? '');
    const asked =
      kind === 'package' ? lookups.list(access, key, signal).then(factsOf) : lookups.version(access, key, signal);
    return asked.catch((error: unknown): Failure => ({ kind: 'failed', reason: String(error) }));
  }

  function obtained(outcome: Outcome<unknown>): Obtained<unknown> {
    switch (outcome.kind) {
      case 'aborted':
        return outcome;
      case 'failed': {
        const { reason, isDenied } = outcome;
        return { kind: 'failed', reason, ...(isDenied && { until: clock.now() + privateLifetimes.denied }) };
      }
      case 'absent':
        return { kind: 'unknown', lifetime: privateLifetimes.unknown };
      case 'found':
        return { kind: 'facts', value: outcome.value, lifetime: lifetime() };
    }
  }

  function read<T>(wanted: PrivateFact): Insight<T> {
    return store.peek(wantedId(wanted)) as Insight<T>;
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

  function hostOf({ registry = '' }: PackageKey): string {
    const [first] = accessOf(registry)?.registries ?? [];
    return first ? hostOfRegistry(first) : '';
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
      store.pump();
    },
    requestAlso(owner, wanted) {
      if (wanted.length === 0) return;
      const before = owners.get(owner) ?? { urgent: new Map(), background: new Map() };
      for (const [id, it] of byId(wanted)) before.urgent.set(id, it);
      owners.set(owner, before);
      store.pump();
    },
    release(owner) {
      if (owners.delete(owner)) store.pump();
    },
    prioritize(packages) {
      inView = packages;
    },
    whenSettled: (owner, patience, signal) => store.whenSettled(() => isSettled(owner), patience, signal),
    onDidChange(listener) {
      listeners.add(listener);
    },
    revision: () => store.revision,
    expire() {
      transport.retryNow();
      lookups.forget();
      store.expire();
    },
    close() {
      store.close();
      cancelChange?.();
    },
  };
}

function factsOf(outcome: Outcome<Listing>): Outcome<PackageFacts> {
  return outcome.kind === 'found' ? { kind: 'found', value: outcome.value.facts } : outcome;
}

function byId(wanted: readonly PrivateFact[]): Map<string, PrivateFact> {
  return new Map(wanted.map((it) => [wantedId(it), it]));
}
