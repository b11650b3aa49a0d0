/** Who may read the answers of a service, apart from the person who asks. */
export interface Audience {
  /** Whether they are private: no cache on the way keeps them. */
  readonly isPrivate?: boolean;
  /** The origins whose pages may read them. Absent: every origin, unless they are private. */
  readonly origins?: readonly string[];
}

/** The headers that tell browsers who may read an answer. @param origin `Origin` of the request */
export function audienceHeaders(
  { isPrivate = false, origins }: Audience,
  origin: string | undefined,
): Readonly<Record<string, string>> {
  if (origins === undefined && !isPrivate) return { 'Access-Control-Allow-Origin': '*', Vary: 'Accept-Encoding' };
  const vary = { Vary: origins ? 'Accept-Encoding, Origin' : 'Accept-Encoding', 'X-Content-Type-Options': 'nosniff' };
  if (origin !== undefined && origins?.includes(origin)) return { 'Access-Control-Allow-Origin': origin, ...vary };
  return { 'Cross-Origin-Resource-Policy': 'same-origin', ...vary };
}

/** In seconds. Browsers ask again after two hours at the latest. */
const PREFLIGHT_LIFETIME = '600';

/** What a page of a named origin may send. Undefined unless it is the question of its browser. Source: Fetch, “CORS protocol”. */
export function preflightHeaders(
  { origins }: Audience,
  method: string | undefined,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> | undefined {
  const { origin } = headers;
  if (method !== 'OPTIONS' || typeof origin !== 'string' || !origins?.includes(origin)) return undefined;
  if (headers['access-control-request-method'] === undefined) return undefined;
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'authorization, content-type',
    'Access-Control-Max-Age': PREFLIGHT_LIFETIME,
    Vary: 'Origin',
  };
}
