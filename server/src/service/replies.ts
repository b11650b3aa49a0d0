import type { Told } from './source.ts';

/** What a route answers; the server turns it into HTTP. */
export type Reply =
  | { readonly kind: 'json'; readonly body: object }
  /** Anything but 200 is a plain sentence. */
  | {
      readonly kind: 'text';
      readonly status: number;
      readonly text: string;
      readonly allow?: string;
      /** In seconds. */
      readonly retryAfter?: number;
    };

export function json(body: object): Reply {
  return { kind: 'json', body };
}

export function notFound(what: string): Reply {
  return { kind: 'text', status: 404, text: `${what} not found` };
}

/**
 * Another client takes it for not found, which is the nearest that the interface has; ours tells the two apart by these
 * words.
 */
function notKept(what: string): Reply {
  return { kind: 'text', status: 404, text: `${what} not kept: only what was asked before is answered here` };
}

/** @param what is missing, where nothing is known */
export function told(found: Told<object>, what: string, missing: () => string = () => what): Reply {
  if (found === 'not kept') return notKept(what);
  return found === undefined ? notFound(missing()) : json(found);
}

export function badRequest(reason: string): Reply {
  return { kind: 'text', status: 400, text: reason };
}
