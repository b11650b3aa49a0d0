import * as l10n from '@vscode/l10n';
import type { Insight } from '../facts.ts';
import { type PackageKey, packageId } from '../keys.ts';
import type { Lookup, Lookups } from '../lookups.ts';
import type { ConnectedInsights, FactChange, Wanted } from '../ports.ts';
import { forgetAccesses } from './asked-registries.ts';
import type { PrivateFact, PrivateFacts } from './private-facts.ts';

/**
 * Adds the facts of private registries, which are loaded when the first one is requested. A key with `registry` reaches
 * nothing but them.
 *
 * @param isAsking whether the settings permit it. Once they do not, `reconnect` drops all facts and credentials.
 */
export function joinPrivateFacts(
  packages: ConnectedInsights,
  load: () => Promise<PrivateFacts | undefined>,
  isAsking: () => boolean,
): ConnectedInsights {
  let joined: PrivateFacts | undefined;
  /** Of facts that were dropped: a revision never returns. */
  let formerRevisions = 0;
  let loading: Promise<void> | undefined;
  let isClosed = false;
  const early = new Map<
    string,
    { readonly wanted: readonly PrivateFact[]; readonly background: readonly PrivateFact[] }
  >();
  const listeners = new Set<(change: FactChange) => void>();

  /** By `spellingOf`, without the registry. Names that both were asked about are public ones of a mirror. */
  const privateNames = new Set<string>();
  const publicNames = new Set<string>();

  function recordNames(wanted: readonly Wanted[]): void {
    for (const it of wanted) {
      if ('id' in it) continue;
      const { system, name, registry } = it.key;
      if (registry !== undefined) privateNames.add(spellingOf({ system, name }));
      else if (privateNames.size > 0) publicNames.add(spellingOf({ system, name }));
    }
  }

  function isPrivateName(key: PackageKey): boolean {
    if (isPrivate(key)) return true;
    if (privateNames.size === 0) return false;
    const id = spellingOf(key);
    return privateNames.has(id) && !publicNames.has(id);
  }

  async function join(): Promise<void> {
    const facts = await load();
    if (facts === undefined) return;
    if (isClosed || !isAsking()) return facts.close();
    joined = facts;
    facts.onDidChange((isSettled) => {
      for (const it of [...listeners]) it({ kind: 'changed', isSettled });
    });
    for (const [owner, { wanted, background }] of early) facts.request(owner, wanted, background);
    early.clear();
  }

  function request(owner: string, wanted: readonly PrivateFact[], background: readonly PrivateFact[]): void {
    if (joined) joined.request(owner, wanted, background);
    else if (wanted.length + background.length === 0) early.delete(owner);
    else {
      early.set(owner, { wanted, background });
      loading ??= join();
      // The next request tries again.
      loading.catch(() => {
        loading = undefined;
      });
    }
  }

  function drop(): void {
    formerRevisions += (joined?.revision() ?? 0) + 1;
    joined?.close();
    joined = undefined;
    loading = undefined;
    early.clear();
    forgetAccesses();
  }

  const lookups: Lookups = {
    requirements: async (key, signal) => (isPrivateName(key) ? notGiven() : packages.lookups.requirements(key, signal)),
    knownRequirements: (key) => (isPrivateName(key) ? undefined : packages.lookups.knownRequirements(key)),
    query: async (query, signal) =>
      query.version && isPrivateName(query.version) ? notGiven() : packages.lookups.query(query, signal),
    purl: async (purl, signal) => (isPrivateName(purl.key) ? notGiven() : packages.lookups.purl(purl, signal)),
  };

  return {
    ...packages,
    isPrivateName,
    version: (key) => (isPrivate(key) ? (joined?.version(key) ?? pending) : packages.version(key)),
    package: (key) => (isPrivate(key) ? (joined?.package(key) ?? pending) : packages.package(key)),
    requirements: (key) => (isPrivate(key) ? noRequirements : packages.requirements(key)),
    request(owner, wanted, background = [], isFollowUp = false) {
      recordNames(wanted);
      recordNames(background);
      request(owner, wanted.filter(isPrivateFact), background.filter(isPrivateFact));
      packages.request(owner, wanted.filter(isPublic), background.filter(isPublic), isFollowUp);
    },
    requestAlso(owner, wanted, isMore) {
      recordNames(wanted);
      const own = wanted.filter(isPrivateFact);
      if (joined) joined.requestAlso(owner, own);
      else if (own.length > 0) {
        const before = early.get(owner);
        request(owner, [...(before?.wanted ?? []), ...own], before?.background ?? []);
      }
      packages.requestAlso(owner, wanted.filter(isPublic), isMore);
    },
    release(owner) {
      early.delete(owner);
      joined?.release(owner);
      packages.release(owner);
    },
    prioritize(owner, inView) {
      joined?.prioritize(inView);
      packages.prioritize(owner, inView);
    },
    async whenSettled(owner, patience, signal) {
      if (early.has(owner)) await loading?.catch(() => undefined);
      await Promise.all([packages.whenSettled(owner, patience, signal), joined?.whenSettled(owner, patience, signal)]);
    },
    onDidChange(listener) {
      listeners.add(listener);
      const unsubscribe = packages.onDidChange(listener);
      return () => {
        listeners.delete(listener);
        unsubscribe();
      };
    },
    revision: () => packages.revision() + formerRevisions + (joined?.revision() ?? 0),
    reconnect() {
      packages.reconnect();
      if (loading !== undefined && !isAsking()) drop();
    },
    expire() {
      packages.expire();
      joined?.expire();
    },
    lookups,
    async close() {
      isClosed = true;
      joined?.close();
      await packages.close();
    },
  };
}

const pending: Insight<never> = { state: 'pending' };

/** One object for all, since evaluations compare insights. Its text is made when it is read. */
const noRequirements: Insight<never> = {
  state: 'failed',
  at: 0,
  get reason() {
    return l10n.t('private registries do not report requirements');
  },
};

function notGiven(): Extract<Lookup<never>, { readonly kind: 'failed' }> {
  return { kind: 'failed', reason: l10n.t('it comes from a private registry, which does not report this') };
}

/** One text for all spellings that a person would take for the same name. */
function spellingOf(key: PackageKey): string {
  return packageId(key).toLowerCase().replaceAll('_', '-');
}

function isPrivate({ registry }: PackageKey): boolean {
  return registry !== undefined;
}

function isPrivateFact(wanted: Wanted): wanted is PrivateFact {
  return (wanted.kind === 'version' || wanted.kind === 'package') && isPrivate(wanted.key);
}

/** Whether the public service, or a code host, may be asked. */
function isPublic(wanted: Wanted): boolean {
  return 'id' in wanted || !isPrivate(wanted.key);
}
