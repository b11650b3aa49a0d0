import type { ConnectedInsights, FactChange, ServiceFact, Wanted } from '../../engine/model/ports.ts';
import type { Repositories, WantedRepository } from '../../engine/model/signals/repository.ts';

/** Facts of packages, and those of repositories once a code host is connected. */
export interface JoinedInsights {
  readonly insights: ConnectedInsights;
  join(repositories: Repositories): void;
}

/**
 * Adds the facts of repositories to those of packages. Costs nothing until they are joined.
 * @param isAsked whether a person waits for all of them, as in the terminal
 */
export function joinRepositories(packages: ConnectedInsights, isAsked = false): JoinedInsights {
  let joined: Repositories | undefined;
  const listeners = new Set<(change: FactChange) => void>();

  function requestRepositories(owner: string, wanted: readonly Wanted[]): void {
    const repositories = wanted.filter(isRepository);
    joined?.request(owner, isAsked ? repositories.map((it) => ({ ...it, isAsked })) : repositories);
  }

  const insights: ConnectedInsights = {
    ...packages,
    codeHost: () => joined?.codeHost(),
    repository: (id) => joined?.repository(id) ?? { state: 'pending' },
    request(owner, wanted, background, isFollowUp) {
      if (!joined) return packages.request(owner, wanted, background, isFollowUp);
      requestRepositories(owner, [...wanted, ...(background ?? [])]);
      packages.request(owner, wanted.filter(isOfPackage), background?.filter(isOfPackage), isFollowUp);
    },
    // The first facts of a document: its repositories can wait.
    requestAlso: (owner, wanted, isMore) =>
      packages.requestAlso(owner, joined ? wanted.filter(isOfPackage) : wanted, isMore),
    release(owner) {
      joined?.release(owner);
      packages.release(owner);
    },
    async whenSettled(owner, patience, signal) {
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
    revision: () => packages.revision() + (joined?.revision() ?? 0),
    expire() {
      packages.expire();
      joined?.expire();
    },
    async close() {
      joined?.close();
      await packages.close();
    },
  };

  return {
    insights,
    join(repositories) {
      joined = repositories;
      repositories.onDidChange(() => {
        for (const it of [...listeners]) it({ kind: 'changed', isSettled: false });
      });
    },
  };
}

function isRepository(wanted: Wanted): wanted is WantedRepository {
  return wanted.kind === 'repository';
}

function isOfPackage(wanted: Wanted): wanted is ServiceFact {
  return wanted.kind !== 'repository';
}
