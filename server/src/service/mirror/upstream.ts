import { createEndpoints, type Endpoints } from '../../engine/facts/service/endpoints.ts';
import {
  type Fields,
  fieldsAmong,
  fieldsOf,
  knownObjects,
  objects,
  requiredInner,
  text,
} from '../../engine/facts/service/fields.ts';
import { readAdvisory, readPackage, readVersion, versionKey } from '../../engine/facts/service/read-answers.ts';
import { requirementsReader } from '../../engine/facts/service/read-requirements.ts';
import { readProject, readSimilar } from '../../engine/facts/service/read-signals.ts';
import {
  encode,
  type LookupResult,
  readAddress,
  rejectForeignResponses,
} from '../../engine/facts/service/responses.ts';
import { keyForm, requestVersions } from '../../engine/facts/service/version-batch.ts';
import { createCircuitBreaker } from '../../engine/http/circuit-breaker.ts';
import { type SendResult, send } from '../../engine/http/retry.ts';
import type { Http, HttpRequest } from '../../engine/http/types.ts';
import type { VersionKey } from '../../engine/model/keys.ts';
import { parseServiceAddress } from '../../engine/model/links.ts';
import type { Clock } from '../../engine/model/ports.ts';
import { canonicalKey } from '../canonical.ts';
import type { Fact, FactAnswer, FileMatch } from '../store/store.ts';
import { createCollector } from './collector.ts';
import type { Coordination } from './coordination.ts';
import type { MirrorEvent } from './events.ts';

/** The service that a mirror is filled from. */
export interface Upstream {
  /** Never rejects. */
  ask(fact: Fact): Promise<Asked>;
}

export type Asked =
  /** `body` as in the store; `lifetime` in ms; `also`: answers to other questions that came with it. */
  | {
      readonly kind: 'answer';
      readonly body: string | undefined;
      readonly lifetime: number;
      readonly also?: readonly FactAnswer[];
    }
  /** It never answers such a question. */
  | { readonly kind: 'not kept' }
  /** `retryAfter` in seconds. */
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfter: number };

export interface UpstreamOptions {
  readonly baseUrl: string;
  readonly http: Pick<Http, 'request'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly coordination: Coordination;
  readonly observe: (event: MirrorEvent) => void;
}

/** Source: the public instance answers 800 packages fastest in batches of 100, 8 at a time (measured 2026-09). */
export const upstreamBatches = { most: 100, parallel: 8, waiting: 20_000 } as const;

/** Requests for one answer each. Source: the same measurement, 16 at a time. */
const upstreamSingles = { most: 1, parallel: 16, waiting: 5_000 } as const;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long answers are fresh, in ms. */
export const lifetimes = {
  /** Without a lifetime in the answer. Source: the public instance sends `max-age=3600` with each. */
  unsaid: HOUR,
  /** Of what the upstream does not know: a version can be published at any time. */
  unknown: 10 * MINUTE,
  /** An unknown advisory mostly means that the instance serves none. Source: the contract. */
  unknownAdvisory: HOUR,
  /** What says whether a version is malware is fresh for no longer, as for every client of ours. */
  mostOfProblems: HOUR,
  /** No answer is fresh for longer. */
  most: 31 * 24 * HOUR,
} as const;

/** The wait that a client is told after a failure of unknown length, in seconds. */
const RETRY_AFTER = 5;

/** @throws `InvalidUpstream` */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { baseUrl, http, clock, random, coordination, observe } = options;
  const address = readAddress(parseServiceAddress(baseUrl) ?? '');
  if (address === undefined) throw new InvalidUpstream(baseUrl);
  const own = rejectForeignResponses(http, address);
  const breaker = createCircuitBreaker(clock, random);
  breaker.onDidChangeBackoff((backoff) => {
    // That this instance cannot reach it says nothing about the others.
    if (backoff?.asked) coordination.hold(backoff.until);
  });

  async function request(given: HttpRequest): Promise<SendResult> {
    const held = await coordination.heldUntil();
    if (held > clock.now()) return refused(held, 'the upstream service requested a wait');
    const until = await coordination.spend();
    if (until > clock.now()) return refused(until, 'the budget of upstream requests is used up');
    const started = clock.now();
    const sent = await send({ http: own, breaker, clock, random }, given);
    observe({ kind: 'upstream', outcome: outcomeOf(sent), seconds: (clock.now() - started) / 1000 });
    return sent;
  }

  const endpoints = createEndpoints(address, request, own.recognizeServer);
  const version = createCollector(upstreamBatches, (keys: readonly VersionKey[]) => askVersions(endpoints, keys));
  const single = createCollector(upstreamSingles, async ([fact]: readonly SingleFact[]) => [
    fact && (await askSingle(endpoints, fact)),
  ]);
  return {
    async ask(fact) {
      if (fact.kind === 'reply') return { kind: 'not kept' };
      try {
        const result = await (fact.kind === 'version' ? version(fact.key) : single(fact));
        return result ? askedOf(fact, result, clock.now()) : failed('no answer');
      } catch (error) {
        return failed(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

/** The address is not one of a service. The message is for the person. */
export class InvalidUpstream extends Error {
  override readonly name = 'InvalidUpstream';
  constructor(baseUrl: string) {
    super(`${JSON.stringify(baseUrl)} is no http or https address of a service`);
  }
}

/** A raw answer, checked. */
interface Raw {
  readonly value: unknown;
  readonly also?: readonly { readonly fact: Fact; readonly body: string }[];
}

type SingleFact = Exclude<Fact, { readonly kind: 'version' | 'reply' }>;

/**
 * An answer is kept as it came, so that no field of a later version of the interface is lost. It is read first: one of
 * another package, or of another shape, is a failure.
 */
async function askVersions(endpoints: Endpoints, keys: readonly VersionKey[]): Promise<readonly LookupResult<Raw>[]> {
  const results: LookupResult<Raw>[] = [];
  const asked = keys.map((key, index) => ({
    key,
    onResult: (it: LookupResult<Raw>) => {
      results[index] = it;
    },
  }));
  await requestVersions(
    keyForm,
    (body, read) => endpoints.post(keyForm.path, body, read),
    asked,
    (value, key) => {
      readVersion(value, key);
      return { value };
    },
  );
  return results;
}

function askSingle({ get }: Endpoints, fact: SingleFact): Promise<LookupResult<Raw>> {
  const reading =
    (read: (value: unknown) => unknown) =>
    (value: unknown): Raw => {
      read(value);
      return { value };
    };
  switch (fact.kind) {
    case 'package':
      return get(
        packagePath(fact.key),
        reading((it) => readPackage(it, fact.key)),
      );
    case 'similar':
      return get(
        `${packagePath(fact.key)}:similarlyNamedPackages`,
        reading((it) => readSimilar(it, fact.key)),
      );
    case 'requirements':
      return get(
        `${packagePath(fact.key)}/versions/${encode(fact.key.version)}:requirements`,
        reading(requirementsReader(fact.key.system)),
      );
    case 'advisory':
      return get(
        `/advisories/${encode(fact.id)}`,
        reading((it) => readAdvisory(it, fact.id)),
      );
    case 'project':
      return get(
        `/projects/${encode(fact.id)}`,
        reading((it) => readProject(it, fact.id)),
      );
    case 'file': {
      const value = encode(Buffer.from(fact.digest, 'hex').toString('base64'));
      return get(`/query?hash.type=${fact.type}&hash.value=${value}`, readMatches);
    }
  }
}

function packagePath({ system, name }: { readonly system: string; readonly name: string }): string {
  return `/systems/${system}/packages/${encode(name)}`;
}

function readMatches(answer: unknown): Raw {
  const matches = knownObjects(fieldsAmong(answer, ['results']), 'results', (it) => {
    const version = requiredInner(it, 'version');
    return { key: canonicalKey(keyOfVersion(version)), version: version.values, artifacts: urlsOf(it) };
  });
  const value: readonly FileMatch[] = matches.map(({ key, artifacts }) => ({ versionKey: key, artifacts }));
  const also = matches.map(({ key, version }) => ({
    fact: { kind: 'version', key } as const,
    body: JSON.stringify(version),
  }));
  return { value, also };
}

function keyOfVersion(version: Fields): VersionKey {
  readVersion(version.values);
  return versionKey(requiredInner(version, 'versionKey'));
}

function urlsOf(match: Fields): readonly string[] {
  return objects(match, 'artifacts', (it) => text(fieldsOf(it.values), 'url'));
}

function within(lifetime: number, { kind }: Fact): number {
  const saysProblems = kind === 'version' || kind === 'advisory';
  return Math.min(lifetime, saysProblems ? lifetimes.mostOfProblems : lifetimes.most);
}

function askedOf(fact: Fact, result: LookupResult<Raw>, now: number): Asked {
  switch (result.kind) {
    case 'facts': {
      const { value, also } = result.facts;
      const said = result.lifetime ?? lifetimes.unsaid;
      const others = also?.map((it) => ({
        fact: it.fact,
        answer: { body: it.body, asOf: now, lifetime: within(said, it.fact) },
      }));
      return {
        kind: 'answer',
        body: JSON.stringify(value),
        lifetime: within(said, fact),
        ...(others && { also: others }),
      };
    }
    case 'unknown': {
      const lifetime = fact.kind === 'advisory' ? lifetimes.unknownAdvisory : lifetimes.unknown;
      return { kind: 'answer', body: undefined, lifetime };
    }
    case 'failed': {
      const { reason, until } = result;
      return failed(reason, until === undefined ? undefined : Math.ceil((until - now) / 1000));
    }
    case 'aborted':
      return failed('the service ends');
  }
}

function failed(reason: string, retryAfter: number = RETRY_AFTER): Asked {
  return {
    kind: 'failed',
    reason: `the upstream service did not answer: ${reason}`,
    retryAfter: Math.max(1, retryAfter),
  };
}

function refused(until: number, reason: string): SendResult {
  return { kind: 'refused', backoff: { until, reason, asked: true } };
}

function outcomeOf(sent: SendResult): string {
  return sent.kind === 'answer' ? String(sent.status) : sent.kind;
}
