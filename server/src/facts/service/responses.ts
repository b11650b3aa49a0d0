import * as l10n from '@vscode/l10n';
import { excessOf } from '../../base/json-depth.ts';
import { detached, oneLine } from '../../base/text.ts';
import type { SendResult } from '../../http/retry.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../http/types.ts';
import { Malformed } from './fields.ts';

type Answer = HttpAnswer & { readonly kind: 'answer' };

/** Requests to the service, and to nobody else. */
export interface OwnHttp extends Pick<Http, 'request'> {
  /** An answer with these headers could be read: the service itself is at this address. */
  recognize(headers: Answer['headers']): void;
}

/**
 * Passes on what the service itself answers. What somebody else does, a server at an address that was mistyped, or a
 * network that wants to be signed in to, is an outage: it says nothing about any package.
 */
export function withoutForeign(http: Pick<Http, 'request'>, address: Address): OwnHttp {
  let known: Answer['headers'] | undefined;
  return {
    recognize(headers) {
      known = headers;
    },
    async request(request) {
      const answer = await http.request(request);
      if (answer.kind !== 'answer') return answer;
      const reason = foreign(request, answer, known, address);
      return reason === undefined ? answer : { kind: 'failure', reason, isRetryable: true };
    },
  };
}

/**
 * Why an answer is not the service's own.
 * @param known the headers of an answer that could be read
 */
function foreign(
  { method, path }: HttpRequest,
  { status, headers, text }: Answer,
  known: Answer['headers'] | undefined,
  { origin, prefix }: Address,
): string | undefined {
  if (status >= 300 && status < 400) return elsewhere(headers['location']);
  if (status === 200 && isPage(text)) {
    return l10n.t('a web page came in place of an answer, perhaps that of a network to sign in to');
  }
  // The service asks nobody who they are, so somebody on the way does, or bars it.
  if (!known && (status === 401 || status === 403)) return l10n.t('the service answered with status {0}', status);
  if (status !== 404 && status !== 405) return undefined;
  // An instance may lack advisories, and say so as it likes; whoever asks for them has been told of them by one.
  if (path.includes('/v3alpha/advisories/')) return undefined;
  // A batch says within its answer what is unknown.
  const isOwn = method === 'GET' && (isOwnMiss(text) || (known && !isPage(text) && isSameServer(known, headers)));
  return isOwn ? undefined : nobody(`${origin}${prefix}`);
}

/**
 * In the service's words: `package not found`, alone or as a text of JSON. The path of a request, which many servers
 * repeat, has a slash.
 */
function isOwnMiss(text: string): boolean {
  if (saysNotKept(text)) return true;
  return /^(?:\{[^/]{0,100}")?(?:system|package|version|requirements|purl) not found\b[^/]{0,100}$/i.test(text);
}

/**
 * Whether headers are those of the program that gave a good answer before. The service opens its answers to other
 * origins; a gateway in front of it, or a portal, says without that header that nothing is there.
 */
function isSameServer(known: Answer['headers'], given: Answer['headers']): boolean {
  return known[opening] !== undefined && [opening, ...ofServers].every((it) => known[it] === given[it]);
}

const opening = 'access-control-allow-origin';
const ofServers = ['server', 'via', 'x-powered-by'];

export function isPage(text: string): boolean {
  return /^\s{0,1000}</.test(text);
}

/** No redirect is followed. */
function elsewhere(location = ''): string {
  const to = URL.canParse(location) ? new URL(location).origin : '';
  return /^https?:/.test(to) ? l10n.t('the answer leads elsewhere, to {0}', to) : l10n.t('the answer leads elsewhere');
}

function nobody(baseUrl: string): string {
  return l10n.t('no Package Insights Service answers at {0}', baseUrl);
}

/*
 * A service of kept answers cannot tell whether there is what it was never asked. It says so by a 404 of its own words,
 * and in a batch by a field beside the request.
 */

/** Whether a 404 says so. */
export function saysNotKept(text: string): boolean {
  return /^\w{1,20} not kept\b/.test(text);
}

export function notKept(): Failed {
  return { kind: 'failed', reason: l10n.t('the service has only kept answers, and none about this'), outage: false };
}

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
  /** The service does not take the request as it is; a smaller one it might. */
  readonly refused?: true;
}

export type Understood<T> =
  | { readonly kind: 'read'; readonly value: T; readonly bytes: number; readonly life: { readonly life?: number } }
  | Failed
  | { readonly kind: 'aborted' };

/** Turns what was sent back into a value, or into the reason why there is none. */
export function understand<T>(sent: SendResult, read: (value: unknown) => T): Understood<T> {
  switch (sent.kind) {
    case 'aborted':
      return sent;
    case 'refused':
      return { kind: 'failed', reason: sent.backoff.reason, until: sent.backoff.until, outage: true };
    case 'failure':
      return { kind: 'failed', reason: sent.reason, outage: sent.isRetryable };
    case 'answer':
      if (sent.status !== 200) return refusal(sent.status, sent.text);
      switch (excessOf(sent.text, mostValues)) {
        case 'depth':
          return { kind: 'failed', reason: 'the answer is nested too deep', outage: false };
        case 'values':
          return { kind: 'failed', reason: 'the answer holds too many values', outage: false };
        case undefined:
      }
      try {
        const value = read(JSON.parse(sent.text));
        return { kind: 'read', value, bytes: sent.text.length, life: lifeOf(sent.headers['cache-control']) };
      } catch (error) {
        if (error instanceof Malformed) return { kind: 'failed', reason: error.message, outage: false };
        return { kind: 'failed', reason: notJson(sent.headers['content-type']), outage: false };
      }
  }
}

/** The longest list of versions known (a package with 30,000) has 300,000. */
const mostValues = 1_000_000;

function refusal(status: number, body: string): Failed {
  const outage = status === 429 || status >= 500;
  if (status === 429) return { kind: 'failed', reason: l10n.t('the service asked to wait'), outage };
  // Errors are plain text; a page of a proxy in between is not worth showing.
  const [line = ''] = isPage(body) ? [] : detached(body.slice(0, 1000)).trim().split('\n', 1);
  const refused = status === 400 || status === 413 || status === 414 || status === 422;
  const answered = l10n.t('the service answered with status {0}', status);
  const reason = line === '' ? answered : `${answered}: ${oneLine(line, 200)}`;
  return { kind: 'failed', reason, outage, ...(refused && { refused }) };
}

function notJson(contentType: string | undefined): string {
  return contentType && !/json/.test(contentType)
    ? l10n.t('the answer is not JSON but {0}', contentType)
    : l10n.t('the answer is not JSON');
}

/** `public, max-age=3600` → 3,600,000 ms; nothing where the service says nothing. */
function lifeOf(cacheControl = ''): { readonly life?: number } {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return { life: 0 };
  const age = /\bmax-age\s*=\s*"?(\d{1,10})/i.exec(cacheControl)?.[1];
  return age === undefined ? {} : { life: Number(age) * 1000 };
}

/** Where a service is, ready to be sent to. */
export interface Address {
  /** `https://host:port` */
  readonly origin: string;
  /** What stands before `/v3alpha`: `''`, or `/insights`. */
  readonly prefix: string;
}

/** Reads a base URL; undefined where it is no http(s) address. */
export function readAddress(baseUrl: string): Address | undefined {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  // Who copied the address of an answer has the version of the interface in it.
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '').replace(/\/v3alpha$/, '') };
}

/** Percent-encodes a value for a path or query. Half a surrogate pair, which a hostile file can hold, is replaced. */
export function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}
