import * as l10n from '@vscode/l10n';
import { messageOf } from '../../base/text.ts';
import type { VersionFacts } from '../../model/facts.ts';
import type { VersionKey } from '../../model/keys.ts';
import { formatPurl, parsePurl } from '../../model/purl.ts';
import { canonicalVersion } from '../store/canonical-key.ts';
import { type Fields, fieldsAmong, flag, inner, objects, text } from './fields.ts';
import { readVersion, versionKey } from './read-answers.ts';
import { type Failed, type Learnt, notKept, type Understood } from './responses.ts';

/** How a batch names the versions that it asks for, and where a response has them. */
export interface BatchForm {
  /** Below `/v3alpha`. */
  readonly path: string;
  readonly request: (key: VersionKey) => object;
  /** The version that a request names as it is echoed; may throw, or be undefined, where it names none. */
  readonly echo: (request: Fields) => VersionKey | undefined;
  /** What stands for a version in a response: nothing, or an empty object, where it is not known. May throw. */
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
    const reading = parsePurl(text(request, 'purl'));
    if (reading.kind === 'invalid' || reading.purl.version === undefined) return undefined;
    return { ...reading.purl.key, version: reading.purl.version };
  },
  version: (response) => {
    const result = inner(response, 'result');
    // An answer about a whole package is none to a purl with a version; it is read as one, and refused.
    return result?.values.version ?? result?.values.package;
  },
};

/** Sends the body of a batch. */
export type PostBatch = (body: string, read: (value: unknown) => Page<Fields>) => Promise<Understood<Page<Fields>>>;

/** A version of a batch, and who is told of it, once. */
export interface AskedVersion {
  readonly key: VersionKey;
  readonly learn: (learnt: Learnt<VersionFacts>) => void;
}

/**
 * How often a batch is divided in two without an answer in between: one key in 5000 that the service does not take is
 * found by then, and an address that takes no batch at all is not asked for ever.
 */
const fruitless = 13;

/**
 * Asks for versions in one batch. Where the service refuses it as it is, each half is asked for by itself, so that one
 * key it does not take costs the others nothing.
 */
export async function askVersions(form: BatchForm, post: PostBatch, all: readonly AskedVersion[]): Promise<void> {
  const parts = [all];
  let refusals = 0;
  for (let part = parts.shift(); part; part = parts.shift()) {
    const refusal = await askAll(form, post, part);
    refusals = refusal ? refusals + 1 : 0;
    if (refusal === undefined) continue;
    if (part.length === 1 || refusals > fruitless) for (const it of part) it.learn(refusal);
    else parts.unshift(part.slice(0, part.length / 2), part.slice(part.length / 2));
  }
}

/** @returns the refusal, where the service refused the batch before it answered anything of it */
async function askAll(form: BatchForm, post: PostBatch, asked: readonly AskedVersion[]): Promise<Failed | undefined> {
  const requests = asked.map((it) => form.request(it.key));
  const open = new Set(asked);
  let position = 0;
  let end: Exclude<Understood<unknown>, { readonly kind: 'read' }> | undefined;
  let bytes = 0;
  let life: { readonly life?: number } = {};

  async function ask(pageToken: string): Promise<Page<Fields> | undefined> {
    const answer = await post(JSON.stringify({ requests, ...(pageToken !== '' && { pageToken }) }), readPage);
    if (answer.kind !== 'read') {
      end = answer;
      return undefined;
    }
    bytes = Math.ceil(answer.bytes / Math.max(1, answer.value.responses.length));
    life = answer.life;
    return answer.value;
  }

  function takePage(responses: readonly Fields[]): void {
    for (const response of responses) {
      const it = answeredBy(echoOf(form, response), asked[position], open);
      position++;
      if (it === undefined) continue;
      open.delete(it);
      it.learn(read(response, it));
    }
  }

  function read(response: Fields, it: AskedVersion): Learnt<VersionFacts> {
    try {
      const version = form.version(response);
      if (version === undefined || version === null || isEmptyObject(version))
        return flag(response, 'notKept') ? notKept() : { kind: 'unknown' };
      return { kind: 'facts', facts: readVersion(version, it.key), bytes, ...life };
    } catch (error) {
      const place = `version ${asked.indexOf(it) + 1} of ${asked.length}`;
      return { kind: 'failed', reason: `${place}: ${messageOf(error)}`, outage: false };
    }
  }

  const cut = await followPages(asked.length, ask, takePage);
  if (end?.kind === 'aborted') return undefined;
  if (end?.refused && open.size === asked.length) return end;
  const reason = cut ?? l10n.t('the batch was answered without it');
  for (const it of open) it.learn(end ?? { kind: 'failed', reason, outage: false });
  return undefined;
}

function readPage(value: unknown): Page<Fields> {
  const fields = fieldsAmong(value, ['responses', 'nextPageToken']);
  return { responses: objects(fields, 'responses', (it) => it), nextPageToken: text(fields, 'nextPageToken') };
}

/**
 * Which version a response is about: the one at its position, unless its echo names another one. Requests that come to
 * one version may all echo the spelling of the first, so an echo that means the same is taken for the position's own.
 */
function answeredBy(
  echo: VersionKey | undefined,
  expected: AskedVersion | undefined,
  open: ReadonlySet<AskedVersion>,
): AskedVersion | undefined {
  const own = expected && open.has(expected) ? expected : undefined;
  if (echo === undefined || (own && isSameSpelling(echo, own.key))) return own;
  const meant = canonicalVersion(echo);
  if (own && isSameSpelling(meant, own.key)) return own;
  for (const it of open) if (isSameSpelling(meant, it.key)) return it;
  return undefined;
}

function echoOf(form: BatchForm, response: Fields): VersionKey | undefined {
  try {
    const request = inner(response, 'request');
    return request && form.echo(request);
  } catch {
    // An echo that cannot be read says nothing, so the position has to do.
    return undefined;
  }
}

function isSameSpelling(a: VersionKey, b: VersionKey): boolean {
  return a.version === b.version && a.name === b.name && a.system === b.system;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** One page of a batch's answers. */
export interface Page<T> {
  readonly responses: readonly T[];
  /** `''` where it is the last. */
  readonly nextPageToken: string;
}

/** In characters. Tokens are remembered and sent back; those of the services known have some dozens. */
const longestToken = 10_000;

/**
 * Follows a batch from page to page, one after another, as each names the next.
 * @param asked how many requests the batch has
 * @param ask asks for the page of a token, `''` for the first; undefined ends it
 * @param onPage takes a page, as soon as it is there
 * @returns why it ended before its end; undefined where all pages came, or `ask` ended it
 */
export async function followPages<T>(
  asked: number,
  ask: (pageToken: string) => Promise<Page<T> | undefined>,
  onPage: (responses: readonly T[]) => void,
): Promise<string | undefined> {
  const seen = new Set<string>();
  let token = '';
  // A page answers one request at the least, but for an empty one at the end.
  for (let pages = 0; pages <= asked; pages++) {
    const page = await ask(token);
    if (page === undefined) return undefined;
    onPage(page.responses);
    token = page.nextPageToken;
    if (token === '') return undefined;
    if (token.length > longestToken) return 'nextPageToken is too long';
    if (seen.has(token)) return 'nextPageToken names a page a second time';
    seen.add(token);
  }
  return 'nextPageToken names more pages than there were requests';
}
