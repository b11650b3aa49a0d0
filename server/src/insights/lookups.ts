import * as l10n from '@vscode/l10n';
import type { Identity, Lookup, Lookups, Query, QueryResult, Requirements } from '../model/lookups.ts';
import type { Clock } from '../model/ports.ts';
import { parsePurl } from '../model/purl.ts';
import { encode } from './address.ts';
import { readPackage, readVersion } from './answers.ts';
import { requirementsPath } from './api.ts';
import { type Fields, fieldsOf, inner, Malformed, objects, requiredInner, text } from './fields.ts';
import { identify, queryId, requirementsId } from './identity.ts';
import { lifeOf } from './learn.ts';
import type { InsightsLimits } from './limits.ts';
import { followPages, type Page } from './pages.ts';
import { requirementsReader } from './requirements.ts';
import type { Service } from './service.ts';
import type { Shelved } from './shelf.ts';
import type { Learnt } from './understand.ts';

/** The purls in one batch: the service pages at as many. */
const batchSize = 100;

export interface LookingUp {
  readonly service: () => Pick<Service, 'endpoints' | 'shelf'>;
  readonly clock: Clock;
  readonly limits: () => InsightsLimits;
}

/** The questions that are asked one at a time. Their answers are kept like those to all others. */
export function createLookups({ service, clock, limits }: LookingUp): Lookups {
  const post = <T>(path: string, body: string, read: (value: unknown) => T, signal?: AbortSignal) =>
    service().endpoints.post(path, body, read, signal);

  /** Answers from what is kept while it is fresh, and when nothing better is to be had. */
  async function get<T>(
    id: string,
    path: string,
    read: (value: unknown) => T,
    signal?: AbortSignal,
  ): Promise<Lookup<T>> {
    const { endpoints, shelf } = service();
    const kept = shelf.read(id);
    if (kept && kept.due > clock.now()) return asKept(kept);
    const learnt = await endpoints.get(path, read, signal);
    const now = clock.now();
    if (learnt.kind === 'unknown')
      shelf.keep({ id, insight: { state: 'unknown', at: now }, due: now + limits().unknownLife }, 0);
    if (learnt.kind === 'facts') {
      const insight = { state: 'ready', value: learnt.facts, at: now } as const;
      shelf.keep({ id, insight, due: now + lifeOf(learnt, limits()) }, learnt.bytes);
    }
    return learnt.kind === 'failed' && kept ? asKept(kept) : lookup(learnt);
  }

  async function purlBatch(purls: readonly string[], signal?: AbortSignal): Promise<readonly Lookup<Identity>[]> {
    const requests = purls.map((purl) => ({ purl }));
    const found: (Lookup<Identity> | undefined)[] = purls.map(() => undefined);
    let position = 0;
    let end: Lookup<never> = { kind: 'failed', reason: l10n.t('the batch was answered without it') };
    const cut = await followPages(
      purls.length,
      async (pageToken) => {
        const body = JSON.stringify({ requests, ...(pageToken !== '' && { pageToken }) });
        const answer = await post('/purlbatch', body, readPurlPage, signal);
        if (answer.kind === 'read') return answer.value;
        end = answer.kind === 'aborted' ? answer : { kind: 'failed', reason: answer.reason };
        return undefined;
      },
      (responses) => {
        for (const { purl, answer } of responses) {
          // By position, else by what is echoed.
          const at = purl === undefined || purls[position] === purl ? position : purls.indexOf(purl);
          position++;
          if (at in found) found[at] ??= answer;
        }
      },
    );
    if (cut !== undefined) end = { kind: 'failed', reason: cut };
    return found.map((it) => it ?? end);
  }

  return {
    knownRequirements(key) {
      const insight = service().shelf.read(requirementsId(key))?.insight;
      return insight?.state === 'ready' ? (insight.value as Requirements) : undefined;
    },

    requirements: ({ system, name, version }, signal) =>
      get(
        requirementsId({ system, name, version }),
        requirementsPath({ system, name, version }),
        requirementsReader(system),
        signal,
      ),

    query: (query, signal) => get(queryId(query), `/query?${parameters(query)}`, readResults, signal),

    async purl(purl, signal) {
      const path = `/purl/${encode(purl)}`;
      const reading = parsePurl(purl);
      if (reading.kind === 'invalid') {
        return lookup(await service().endpoints.get(path, (it) => readIdentity(fieldsOf(it)), signal));
      }
      // Facts are the same, whichever way they were asked for.
      const { key, version } = reading.purl;
      if (version === undefined) {
        const { id } = identify({ kind: 'package', key });
        const answer = await get(
          id,
          path,
          (it) => readPackage(requiredInner(fieldsOf(it), 'package').values, key),
          signal,
        );
        return answer.kind === 'found' ? { kind: 'found', value: { kind: 'package', facts: answer.value } } : answer;
      }
      const named = { ...key, version };
      const { id } = identify({ kind: 'version', key: named });
      const answer = await get(
        id,
        path,
        (it) => readVersion(requiredInner(fieldsOf(it), 'version').values, named),
        signal,
      );
      return answer.kind === 'found' ? { kind: 'found', value: { kind: 'version', facts: answer.value } } : answer;
    },

    async purls(purls, signal) {
      const all: Lookup<Identity>[] = [];
      for (let start = 0; start < purls.length; start += batchSize) {
        all.push(...(await purlBatch(purls.slice(start, start + batchSize), signal)));
      }
      return all;
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
  return objects(fieldsOf(value), 'results', (it) => ({
    version: readVersion(requiredInner(it, 'version').values),
    artifacts: objects(it, 'artifacts', (artifact) => text(artifact, 'url')).filter((url) => url !== ''),
  }));
}

interface PurlAnswer {
  readonly purl: string | undefined;
  readonly answer: Lookup<Identity>;
}

function readPurlPage(value: unknown): Page<PurlAnswer> {
  const fields = fieldsOf(value);
  return {
    responses: objects(fields, 'responses', (response) => {
      const request = inner(response, 'request');
      return { purl: request && text(request, 'purl'), answer: readPurlAnswer(inner(response, 'result')) };
    }),
    nextPageToken: text(fields, 'nextPageToken'),
  };
}

function readPurlAnswer(result: Fields | undefined): Lookup<Identity> {
  if (result === undefined || Object.keys(result.values).length === 0) return { kind: 'unknown' };
  try {
    return { kind: 'found', value: readIdentity(result) };
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function readIdentity(fields: Fields): Identity {
  const version = inner(fields, 'version');
  if (version) return { kind: 'version', facts: readVersion(version.values) };
  const list = inner(fields, 'package');
  if (list) return { kind: 'package', facts: readPackage(list.values) };
  throw new Malformed('the answer has neither package nor version');
}

function asKept<T>({ insight }: Shelved): Lookup<T> {
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
