import * as l10n from '@vscode/l10n';
import type { Http, HttpAnswer, HttpRequest } from '../net/http.ts';
import type { Address } from './address.ts';
import { saysNotKept } from './not-kept.ts';

type Answer = HttpAnswer & { readonly kind: 'answer' };

/** Requests to the service, and to nobody else. */
export interface OwnHttp extends Pick<Http, 'request'> {
  /** An answer could be read: the service itself is at this address. */
  recognize(): void;
}

/**
 * Passes on what the service itself answers. What somebody else does, a server at an address that was mistyped, or a
 * network that wants to be signed in to, is an outage: it says nothing about any package.
 */
export function withoutForeign(http: Pick<Http, 'request'>, address: Address): OwnHttp {
  let isKnown = false;
  return {
    recognize() {
      isKnown = true;
    },
    async request(request) {
      const answer = await http.request(request);
      if (answer.kind !== 'answer') return answer;
      const reason = foreign(request, answer, isKnown, address);
      if (reason !== undefined) return { kind: 'failure', reason, again: true };
      if (answer.status === 404 && isOwnMiss(answer.text)) isKnown = true;
      return answer;
    },
  };
}

/** Why an answer is not the service's own. */
function foreign(
  { path }: HttpRequest,
  { status, headers, text }: Answer,
  isKnown: boolean,
  { origin, prefix }: Address,
): string | undefined {
  if (status >= 300 && status < 400) return elsewhere(headers['location']);
  if (status === 200 && isPage(text)) {
    return l10n.t('a web page came in place of an answer, perhaps that of a network to sign in to');
  }
  // The service asks nobody who they are, so somebody on the way does, or bars it.
  if (!isKnown && (status === 401 || status === 403)) return l10n.t('the service answered with status {0}', status);
  if ((status !== 404 && status !== 405) || isOwnMiss(text)) return undefined;
  // An instance may lack advisories, and say so as it likes; whoever asks for them has been told of them by one.
  if (path.includes('/v3alpha/advisories/')) return undefined;
  // Other instances may have other words for what they do not know, but hardly a page.
  return isKnown && !isPage(text) ? undefined : nobody(`${origin}${prefix}`);
}

/** In the service's words: `package not found`. The path of a request, which many servers repeat, has a slash. */
function isOwnMiss(text: string): boolean {
  if (saysNotKept(text)) return true;
  return /^[^/]{0,100}\b(?:system|package|version|requirements|purl)\b[^/]{0,100}\bnot found\b/i.test(text);
}

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
