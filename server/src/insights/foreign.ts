import * as l10n from '@vscode/l10n';
import type { Http, HttpAnswer, HttpRequest } from '../net/http.ts';
import type { Address } from './address.ts';
import { saysNotKept } from './not-kept.ts';

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
      return reason === undefined ? answer : { kind: 'failure', reason, again: true };
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
