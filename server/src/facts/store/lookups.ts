import type { Lookup, Lookups, Query, QueryResult, Requirements } from '../../model/lookups.ts';
import type { Clock, Wanted } from '../../model/ports.ts';
import { formatPurl } from '../../model/purl.ts';
import type { Shelved } from '../cache/answer-cache.ts';
import { fieldsAmong, fieldsOf, objects, requiredInner, text } from '../service/fields.ts';
import { readPackage, readVersion } from '../service/read-answers.ts';
import type { Learnt } from '../service/responses.ts';
import { encode } from '../service/responses.ts';
import type { Service } from '../service/service.ts';
import { identify, queryId } from './canonical-key.ts';
import type { InsightsLimits } from './entry.ts';
import { lifeOf } from './entry.ts';

type AskedService = Pick<Service, 'api' | 'endpoints' | 'shelf'>;

export interface LookingUp {
  readonly service: () => AskedService;
  readonly clock: Clock;
  readonly limits: () => InsightsLimits;
}

/** The questions that are asked one at a time. Their answers are kept like those to all others. */
export function createLookups({ service, clock, limits }: LookingUp): Lookups {
  /** Answers from what is kept while it is fresh; past that only where nothing better is to be had, and says so. */
  async function obtain<T>(id: string, ask: (service: AskedService) => Promise<Learnt<T>>): Promise<Lookup<T>> {
    const asked = service();
    const { shelf } = asked;
    const kept = shelf.read(id);
    if (kept && kept.due > clock.now()) return asKept(kept);
    const learnt = await ask(asked);
    const now = clock.now();
    if (learnt.kind === 'unknown')
      shelf.keep({ id, insight: { state: 'unknown', at: now }, due: now + limits().unknownLife }, 0);
    if (learnt.kind === 'facts') {
      const insight = { state: 'ready', value: learnt.facts, at: now } as const;
      shelf.keep({ id, insight, due: now + lifeOf(learnt, limits()) }, learnt.bytes);
    }
    if (learnt.kind !== 'failed' || kept === undefined || !('at' in kept.insight)) return lookup(learnt);
    return { ...asKept<T>(kept), old: { at: kept.insight.at, reason: learnt.reason } };
  }

  return {
    knownRequirements(key) {
      const insight = service().shelf.read(identify({ kind: 'requirements', key }).id)?.insight;
      return insight?.state === 'ready' ? (insight.value as Requirements) : undefined;
    },

    requirements: (key, signal) =>
      obtain(identify({ kind: 'requirements', key }).id, ({ api }) => api.requirements(key, signal)),

    query: (query, signal) =>
      obtain(queryId(query), ({ endpoints }) => endpoints.get(`/query?${parameters(query)}`, readResults, signal)),

    // Facts are the same, whichever way they were asked for.
    async purl({ key, version }, signal) {
      const path = `/purl/${encode(formatPurl(key, version))}`;
      const ask = <T>(wanted: Wanted, read: (facts: unknown) => T): Promise<Lookup<T>> => {
        const readAnswer = (it: unknown): T => read(requiredInner(fieldsOf(it), wanted.kind).values);
        return obtain(identify(wanted).id, ({ endpoints }) => endpoints.get(path, readAnswer, signal));
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
  if (hash) pairs.push(['hash.type', hash.type], ['hash.value', Buffer.from(hash.digest).toString('base64')]);
  if (version) {
    pairs.push(['versionKey.system', version.system], ['versionKey.name', version.name]);
    pairs.push(['versionKey.version', version.version]);
  }
  return pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
}

function readResults(value: unknown): readonly QueryResult[] {
  return objects(fieldsAmong(value, ['results']), 'results', (it) => ({
    version: readVersion(requiredInner(it, 'version').values),
    artifacts: objects(it, 'artifacts', (artifact) => text(artifact, 'url')).filter((url) => url !== ''),
  }));
}

function asKept<T>({ insight }: Shelved): Extract<Lookup<T>, { readonly kind: 'found' | 'unknown' }> {
  return insight.state === 'ready' ? { kind: 'found', value: insight.value as T } : { kind: 'unknown' };
}

function lookup<T>(learnt: Learnt<T>): Lookup<T> {
  switch (learnt.kind) {
    case 'facts':
      return { kind: 'found', value: learnt.facts };
    case 'failed':
      return { kind: 'failed', reason: learnt.reason };
    case 'unknown':
    case 'aborted':
      return learnt;
  }
}
