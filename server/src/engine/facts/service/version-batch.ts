import * as l10n from '@vscode/l10n';
import { isRecord, messageOf, oneLine } from '../../base/text.ts';
import type { VersionFacts } from '../../model/facts.ts';
import type { VersionKey } from '../../model/keys.ts';
import { formatPurl, parsePurl } from '../../model/purl.ts';
import { canonicalVersion } from '../canonical-key.ts';
import {
  type Fields,
  fieldsAmong,
  flag,
  inner,
  Malformed,
  objects,
  text,
  UnknownValue,
  unknownValue,
} from './fields.ts';
import { versionKey } from './read-answers.ts';
import { type Failed, type LookupResult, notCached, type ParsedResponse } from './responses.ts';

/** In characters, of what a service says about one version. */
const MAX_REASON = 200;

/** How a batch names its versions, and where a response contains them. */
export interface BatchForm {
  /** Below `/v3alpha`. */
  readonly path: string;
  readonly request: (key: VersionKey) => object;
  /** The version in an echoed request; undefined if it has none. May throw: `UnknownValue` for one of another system. */
  readonly echo: (request: Fields) => VersionKey | undefined;
  /** The version in a response: absent, or an empty object, if it is unknown. May throw. */
  readonly version: (response: Fields) => unknown;
}

export const keyForm: BatchForm = {
  path: '/versionbatch',
  request: (key) => ({ versionKey: key }),
  echo: (request) => {
    const key = inner(request, 'versionKey');
    return key && versionKey(key);
  },
  version: ({ values }) => values.version,
};

export const purlForm: BatchForm = {
  path: '/purlbatch',
  request: (key) => ({ purl: formatPurl(key, key.version) }),
  echo: (request) => {
    const purl = text(request, 'purl');
    const reading = parsePurl(purl);
    if (reading.kind === 'invalid' && reading.isOtherType) throw unknownValue(request, 'purl', purl);
    if (reading.kind === 'invalid' || reading.purl.version === undefined) return undefined;
    return { ...reading.purl.key, version: reading.purl.version };
  },
  version: (response) => {
    const result = inner(response, 'result');
    // A whole package is not an answer to a purl with a version; `readVersion` rejects it.
    return result?.values.version ?? result?.values.package;
  },
};

/** Sends the body of a batch. */
export type PostBatch = (body: string, read: (value: unknown) => Page<Fields>) => Promise<ParsedResponse<Page<Fields>>>;

/** A version of a batch. `onResult` is called once. */
export interface RequestedVersion<T = VersionFacts> {
  readonly key: VersionKey;
  readonly onResult: (result: LookupResult<T>) => void;
}

/** Reads the version of a response. Throws `Malformed` for that of another key. */
export type ReadVersion<T> = (value: unknown, asked: VersionKey) => T;

/**
 * How often a batch is split without an answer in between. It is enough to find one rejected key among 5000, and an
 * address that accepts no batch is not requested for ever.
 */
const MAX_FRUITLESS_SPLITS = 13;

/**
 * Requests versions in one batch. If the service rejects it, each half is requested by itself, so that one rejected key
 * does not cost the others their facts.
 */
export async function requestVersions<T>(
  form: BatchForm,
  post: PostBatch,
  all: readonly RequestedVersion<T>[],
  readAs: ReadVersion<T>,
): Promise<void> {
  const parts = [all];
  let refusals = 0;
  for (let part = parts.shift(); part; part = parts.shift()) {
    const refusal = await askAll(form, post, part, readAs);
    refusals = refusal ? refusals + 1 : 0;
    if (refusal === undefined) continue;
    if (part.length === 1 || refusals > MAX_FRUITLESS_SPLITS) for (const it of part) it.onResult(refusal);
    else parts.unshift(part.slice(0, part.length / 2), part.slice(part.length / 2));
  }
}

/** @returns the refusal, if the service rejected the batch before any answer */
async function askAll<T>(
  form: BatchForm,
  post: PostBatch,
  asked: readonly RequestedVersion<T>[],
  readAs: ReadVersion<T>,
): Promise<Failed | undefined> {
  const requests = asked.map((it) => form.request(it.key));
  const open = new Set(asked);
  let position = 0;
  let end: Exclude<ParsedResponse<unknown>, { readonly kind: 'read' }> | undefined;
  let bytes = 0;
  let lifetime: number | undefined;

  async function ask(pageToken: string): Promise<Page<Fields> | undefined> {
    const answer = await post(JSON.stringify({ requests, ...(pageToken !== '' && { pageToken }) }), readPage);
    if (answer.kind !== 'read') {
      end = answer;
      return undefined;
    }
    bytes = Math.ceil(answer.bytes / Math.max(1, answer.value.responses.length));
    lifetime = answer.lifetime;
    return answer.value;
  }

  function takePage(responses: readonly Fields[]): void {
    for (const response of responses) {
      const echo = echoOf(form, response);
      if (echo === 'of another system') continue;
      const it = answeredBy(echo, asked[position], open);
      position++;
      if (it === undefined) continue;
      open.delete(it);
      it.onResult(read(response, it, echo !== undefined));
    }
  }

  function read(response: Fields, it: RequestedVersion<T>, isNamed: boolean): LookupResult<T> {
    try {
      const version = form.version(response);
      if (version === undefined || version === null || isEmptyObject(version)) {
        if (flag(response, 'notKept')) return notCached();
        const unavailable = text(response, 'unavailable');
        if (unavailable !== '') return { kind: 'failed', reason: oneLine(unavailable, MAX_REASON), outage: false };
        // Where only its position says what it is about, nothing says that this is unknown.
        if (!isNamed) throw new Malformed('the row names neither a request nor a version');
        return { kind: 'unknown' };
      }
      return { kind: 'facts', facts: readAs(version, it.key), bytes, ...(lifetime !== undefined && { lifetime }) };
    } catch (error) {
      const place = `version ${asked.indexOf(it) + 1} of ${asked.length}`;
      return { kind: 'failed', reason: `${place}: ${messageOf(error)}`, outage: false };
    }
  }

  const cut = await followPages(asked.length, ask, takePage);
  if (end?.kind === 'aborted') return undefined;
  if (end?.refused && open.size === asked.length) return end;
  const reason = cut ?? l10n.t('it is missing in the answer to the batch');
  for (const it of open) it.onResult(end ?? { kind: 'failed', reason, outage: false });
  return undefined;
}

function readPage(value: unknown): Page<Fields> {
  const fields = fieldsAmong(value, ['responses', 'nextPageToken']);
  return { responses: objects(fields, 'responses', (it) => it), nextPageToken: text(fields, 'nextPageToken') };
}

/**
 * The version of a response: the one at its position, unless its echo names another one. Requests for one version may
 * all echo the spelling of the first, so an echo of the same version counts for its position.
 */
function answeredBy<It extends { readonly key: VersionKey }>(
  echo: VersionKey | undefined,
  expected: It | undefined,
  open: ReadonlySet<It>,
): It | undefined {
  const own = expected && open.has(expected) ? expected : undefined;
  if (echo === undefined || (own && isSameSpelling(echo, own.key))) return own;
  const meant = canonicalVersion(echo);
  if (own && isSameSpelling(meant, own.key)) return own;
  for (const it of open) if (isSameSpelling(meant, it.key)) return it;
  return undefined;
}

function echoOf(form: BatchForm, response: Fields): VersionKey | 'of another system' | undefined {
  try {
    const request = inner(response, 'request');
    return request && form.echo(request);
  } catch (error) {
    if (error instanceof UnknownValue) return 'of another system';
    // Without a readable echo, the position decides.
    return undefined;
  }
}

function isSameSpelling(a: VersionKey, b: VersionKey): boolean {
  return a.version === b.version && a.name === b.name && a.system === b.system;
}

function isEmptyObject(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

/** One page of a batch's answers. */
export interface Page<T> {
  readonly responses: readonly T[];
  /** `''` on the last page. */
  readonly nextPageToken: string;
}

/** In characters. Tokens are kept and sent back; those of known services have some dozens. */
const MAX_TOKEN_LENGTH = 10_000;

/**
 * Requests all pages of a batch, one after another.
 * @param asked how many requests the batch has
 * @param ask requests the page of a token, `''` for the first; undefined ends the batch
 * @param onPage called with each page as it arrives
 * @returns why the batch ended early; undefined if all pages came, or `ask` ended it
 */
export async function followPages<T>(
  asked: number,
  ask: (pageToken: string) => Promise<Page<T> | undefined>,
  onPage: (responses: readonly T[]) => void,
): Promise<string | undefined> {
  const seen = new Set<string>();
  let token = '';
  // Each page answers at least one request, except for an empty one at the end.
  for (let pages = 0; pages <= asked; pages++) {
    const page = await ask(token);
    if (page === undefined) return undefined;
    onPage(page.responses);
    token = page.nextPageToken;
    if (token === '') return undefined;
    if (token.length > MAX_TOKEN_LENGTH) return 'nextPageToken is too long';
    if (seen.has(token)) return 'nextPageToken names a page a second time';
    seen.add(token);
  }
  return 'nextPageToken names more pages than there were requests';
}
