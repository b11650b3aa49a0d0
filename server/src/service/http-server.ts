import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createAllowance } from '../base/allowance.ts';
import { type Audience, audienceHeaders, preflightHeaders } from './audience.ts';
import { PAGE_SIZE } from './batch.ts';
import { freshnessHeaders } from './freshness.ts';
import { type Body, readBody } from './http-body.ts';
import { encodeBody } from './http-encoding.ts';
import { isOwnHost } from './own-host.ts';
import type { Reply } from './replies.ts';
import { answerRequest, type ServiceRequest } from './routes.ts';
import type { Source } from './source.ts';

export interface ServiceOptions extends Audience {
  readonly source: Source;
  /** 0, the default, takes any that is free. */
  readonly port?: number;
  readonly host?: string;
  /**
   * Only requests to this host are answered. `names`: further names of this machine, in lower case. Absent: every host,
   * for tests.
   */
  readonly ownHost?: { readonly names: readonly string[] };
  /** A certificate with its chain and its private key, as PEM. Absent: without encryption. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Whether a request may be answered, by its `Authorization`. Absent: every one. */
  readonly isAllowed?: (authorization: string | undefined) => boolean;
  /** Pages of the operator by path: `/readyz`. */
  readonly pages?: Readonly<Record<string, OperatorPage>>;
  /** Further services, each below its name: `/code-host/…`. */
  readonly services?: readonly ServedService[];
  /** Called with every answered request of a further service. */
  readonly onServed?: (call: AnsweredCall) => void;
  /** Answers in one page of a batch. */
  readonly pageSize?: number;
  /** Called with every request, once its body has arrived, before it is answered. */
  readonly onRequest?: (request: ReceivedRequest) => void;
  /** Called with every request that was answered, or whose client has left. */
  readonly onAnswered?: (answered: AnsweredRequest) => void;
  /** Called with the error of a request that was answered with 500. */
  readonly onFault?: (fault: unknown) => void;
}

/** A service beside the Package Insights Service. */
export interface ServedService {
  /** The first segment of its paths: `code-host`. */
  readonly name: string;
  /** Undefined for a path that it does not have. */
  answer(request: ServicesRequest): Reply | PlainReply | undefined;
}

/** A request to a further service. Its target begins behind the name of the service. */
export interface ServicesRequest extends ServiceRequest {
  /** By lower-case name. `host` includes the path to the service: `127.0.0.1:8080/code-host`. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The network address of the caller. */
  readonly address: string;
}

export interface OperatorPage {
  /** Whether it is answered to everyone, as the question of a load balancer is. */
  readonly isOpen: boolean;
  answer(): Promise<PlainReply>;
}

export interface AnsweredRequest {
  /** `X-Request-Id` of the request, or a new one; the response has it, too. */
  readonly id: string;
  readonly method: string;
  /** A method of the interface, a page, or the name of a further service; `none` for everything else. */
  readonly route: string;
  readonly status: number;
  /** From the arrival of its headers to the end of the response. */
  readonly seconds: number;
  /** Of the body, as sent. */
  readonly bytes: number;
}

/** A reply with headers of its own. */
export interface PlainReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AnsweredCall {
  /** The name of the service. */
  readonly service: string;
  readonly method: string;
  /** Without the query, which may contain a credential. */
  readonly path: string;
  readonly userAgent: string;
  readonly address: string;
  readonly responseBytes: number;
}

export interface ReceivedRequest {
  readonly method: string;
  /** With the query, as in the request line. */
  readonly path: string;
  readonly body: string;
}

export interface RunningService {
  /** Without a slash at its end: `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /**
   * Accepts nothing more, answers the requests that have arrived, and ends every connection.
   * @param patience in ms: what is not answered by then is not answered
   */
  close(patience?: number): Promise<void>;
}

const limits = {
  /** Of all requests and answers that are under way. */
  heldBytes: 64 * 1024 * 1024,
  /** For a whole request to arrive, in ms. */
  request: 60_000,
} as const;

/** Starts the Package Insights Service. Rejects if the port is taken or the certificate is invalid. */
export async function serveHttp(options: ServiceOptions): Promise<RunningService> {
  const { port = 0, host = '127.0.0.1', tls } = options;
  const answering = new Set<ServerResponse>();
  const room = createAllowance(limits.heldBytes);
  let closing = false;
  const server = createWith(tls, async (request, response) => {
    const answered = watch(request, response, options);
    const body = await readBody(request, room);
    if (body === 'gone') return;
    answering.add(response);
    let held = 0;
    response.once('close', () => {
      room.give(held);
      answering.delete(response);
      if (closing && answering.size === 0) server.closeAllConnections();
    });
    if (closing) response.setHeader('Connection', 'close');
    const audience = audienceHeaders(options, request.headers.origin);
    const { rendered, route } = await guarded(options, audience, () => answer(request, body, audience, options));
    answered.route = route;
    // A client that requests much and reads nothing makes the answers accumulate.
    const isHeld = room.take(rendered.body.length);
    if (isHeld) held = rendered.body.length;
    answered.bytes = await send(request, response, isHeld ? rendered : render(busy, options, audience));
  });
  await new Promise<void>((resolve, reject) => {
    // The service survives a connection that cannot be accepted, too.
    server.on('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    close: (patience) =>
      new Promise((resolve) => {
        closing = true;
        const late = patience === undefined ? undefined : setTimeout(() => server.closeAllConnections(), patience);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
        if (answering.size === 0) server.closeAllConnections();
      }),
  };
}

function createWith(tls: ServiceOptions['tls'], listener: RequestListener): Server {
  const options = { requestTimeout: limits.request };
  return tls ? createSecureServer({ ...options, ...tls }, listener) : createServer(options, listener);
}

/** Reports the request when it has ended. What is found out about it in between is set on the result. */
function watch(
  request: IncomingMessage,
  response: ServerResponse,
  { onAnswered }: ServiceOptions,
): { route: string; bytes: number } {
  const found = { route: 'none', bytes: 0 };
  if (onAnswered === undefined) return found;
  const started = performance.now();
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', id);
  response.once('close', () => {
    const { statusCode: status, headersSent } = response;
    const { method = '' } = request;
    const seconds = (performance.now() - started) / 1000;
    // Source: nginx, which logs 499 where the client has closed the request.
    onAnswered({ id, method, ...found, status: headersSent ? status : 499, seconds });
  });
  return found;
}

interface RoutedAnswer {
  readonly rendered: Rendered;
  readonly route: string;
}

async function answer(
  request: IncomingMessage,
  body: Exclude<Body, 'gone'>,
  audience: Rendered['headers'],
  options: ServiceOptions,
): Promise<RoutedAnswer> {
  const { source, host = '127.0.0.1', pageSize = PAGE_SIZE, ownHost, isAllowed } = options;
  const { method = '', url: target = '', headers } = request;
  const refused = (reply: Reply, more: Rendered['headers'] = {}): RoutedAnswer => {
    const rendered = render(reply, options, audience);
    return { route: 'none', rendered: { ...rendered, headers: { ...rendered.headers, ...more } } };
  };
  if ((request.headersDistinct['host']?.length ?? 0) > 1) return refused(twoHosts);
  if (ownHost !== undefined && !isOwnHost(headers.host, host, ownHost.names)) return refused(elsewhere);
  const preflight = preflightHeaders(options, method, headers);
  if (preflight) return { route: 'none', rendered: { status: 204, headers: preflight, body: Buffer.alloc(0) } };
  const page = Object.hasOwn(options.pages ?? {}, target) ? options.pages?.[target] : undefined;
  if (!page?.isOpen && isAllowed?.(headers.authorization) === false)
    return refused(unauthorized, { 'WWW-Authenticate': 'Bearer' });
  if (typeof body === 'string') return refused(body === 'busy' ? busy : tooLarge);
  if (page) return { route: target, rendered: renderPlain(await page.answer()) };
  const found = serviceOf(options, target);
  if (found) {
    const rendered = answerService(found, { method, target, body: body.text }, request, options);
    return { route: found.service.name, rendered };
  }
  options.onRequest?.({ method, path: target, body: body.text });
  const { reply, route } = await answerRequest(source, pageSize, { method, target, body: body.text });
  return { route, rendered: render(reply, options, audience) };
}

interface FoundService {
  readonly service: ServedService;
  /** Behind its name. */
  readonly target: string;
}

function serviceOf({ services = [] }: ServiceOptions, target: string): FoundService | undefined {
  const [, name, rest = ''] = /^\/([a-z-]+)(\/.*)$/s.exec(target) ?? [];
  const service = services.find((it) => it.name === name);
  return service && { service, target: rest };
}

function answerService(
  { service, target }: FoundService,
  { method, body }: ServiceRequest,
  { headers, socket }: IncomingMessage,
  options: ServiceOptions,
): Rendered {
  const address = socket.remoteAddress ?? '';
  const single = Object.fromEntries(
    Object.entries(headers).map(([name, it]) => [name, Array.isArray(it) ? it.join(', ') : it]),
  );
  const host = `${headers.host ?? ''}/${service.name}`;
  const reply =
    service.answer({ method, target, body, address, headers: { ...single, host } }) ??
    ({ kind: 'json', status: 404, body: { error: { code: 404, message: 'not found' } } } as const);
  const answer = 'kind' in reply ? renderPrivate(reply) : renderPlain(reply);
  const [path = ''] = target.split('?');
  const userAgent = headers['user-agent'] ?? '';
  const responseBytes = answer.body.length;
  options.onServed?.({ service: service.name, method, path, userAgent, address, responseBytes });
  // What one caller may know is kept for no other.
  return { ...answer, headers: { ...answer.headers, 'Cache-Control': 'private, no-cache' } };
}

function renderPrivate(reply: Reply): Rendered {
  const only = { isPrivate: true };
  return render(reply, only, audienceHeaders(only, undefined));
}

function renderPlain({ status, headers, body }: PlainReply): Rendered {
  return { status, headers: { ...headers, 'X-Content-Type-Options': 'nosniff' }, body: Buffer.from(body) };
}

const tooLarge: Reply = { kind: 'text', status: 413, text: 'the body is too large' };
const busy: Reply = { kind: 'text', status: 503, text: 'too much is asked at once', retryAfter: 1 };
const unauthorized: Reply = { kind: 'text', status: 401, text: 'a valid bearer token is required' };
/** Programs on the way may have read another one. Source: RFC 9112, 3.2. */
const twoHosts: Reply = { kind: 'text', status: 400, text: 'more than one Host' };
const elsewhere: Reply = {
  kind: 'text',
  status: 421,
  text: 'only requests to the address of this service are answered; --allow-host NAME adds another name',
};

/** The one place that catches our own errors, and answers them as the contract requires. */
async function guarded(
  options: ServiceOptions,
  audience: Rendered['headers'],
  call: () => Promise<RoutedAnswer>,
): Promise<RoutedAnswer> {
  try {
    return await call();
  } catch (fault) {
    options.onFault?.(fault);
    return {
      route: 'none',
      rendered: render({ kind: 'text', status: 500, text: 'internal error' }, options, audience),
    };
  }
}

/** For how long an answer is fresh, in seconds. The public instance sends the same. */
const MAX_AGE = 3600;

interface Rendered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** @param common headers of every answer to this request */
function render(reply: Reply, { isPrivate }: Audience, common: Rendered['headers']): Rendered {
  const kept = reply.freshness && freshnessHeaders(reply.freshness);
  if (reply.kind === 'json') {
    const { status = 200 } = reply;
    const maxAge = reply.freshness?.lifetime ?? MAX_AGE;
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': status === 200 ? `${isPrivate ? 'private' : 'public'}, max-age=${maxAge}` : 'no-store',
    };
    return { status, headers: { ...headers, ...kept, ...common }, body: Buffer.from(JSON.stringify(reply.body)) };
  }
  const { allow, retryAfter } = reply;
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    ...(allow !== undefined && { Allow: allow }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    ...kept,
    ...common,
  };
  return { status: reply.status, headers, body: Buffer.from(reply.text) };
}

/** @returns the bytes of the body, as sent */
async function send(request: IncomingMessage, response: ServerResponse, rendered: Rendered): Promise<number> {
  const { status, headers, body: plain } = rendered;
  const { body, headers: encoding } = await encodeBody(plain, request.headers['accept-encoding'] ?? '');
  response.writeHead(status, { ...headers, ...encoding, 'Content-Length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
  return body.length;
}
