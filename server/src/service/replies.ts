import type { Answer, Freshness } from './source.ts';

/** The reply of a route; the server turns it into HTTP. */
export type Reply =
  /** `status`: 200 if it is absent. Others have an object only in services whose errors are JSON. */
  | { readonly kind: 'json'; readonly body: object; readonly status?: number; readonly freshness?: Freshness }
  /** Of the Package Insights Service, every status but 200 has a plain sentence as its body. */
  | {
      readonly kind: 'text';
      readonly status: number;
      readonly text: string;
      readonly allow?: string;
      /** In seconds. */
      readonly retryAfter?: number;
      readonly freshness?: Freshness;
    };

/** @param freshness that of the oldest part */
export function jsonReply(body: object, freshness?: Freshness): Reply {
  return { kind: 'json', body, ...(freshness && { freshness }) };
}

export function notFound(what: string): Reply {
  return { kind: 'text', status: 404, text: `${what} not found` };
}

/**
 * Other clients see "not found", the nearest status of the interface. Ours tells the two apart by these words.
 */
function saysNotKept(what: string): Reply {
  return { kind: 'text', status: 404, text: `${what} not kept: only what was asked before is answered here` };
}

/** The service is to blame, not the request: the same request may be answered later. */
export function unavailable({ reason, retryAfter }: Answer<never> & { readonly kind: 'unavailable' }): Reply {
  return { kind: 'text', status: 503, text: reason, retryAfter };
}

/** @param what names the missing thing of a 404, unless the answer does */
export function replyWith(answer: Answer<object>, what: string): Reply {
  switch (answer.kind) {
    case 'found':
      return { kind: 'json', body: answer.body, ...(answer.freshness && { freshness: answer.freshness }) };
    case 'unknown':
      return { ...notFound(what), ...(answer.freshness && { freshness: answer.freshness }) };
    case 'not kept':
      return saysNotKept(what);
    case 'unavailable':
      return unavailable(answer);
  }
}

export function badRequest(reason: string): Reply {
  return { kind: 'text', status: 400, text: reason };
}
