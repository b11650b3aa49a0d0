import type { VersionFacts } from '../../engine/model/facts.ts';
import type { PackageKey, VersionKey } from '../../engine/model/keys.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { Access } from '../../engine/model/registries/access.ts';
import type { Listing, Outcome, RegistryLookups } from '../../engine/registries/lookups.ts';
import { packageAnswer, requirementsAnswer, versionAnswer } from '../cached-source.ts';
import { createCollector } from '../mirror/collector.ts';
import type { MirrorEvent } from '../mirror/events.ts';
import { type Asked, lifetimes, type Upstream } from '../mirror/upstream.ts';
import type { Fact, FactAnswer, FileMatch } from '../store/store.ts';
import { gateLimits } from './gate.ts';

export interface RegistryUpstreamOptions {
  readonly lookups: RegistryLookups;
  /** The registries of a package, as its client asks them; undefined without one. */
  readonly accessOf: (key: PackageKey) => Access | undefined;
  readonly clock: Clock;
  readonly observe: (event: MirrorEvent) => void;
  readonly onProgress?: (progress: AskingProgress) => void;
}

/** Questions to registries since the start. */
export interface AskingProgress {
  readonly asked: number;
  readonly waiting: number;
  readonly failed: number;
}

type ListedFact = Extract<Fact, { readonly kind: 'package' | 'version' | 'requirements' }>;

/** Questions at the same time for one system: as many as requests to one host. */
const limits = { most: 1, parallel: gateLimits.toOneHost, waiting: 20_000 } as const;

/** In ms, that a request waits for one package. What arrives later answers the next request. */
const PATIENCE = gateLimits.place;
/** In ms: then a request ends. */
const GIVE_UP = 30_000;
/** In seconds, until a failed question is worth another attempt. */
const RETRY_AFTER = 5;

/** Asks the registries of this machine's clients. They know versions, licenses, deprecations and requirements. */
export function createRegistryUpstream(options: RegistryUpstreamOptions): Upstream {
  const { lookups, accessOf, clock, observe, onProgress } = options;
  const counts = { asked: 0, waiting: 0, failed: 0 };
  const bySystem = new Map<string, (fact: ListedFact) => Promise<Asked>>();

  function questionsOf(system: string): (fact: ListedFact) => Promise<Asked> {
    const before = bySystem.get(system);
    if (before) return before;
    const questions = createCollector(limits, ([fact]: readonly ListedFact[]) =>
      Promise.all(fact ? [Promise.race([answerTo(fact), late(fact)])] : []),
    );
    bySystem.set(system, questions);
    return questions;
  }

  function late({ key }: ListedFact): Promise<Asked> {
    const reason = `its registry has not answered within ${PATIENCE / 1000} s: ${key.name}`;
    return new Promise((resolve) => void clock.after(PATIENCE, () => resolve(failed(reason))));
  }

  async function answerTo(fact: ListedFact): Promise<Asked> {
    const access = accessOf(fact.key);
    if (access === undefined) return { kind: 'not kept' };
    const abort = new AbortController();
    const stop = clock.after(GIVE_UP, () => abort.abort());
    try {
      if (fact.kind === 'package')
        return asked(await lookups.list(access, fact.key, abort.signal), ({ facts }: Listing) =>
          packageAnswer({ ...facts, key: fact.key }),
        );
      if (fact.kind === 'requirements')
        return asked(await lookups.requirements(access, fact.key, abort.signal), requirementsAnswer);
      const version = asked(await lookups.version(access, fact.key, abort.signal), (facts: VersionFacts) =>
        versionAnswer(listed(fact.key, facts)),
      );
      const isFound = version.kind === 'answer' && version.body !== undefined;
      return isFound ? { ...version, also: filesOf(fact.key) } : version;
    } finally {
      stop();
    }
  }

  /** By its digests, a file of a version that was looked up leads to the version. */
  function filesOf(key: VersionKey): FactAnswer[] {
    return lookups.artifacts(key).flatMap(({ url, digests }) =>
      digests.map((it) => {
        const match: FileMatch = { versionKey: key, artifacts: url === undefined ? [] : [url] };
        const answer = { body: JSON.stringify([match]), asOf: clock.now(), lifetime: lifetimes.most };
        return { fact: { kind: 'file', ...it }, answer };
      }),
    );
  }

  return {
    async ask(fact) {
      if (!isListed(fact) || accessOf(fact.key) === undefined) return { kind: 'not kept' };
      const began = clock.now();
      counts.asked++;
      counts.waiting++;
      onProgress?.({ ...counts });
      const answer = await questionsOf(fact.key.system)(fact).catch((error: unknown) => failed(String(error)));
      counts.waiting--;
      if (answer.kind === 'failed') counts.failed++;
      onProgress?.({ ...counts });
      observe({ kind: 'upstream', outcome: answer.kind, seconds: (clock.now() - began) / 1000 });
      return answer;
    },
  };
}

function isListed(fact: Fact): fact is ListedFact {
  return fact.kind === 'package' || fact.kind === 'version' || fact.kind === 'requirements';
}

/** What a registry says of a version: a claim of its publisher, and nothing about vulnerabilities. */
function listed(key: VersionKey, facts: VersionFacts): VersionFacts {
  const { system, name } = key;
  const provenances = facts.provenances.map((it) => ({ ...it, verified: false }));
  return { ...facts, key: { system, name, version: facts.version }, provenances, areAdvisoriesUnknown: true };
}

function asked<T>(outcome: Outcome<T>, write: (value: T) => object): Asked {
  switch (outcome.kind) {
    case 'found':
      return { kind: 'answer', body: JSON.stringify(write(outcome.value)), lifetime: lifetimes.unsaid };
    case 'absent':
      return { kind: 'answer', body: undefined, lifetime: lifetimes.unknown };
    case 'failed':
      return failed(outcome.reason);
    case 'aborted':
      return failed('its registry has not answered');
  }
}

function failed(reason: string): Asked {
  return { kind: 'failed', reason, retryAfter: RETRY_AFTER };
}
