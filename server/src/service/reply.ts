/** What a route answers; the server turns it into HTTP. */
export type Reply =
  | { readonly kind: 'json'; readonly body: object }
  /** Anything but 200 is a plain sentence. */
  | { readonly kind: 'text'; readonly status: number; readonly text: string; readonly allow?: string };

export function json(body: object): Reply {
  return { kind: 'json', body };
}

export function notFound(what: string): Reply {
  return { kind: 'text', status: 404, text: `${what} not found` };
}

export function badRequest(reason: string): Reply {
  return { kind: 'text', status: 400, text: reason };
}
