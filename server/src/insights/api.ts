import type { AdvisoryFacts, PackageFacts, VersionFacts } from '../model/facts.ts';
import type { AdvisoryId, PackageKey, VersionKey } from '../model/keys.ts';
import type { HttpRequest } from '../net/http.ts';
import type { Sent } from '../net/send.ts';
import { type Address, encode } from './address.ts';
import { readAdvisory, readPackage, readVersion, versionKey } from './answers.ts';
import { type Fields, fieldsOf, inner, Malformed, objects, text } from './fields.ts';
import { canonicalVersion } from './identity.ts';
import { followPages, type Page } from './pages.ts';

/** What was learnt of one thing that was asked for. */
export type Learnt<T> =
  /** `life`: for how many ms the service lets it be kept; `bytes`: roughly what it takes to keep. */
  | { readonly kind: 'facts'; readonly facts: T; readonly life?: number; readonly bytes: number }
  | { readonly kind: 'unknown' }
  | Failed
  | { readonly kind: 'aborted' };

export interface Failed {
  readonly kind: 'failed';
  readonly reason: string;
  /** The service could not be asked, or was not well: nothing is wrong with what was asked. */
  readonly outage: boolean;
  /** When it may be asked again at the earliest, in ms since the epoch, where that is known. */
  readonly until?: number;
}

export interface Api {
  /**
   * Asks for many versions in one batch; `learn` is called once for each, page by page as they come, unless the signal
   * aborts. The keys must be canonical and differ from each other.
   */
  versions(
    keys: readonly VersionKey[],
    learn: (index: number, learnt: Learnt<VersionFacts>) => void,
    signal?: AbortSignal,
  ): Promise<void>;
  package(key: PackageKey, signal?: AbortSignal): Promise<Learnt<PackageFacts>>;
  advisory(id: AdvisoryId, signal?: AbortSignal): Promise<Learnt<AdvisoryFacts>>;
}

/** The endpoints of the Package Insights Service. */
export function createApi({ origin, prefix }: Address, send: (request: HttpRequest) => Promise<Sent>): Api {
  const root = `${prefix}/v3alpha`;

  async function get<T>(path: string, read: (value: unknown) => T, signal?: AbortSignal): Promise<Learnt<T>> {
    const sent = await send({ method: 'GET', origin, path: `${root}${path}`, ...(signal && { signal }) });
    if (sent.kind === 'answer' && sent.status === 404) return { kind: 'unknown' };
    const answer = understand(sent, read);
    if (answer.kind !== 'read') return answer;
    return { kind: 'facts', facts: answer.value, bytes: answer.bytes, ...answer.life };
  }

  return {
    async versions(keys, learn, signal) {
      const requests = keys.map((it) => ({ versionKey: it }));
      const open = new Set(keys.keys());
      let position = 0;
      let end: Failed | { readonly kind: 'aborted' } | undefined;
      let bytesEach = 0;
      let life: { readonly life?: number } = {};

      async function ask(pageToken: string): Promise<Page<Fields> | undefined> {
        const body = JSON.stringify({ requests, ...(pageToken !== '' && { pageToken }) });
        const sent = await send({
          method: 'POST',
          origin,
          path: `${root}/versionbatch`,
          body,
          ...(signal && { signal }),
        });
        const answer = understand(sent, readPage);
        if (answer.kind !== 'read') {
          end = answer;
          return undefined;
        }
        bytesEach = Math.ceil(answer.bytes / Math.max(1, answer.value.responses.length));
        life = answer.life;
        return answer.value;
      }

      function takePage(responses: readonly Fields[]): void {
        for (const response of responses) {
          const index = requestOf(response, keys, open, position);
          position++;
          if (index === undefined) continue;
          open.delete(index);
          learn(index, readResponse(response, keys, index, bytesEach, life));
        }
      }

      const cut = await followPages(keys.length, ask, takePage);
      if (end?.kind === 'aborted') return;
      const reason = cut ?? 'the batch was answered without it';
      for (const index of open) learn(index, end ?? { kind: 'failed', reason, outage: false });
    },

    package: (key, signal) =>
      get(`/systems/${key.system}/packages/${encode(key.name)}`, (it) => readPackage(it, key), signal),

    advisory: (id, signal) => get(`/advisories/${encode(id)}`, (it) => readAdvisory(it, id), signal),
  };
}

function readPage(value: unknown): Page<Fields> {
  const fields = fieldsOf(value);
  return { responses: objects(fields, 'responses', (it) => it), nextPageToken: text(fields, 'nextPageToken') };
}

/**
 * Which request a response answers: the one at its position, unless its echo names another one. Requests that come to
 * one version may all echo the spelling of the first, so an echo that means the same is taken for the position's own.
 */
function requestOf(
  response: Fields,
  keys: readonly VersionKey[],
  open: ReadonlySet<number>,
  position: number,
): number | undefined {
  const echo = echoOf(response);
  const expected = keys[position];
  if (expected && open.has(position) && (echo === undefined || isSameSpelling(echo, expected))) return position;
  if (echo === undefined) return undefined;
  const canonical = canonicalVersion(echo);
  if (expected && open.has(position) && isSameSpelling(canonical, expected)) return position;
  for (const index of open) {
    const key = keys[index];
    if (key && isSameSpelling(canonical, key)) return index;
  }
  return undefined;
}

function echoOf(response: Fields): VersionKey | undefined {
  try {
    const request = inner(response, 'request');
    const key = request && inner(request, 'versionKey');
    return key && versionKey(key);
  } catch {
    // An echo that cannot be read says nothing, so the position has to do.
    return undefined;
  }
}

function isSameSpelling(a: VersionKey, b: VersionKey): boolean {
  return a.version === b.version && a.name === b.name && a.system === b.system;
}

function readResponse(
  { values }: Fields,
  keys: readonly VersionKey[],
  index: number,
  bytes: number,
  life: { readonly life?: number },
): Learnt<VersionFacts> {
  const { version } = values;
  if (version === undefined || version === null || isEmptyObject(version)) return { kind: 'unknown' };
  try {
    return { kind: 'facts', facts: readVersion(version, keys[index]), bytes, ...life };
  } catch (error) {
    return { kind: 'failed', reason: `version ${index + 1} of ${keys.length}: ${messageOf(error)}`, outage: false };
  }
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

type Understood<T> =
  | { readonly kind: 'read'; readonly value: T; readonly bytes: number; readonly life: { readonly life?: number } }
  | Failed
  | { readonly kind: 'aborted' };

/** Turns what was sent back into a value, or into the reason why there is none. */
function understand<T>(sent: Sent, read: (value: unknown) => T): Understood<T> {
  switch (sent.kind) {
    case 'aborted':
      return sent;
    case 'held':
      return { kind: 'failed', reason: sent.hold.reason, until: sent.hold.until, outage: true };
    case 'failure':
      return { kind: 'failed', reason: sent.reason, outage: sent.again };
    case 'answer':
      if (sent.status !== 200) return refusal(sent.status, sent.text);
      try {
        const value = read(JSON.parse(sent.text));
        return { kind: 'read', value, bytes: sent.text.length, life: lifeOf(sent.headers['cache-control']) };
      } catch (error) {
        const isJson = error instanceof Malformed;
        const reason = isJson ? error.message : notJson(sent.headers['content-type']);
        return { kind: 'failed', reason, outage: false };
      }
  }
}

function refusal(status: number, body: string): Failed {
  const outage = status === 429 || status >= 500;
  if (status === 429) return { kind: 'failed', reason: 'the service asked to wait', outage };
  // Errors are plain text; a page of a proxy in between is not worth showing.
  const [line = ''] = body.trimStart().startsWith('<') ? [] : body.trim().split('\n', 1);
  const said = line === '' ? '' : `: ${line.slice(0, 200)}`;
  return { kind: 'failed', reason: `the service answered with status ${status}${said}`, outage };
}

function notJson(contentType: string | undefined): string {
  return `the answer is not JSON${contentType && !/json/.test(contentType) ? ` but ${contentType}` : ''}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** `public, max-age=3600` → 3,600,000 ms; nothing where the service says nothing. */
function lifeOf(cacheControl = ''): { readonly life?: number } {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return { life: 0 };
  const age = /\bmax-age\s*=\s*"?(\d{1,10})/i.exec(cacheControl)?.[1];
  return age === undefined ? {} : { life: Number(age) * 1000 };
}
