import type { AdvisoryFacts, PackageFacts } from '../model/facts.ts';
import type { AdvisoryId, PackageKey, VersionKey } from '../model/keys.ts';
import type { HttpRequest } from '../net/http.ts';
import type { Sent } from '../net/send.ts';
import { type Address, encode } from './address.ts';
import { readAdvisory, readPackage } from './answers.ts';
import { type Learnt, understand } from './understand.ts';
import { askVersions, type LearnVersion } from './version-batch.ts';

export interface Api {
  /**
   * Asks for many versions in one batch; `learn` is called once for each, page by page as they come, unless the signal
   * aborts. The keys must be canonical and differ from each other.
   */
  versions(keys: readonly VersionKey[], learn: LearnVersion, signal?: AbortSignal): Promise<void>;
  package(key: PackageKey, signal?: AbortSignal): Promise<Learnt<PackageFacts>>;
  advisory(id: AdvisoryId, signal?: AbortSignal): Promise<Learnt<AdvisoryFacts>>;
}

/** The endpoints of the Package Insights Service. */
export function createApi({ origin, prefix }: Address, send: (request: HttpRequest) => Promise<Sent>): Api {
  const root = `${prefix}/v3alpha`;

  async function get<T>(path: string, read: (value: unknown) => T, signal?: AbortSignal): Promise<Learnt<T>> {
    const sent = await send({ method: 'GET', origin, path: root + path, ...(signal && { signal }) });
    if (sent.kind === 'answer' && sent.status === 404) return { kind: 'unknown' };
    const answer = understand(sent, read);
    if (answer.kind !== 'read') return answer;
    return { kind: 'facts', facts: answer.value, bytes: answer.bytes, ...answer.life };
  }

  async function post<T>(path: string, body: string, read: (value: unknown) => T, signal?: AbortSignal) {
    return understand(await send({ method: 'POST', origin, path: root + path, body, ...(signal && { signal }) }), read);
  }

  return {
    versions: (keys, learn, signal) =>
      askVersions((body, read) => post('/versionbatch', body, read, signal), keys, learn),

    package: (key, signal) =>
      get(`/systems/${key.system}/packages/${encode(key.name)}`, (it) => readPackage(it, key), signal),

    advisory: (id, signal) => get(`/advisories/${encode(id)}`, (it) => readAdvisory(it, id), signal),
  };
}
