import * as l10n from '@vscode/l10n';
import { excessOf } from '../../base/json-depth.ts';
import { detached, oneLine } from '../../base/text.ts';
import type { SendResult } from '../../http/retry.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../http/types.ts';
import { Malformed } from './fields.ts';

type Answer = HttpAnswer & { readonly kind: 'answer' };

/** Requests to the service itself. */
export interface ServiceHttp extends Pick<Http, 'request'> {
  /** Records that the service answered with these headers. */
  recognizeServer(headers: Answer['headers']): void;
}

/**
 * Turns responses of other programs into failures: a server at a mistyped address, or the login page of a network, says
 * nothing about a package.
 */
export function rejectForeignResponses(http: Pick<Http, 'request'>, address: Address): ServiceHttp {
  let known: Answer['headers'] | undefined;
  return {
    recognizeServer(headers) {
      known = headers;
    },
    async request(request) {
      const answer = await http.request(request);
      if (answer.kind !== 'answer') return answer;
      const reason = foreignReason(request, answer, known, address);
      return reason === undefined ? answer : { kind: 'failure', reason, isRetryable: true };
    },
  };
}

/**
 * Why a response is not of the service itself; undefined if it is.
 * @param known the headers of a response that was parsed
 */
function foreignReason(
  { method, path }: HttpRequest,
  { status, headers, text }: Answer,
  known: Answer['headers'] | undefined,
  { origin, prefix }: Address,
): string | undefined {
  if (status >= 300 && status < 400) return redirected(headers['location']);
  if (status === 200 && isPage(text)) {
    return l10n.t('received a web page instead of an answer; the network may require signing in');
  }
  // The service needs no login, so a program in between does, or blocks it.
  if (!known && (status === 401 || status === 403)) return l10n.t('the service answered with status {0}', status);
  if (status !== 404 && status !== 405) return undefined;
  // An instance may lack advisories and report it in any form; their ids come from its own responses.
  if (path.includes('/v3alpha/advisories/')) return undefined;
  // The same for projects and similarly named packages, by ids and names that it has answered for.
  if (path.includes('/v3alpha/projects/') || path.endsWith(':similarlyNamedPackages')) return undefined;
  // A batch reports unknown versions within its response.
  const isOwn = method === 'GET' && (isServiceMiss(text) || (known && !isPage(text) && isSameServer(known, headers)));
  return isOwn ? undefined : noService(`${origin}${prefix}`);
}

/**
 * Whether a 404 has the words of the service: `package not found`, alone or as a JSON string. Many servers repeat the
 * path of the request, which has a slash.
 */
function isServiceMiss(text: string): boolean {
  if (saysNotCached(text)) return true;
  return /^(?:\{[^/]{0,100}")?(?:system|package|version|requirements|purl) not found\b[^/]{0,100}$/i.test(text);
}

/**
 * Whether headers are of the program that answered before. The service allows other origins; a gateway in front of it, or
 * a portal, answers 404 without that header.
 */
function isSameServer(known: Answer['headers'], given: Answer['headers']): boolean {
  return known[opening] !== undefined && [opening, ...ofServers].every((it) => known[it] === given[it]);
}

const opening = 'access-control-allow-origin';
const ofServers = ['server', 'via', 'x-powered-by'];

export function isPage(text: string): boolean {
  return /^\s{0,1000}</.test(text);
}

/** Redirects are not followed. */
function redirected(location = ''): string {
  const to = URL.canParse(location) ? new URL(location).origin : '';
  return /^https?:/.test(to) ? l10n.t('the service redirects to {0}', to) : l10n.t('the service redirects');
}

function noService(baseUrl: string): string {
  return l10n.t('there is no Package Insights Service at {0}', baseUrl);
}

/**
 * Whether a 404 is of a service over cached answers, which does not know packages that were never requested. In a batch
 * a field beside the request reports the same.
 */
export function saysNotCached(text: string): boolean {
  return /^\w{1,20} not kept\b/.test(text);
}

export function notCached(): Failed {
  return { kind: 'failed', reason: l10n.t('the service has no cached answer for this'), outage: false };
}

/** The result of one requested fact. */
export type LookupResult<T> =
  /** `lifetime`: for how many ms the service allows it to be cached; `bytes`: its approximate size. */
  | { readonly kind: 'facts'; readonly facts: T; readonly lifetime?: number; readonly bytes: number }
  /** `isMalicious`: of a version that the service finds to be malware all the same. */
  | { readonly kind: 'unknown'; readonly isMalicious?: true }
  | Failed
  | { readonly kind: 'aborted' };

export interface Failed {
  readonly kind: 'failed';
  readonly reason: string;
  /** The service was not reached, or failed: the request is not to blame. */
  readonly outage: boolean;
  /** The earliest time for the next request, in ms since the epoch, if known. */
  readonly until?: number;
  /** The service rejected the request, and may accept a smaller one. */
  readonly refused?: true;
}

export type ParsedResponse<T> =
  | { readonly kind: 'read'; readonly value: T; readonly bytes: number; readonly lifetime?: number }
  | Failed
  | { readonly kind: 'aborted' };

/**
 * Parses a response into a value, or into the reason of the failure.
 * @param readText reads a usual response without `JSON.parse`, or returns undefined
 */
export function parseResponse<T>(
  sent: SendResult,
  read: (value: unknown) => T,
  readText?: (text: string) => T | undefined,
): ParsedResponse<T> {
  switch (sent.kind) {
    case 'aborted':
      return sent;
    case 'refused':
      return { kind: 'failed', reason: sent.backoff.reason, until: sent.backoff.until, outage: true };
    case 'failure':
      return { kind: 'failed', reason: sent.reason, outage: sent.isRetryable };
    case 'answer':
      if (sent.status !== 200) return toFailure(sent.status, sent.text);
      switch (excessOf(sent.text, MAX_VALUES)) {
        case 'depth':
          return { kind: 'failed', reason: 'the answer is nested too deeply', outage: false };
        case 'values':
          return { kind: 'failed', reason: 'the answer contains too many values', outage: false };
        case undefined:
      }
      try {
        const value = readText?.(sent.text) ?? read(JSON.parse(sent.text));
        const lifetime = lifetimeLeft(sent.headers);
        return { kind: 'read', value, bytes: sent.text.length, ...(lifetime !== undefined && { lifetime }) };
      } catch (error) {
        if (error instanceof Malformed) return { kind: 'failed', reason: error.message, outage: false };
        return { kind: 'failed', reason: notJson(sent.headers['content-type']), outage: false };
      }
  }
}

/** In a response. The longest known list of versions (a package with 30,000) has 300,000. */
const MAX_VALUES = 1_000_000;

function toFailure(status: number, body: string): Failed {
  const outage = status === 429 || status >= 500;
  if (status === 429) return { kind: 'failed', reason: l10n.t('the service requested a wait'), outage };
  // The service sends errors as plain text. A page of a proxy is not shown.
  const [line = ''] = isPage(body) ? [] : detached(body.slice(0, 1000)).trim().split('\n', 1);
  const refused = status === 400 || status === 413 || status === 414 || status === 422;
  const answered = l10n.t('the service answered with status {0}', status);
  const reason = line === '' ? answered : `${answered}: ${oneLine(line, 200)}`;
  return { kind: 'failed', reason, outage, ...(refused && { refused }) };
}

function notJson(contentType: string | undefined): string {
  return contentType && !/json/.test(contentType)
    ? l10n.t('the answer is {0} instead of JSON', contentType)
    : l10n.t('the answer is not JSON');
}

/**
 * `public, max-age=3600` → 3,600,000 ms, less the time for which a cache on the way has kept the answer; undefined if
 * there is no lifetime. Source: RFC 9111, 4.2.
 */
function lifetimeLeft(headers: Answer['headers']): number | undefined {
  const cacheControl = headers['cache-control'] ?? '';
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return 0;
  const lifetime = /\bmax-age\s*=\s*"?(\d{1,10})/i.exec(cacheControl)?.[1];
  const [age = '0'] = /^\d{1,10}$/.exec(headers['age'] ?? '') ?? [];
  return lifetime === undefined ? undefined : Math.max(0, Number(lifetime) - Number(age)) * 1000;
}

/** The parsed address of a service. */
export interface Address {
  /** `https://host:port` */
  readonly origin: string;
  /** The path before `/v3alpha`: `''`, or `/insights`. */
  readonly prefix: string;
}

/** Reads a base URL; undefined if it is not an http(s) address. */
export function readAddress(baseUrl: string): Address | undefined {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  // An address that was copied from a request contains the version of the API.
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '').replace(/\/v3alpha$/, '') };
}

/** Percent-encodes a value for a path or query. Half a surrogate pair, which a hostile file can hold, is replaced. */
export function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}
