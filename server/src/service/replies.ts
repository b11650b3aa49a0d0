import type { SourceAnswer } from './source.ts';

/** The reply of a route; the server turns it into HTTP. */
export type Reply =
  /** `status`: 200 if it is absent. Others have an object only in services whose errors are JSON. */
  | { readonly kind: 'json'; readonly body: object; readonly status?: number }
  /** Of the Package Insights Service, every status but 200 has a plain sentence as its body. */
  | {
      readonly kind: 'text';
      readonly status: number;
      readonly text: string;
      readonly allow?: string;
      /** In seconds. */
      readonly retryAfter?: number;
    };

export function jsonReply(body: object): Reply {
  return { kind: 'json', body };
}

export function notFound(what: string): Reply {
  return { kind: 'text', status: 404, text: `${what} not found` };
}

/**
 * Other clients see "not found", the nearest status of the interface. Ours tells the two apart by these words.
 */
function notKept(what: string): Reply {
  return { kind: 'text', status: 404, text: `${what} not kept: only what was asked before is answered here` };
}

/** @param missing names the missing thing of a 404; without it `what` does */
export function replyWith(found: SourceAnswer<object>, what: string, missing: () => string = () => what): Reply {
  if (found === 'not kept') return notKept(what);
  return found === undefined ? notFound(missing()) : jsonReply(found);
}

export function badRequest(reason: string): Reply {
  return { kind: 'text', status: 400, text: reason };
}
