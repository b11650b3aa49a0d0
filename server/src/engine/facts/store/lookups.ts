import { base64Of } from '../../base/bytes.ts';
import type { Lookup, Lookups, Query, QueryResult, Requirements } from '../../model/lookups.ts';
import type { Clock, ServiceFact } from '../../model/ports.ts';
import { formatPurl } from '../../model/purl.ts';
import type { CachedAnswer } from '../cache/answer-cache.ts';
import { canonicalize, queryId } from '../canonical-key.ts';
import { fieldsAmong, fieldsOf, knownObjects, objects, requiredInner, text } from '../service/fields.ts';
import { readPackage, readVersion } from '../service/read-answers.ts';
import type { LookupResult } from '../service/responses.ts';
import { encode } from '../service/responses.ts';
import type { Service } from '../service/service.ts';
import { answeredInsight } from './entry.ts';
import { type Lifetimes, lifetimeOf } from './lifetimes.ts';

type QueriedService = Pick<Service, 'api' | 'endpoints' | 'answers'>;

export interface LookupOptions {
  readonly service: () => QueriedService;
  readonly clock: Clock;
  readonly lifetimes: () => Lifetimes;
}

/** Single questions. Their answers are cached as those to all other requests. */
export function createLookups({ service, clock, lifetimes }: LookupOptions): Lookups {
  /** Returns a cached answer while it is fresh. A stale one, marked as old, replaces a failed request. */
  async function obtain<T>(
    id: string,
    send: (service: QueriedService) => Promise<LookupResult<T>>,
  ): Promise<Lookup<T>> {
    const queried = service();
    const { answers } = queried;
    const cached = answers.get(id);
    if (cached && cached.due > clock.now()) return fromCache(cached);
    const result = await send(queried);
    const now = clock.now();
    if (result.kind === 'facts' || result.kind === 'unknown') {
      const due = now + lifetimeOf(result, undefined, lifetimes());
      answers.set({ id, insight: answeredInsight(result, now), due }, result.kind === 'facts' ? result.bytes : 0);
    }
    if (result.kind !== 'failed' || cached === undefined || !('at' in cached.insight)) return toLookup(result);
    return { ...fromCache<T>(cached), old: { at: cached.insight.at, reason: result.reason } };
  }

  return {
    knownRequirements(key) {
      const insight = service().answers.get(canonicalize({ kind: 'requirements', key }).id)?.insight;
      return insight?.state === 'ready' ? (insight.value as Requirements) : undefined;
    },

    requirements: (key, signal) =>
      obtain(canonicalize({ kind: 'requirements', key }).id, ({ api }) => api.requirements(key, signal)),

    query: (query, signal) =>
      obtain(queryId(query), ({ endpoints }) => endpoints.get(`/query?${parameters(query)}`, readResults, signal)),

    // The facts are the same as those of other requests, so they share the cache.
    async purl({ key, version }, signal) {
      const path = `/purl/${encode(formatPurl(key, version))}`;
      const ask = <T>(wanted: ServiceFact, read: (facts: unknown) => T): Promise<Lookup<T>> => {
        const readAnswer = (it: unknown): T => read(requiredInner(fieldsOf(it), wanted.kind).values);
        return obtain(canonicalize(wanted).id, ({ endpoints }) => endpoints.get(path, readAnswer, signal));
      };
      if (version === undefined) {
        const answer = await ask({ kind: 'package', key }, (it) => readPackage(it, key));
        return answer.kind === 'found' ? { ...answer, value: { kind: 'package', facts: answer.value } } : answer;
      }
      const named = { ...key, version };
      const answer = await ask({ kind: 'version', key: named }, (it) => readVersion(it, named));
      return answer.kind === 'found' ? { ...answer, value: { kind: 'version', facts: answer.value } } : answer;
    },
  };
}

/** `hash.type=SHA1&hash.value=…&versionKey.system=NPM&…`: digests in base64, everything percent-encoded. */
function parameters({ hash, version }: Query): string {
  const pairs: (readonly [string, string])[] = [];
  if (hash) pairs.push(['hash.type', hash.type], ['hash.value', base64Of(hash.digest)]);
  if (version) {
    pairs.push(['versionKey.system', version.system], ['versionKey.name', version.name]);
    pairs.push(['versionKey.version', version.version]);
  }
  return pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
}

function readResults(value: unknown): readonly QueryResult[] {
  return knownObjects(fieldsAmong(value, ['results']), 'results', (it) => ({
    version: readVersion(requiredInner(it, 'version').values),
    artifacts: objects(it, 'artifacts', (artifact) => text(artifact, 'url')).filter((url) => url !== ''),
  }));
}

function fromCache<T>({ insight }: CachedAnswer): Extract<Lookup<T>, { readonly kind: 'found' | 'unknown' }> {
  return insight.state === 'ready' ? { kind: 'found', value: insight.value as T } : { kind: 'unknown' };
}

function toLookup<T>(result: LookupResult<T>): Lookup<T> {
  switch (result.kind) {
    case 'facts':
      return { kind: 'found', value: result.facts };
    case 'failed':
      return { kind: 'failed', reason: result.reason };
    case 'unknown':
    case 'aborted':
      return result;
  }
}
