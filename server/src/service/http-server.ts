import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type Allowance, createShares } from '../engine/base/allowance.ts';
import { type Audience, audienceHeaders, preflightHeaders } from './audience.ts';
import { PAGE_SIZE } from './batch.ts';
import { boundConnections, type ConnectionLimits, holderOf } from './connections.ts';
import { freshnessHeaders } from './freshness.ts';
import { hearOut, readBody } from './http-body.ts';
import { encodeBody } from './http-encoding.ts';
import { isOwnHost } from './own-host.ts';
import type { Reply } from './replies.ts';
import { answerRequest, readsBody, type ServiceRequest } from './routes.ts';
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
  /** Other limits, for tests. */
  readonly limits?: Partial<ListenerLimits>;
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
  /**
   * Whether the answer to a request depends on its body, and the caller may send one. Otherwise it is answered with an empty
   * body, and none is read. Absent: no answer does.
   */
  readsBody?(request: ServicesHead): boolean;
  /** Undefined for a path that it does not have. */
  answer(request: ServicesRequest): Reply | PlainReply | undefined;
}

/** A request before its body. */
export type ServicesHead = Omit<ServicesRequest, 'body'>;

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

export interface ListenerLimits {
  /** Of all requests and answers that are under way, in bytes. */
  readonly heldBytes: number;
  /** The same of one address. */
  readonly heldOfOne: number;
  readonly connections: ConnectionLimits;
  /** For the head of a request to arrive, and for a TLS handshake, in ms. */
  readonly head: number;
  /** For a whole request to arrive, in ms. */
  readonly request: number;
  /** For a client to take some of its answer, in ms. */
  readonly unread: number;
}

const usualLimits: ListenerLimits = {
  heldBytes: 64 * 1024 * 1024,
  // Behind a proxy, all are of one address.
  heldOfOne: 32 * 1024 * 1024,
  // Below the 1024 open files that a process may have on most systems.
  connections: { all: 900, ofOne: 300 },
  head: 15_000,
  request: 60_000,
  unread: 30_000,
};

/** How often connections are looked at whose time is over, in ms. A divisor of the limits. */
const LOOK_INTERVAL = 5_000;

/** Starts the Package Insights Service. Rejects if the port is taken or the certificate is invalid. */
export async function serveHttp(options: ServiceOptions): Promise<RunningService> {
  const { port = 0, host = '127.0.0.1', tls } = options;
  const limits = { ...usualLimits, ...options.limits };
  const answering = new Set<ServerResponse>();
  const shares = createShares(limits.heldBytes, limits.heldOfOne);
  let closing = false;
  async function take(request: IncomingMessage, response: ServerResponse, isAsking: boolean): Promise<void> {
    const answered = watch(request, response, options);
    const audience = audienceHeaders(options, request.headers.origin);
    const room = shares.of(holderOf(request.socket.remoteAddress ?? ''));
    const admitted = admitGuarded(request, audience, options);
    const answer = await bodyFor(request, response, isAsking, admitted, room);
    if (answer === 'gone') return;
    answering.add(response);
    const letGo = connections.hold(request.socket);
    let held = 0;
    response.once('close', () => {
      room.give(held);
      letGo();
      answering.delete(response);
      if (closing && answering.size === 0) server.closeAllConnections();
    });
    if (closing) response.setHeader('Connection', 'close');
    const { rendered, route, isFree = false } = await guarded(options, audience, answer);
    answered.route = route;
    // A client that requests much and reads nothing makes the answers accumulate.
    const isHeld = isFree || room.take(rendered.body.length);
    if (isHeld && !isFree) held = rendered.body.length;
    response.setTimeout(limits.unread);
    answered.bytes = await send(request, response, isHeld ? rendered : render(busy, options, audience));
  }
  const server = createWith(tls, limits, (request, response) => void take(request, response, false));
  // The client asks whether it may send its body.
  server.on('checkContinue', (request, response) => void take(request, response, true));
  const connections = boundConnections(server, limits.connections);
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

function createWith(tls: ServiceOptions['tls'], { head, request }: ListenerLimits, listener: RequestListener): Server {
  const connectionsCheckingInterval = Math.min(LOOK_INTERVAL, head, request);
  const options = { requestTimeout: request, headersTimeout: head, connectionsCheckingInterval };
  return tls
    ? createSecureServer({ ...options, ...tls, handshakeTimeout: head }, listener)
    : createServer(options, listener);
}

/** The body of a request, where it is read at all, and what answers then. */
async function bodyFor(
  request: IncomingMessage,
  response: ServerResponse,
  isAsking: boolean,
  admitted: Admitted,
  room: Allowance,
): Promise<(() => Promise<RoutedAnswer>) | 'gone'> {
  if (admitted.kind === 'without a body') {
    hearOut(request);
    // A client that was not told to go on may send its body all the same, or another request in its place.
    if (isAsking) response.setHeader('Connection', 'close');
    return admitted.answer;
  }
  if (isAsking) response.writeContinue();
  const body = await readBody(request, room);
  if (body === 'gone') return body;
  return typeof body === 'string'
    ? async () => admitted.refuse(body === 'busy' ? busy : tooLarge)
    : () => admitted.answer(body.text);
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
  /** Of an operator's page: it counts against no share. */
  readonly isFree?: true;
}

/** What a request is answered with, by its head alone. */
type Admitted =
  | { readonly kind: 'without a body'; readonly answer: () => Promise<RoutedAnswer> }
  | {
      readonly kind: 'with its body';
      readonly answer: (body: string) => Promise<RoutedAnswer>;
      readonly refuse: (reply: Reply) => RoutedAnswer;
    };

/** Host, token and path decide, in this order, before a byte of the body is read. */
function admit(request: IncomingMessage, audience: Rendered['headers'], options: ServiceOptions): Admitted {
  const { source, host = '127.0.0.1', pageSize = PAGE_SIZE, ownHost, isAllowed } = options;
  const { method = '', url: target = '', headers } = request;
  const refuse = (reply: Reply, more: Rendered['headers'] = {}): RoutedAnswer => {
    const rendered = render(reply, options, audience);
    return { route: 'none', rendered: { ...rendered, headers: { ...rendered.headers, ...more } } };
  };
  const at = (answer: RoutedAnswer): Admitted => ({ kind: 'without a body', answer: async () => answer });
  if ((request.headersDistinct['host']?.length ?? 0) > 1) return at(refuse(twoHosts));
  if (ownHost !== undefined && !isOwnHost(headers.host, host, ownHost.names)) return at(refuse(elsewhere));
  const preflight = preflightHeaders(options, method, headers);
  if (preflight) return at({ route: 'none', rendered: { status: 204, headers: preflight, body: Buffer.alloc(0) } });
  const page = Object.hasOwn(options.pages ?? {}, target) ? options.pages?.[target] : undefined;
  if (!page?.isOpen && isAllowed?.(headers.authorization) === false)
    return at(refuse(unauthorized, { 'WWW-Authenticate': 'Bearer' }));
  if (page) {
    const answer = async () => ({ route: target, rendered: renderPlain(await page.answer()), isFree: true }) as const;
    return { kind: 'without a body', answer };
  }
  const found = serviceOf(options, target);
  const answer = async (body: string): Promise<RoutedAnswer> => {
    if (found) return { route: found.service.name, rendered: answerService(found, body, request, options) };
    options.onRequest?.({ method, path: target, body });
    const { reply, route } = await answerRequest(source, pageSize, { method, target, body });
    return { route, rendered: render(reply, options, audience) };
  };
  const isRead = found ? found.service.readsBody?.(headOf(found, request)) === true : readsBody({ method, target });
  return isRead ? { kind: 'with its body', answer, refuse } : { kind: 'without a body', answer: () => answer('') };
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

function headOf({ service, target }: FoundService, { method = '', headers, socket }: IncomingMessage): ServicesHead {
  const single = Object.fromEntries(
    Object.entries(headers).map(([name, it]) => [name, Array.isArray(it) ? it.join(', ') : it]),
  );
  const host = `${headers.host ?? ''}/${service.name}`;
  return { method, target, address: socket.remoteAddress ?? '', headers: { ...single, host } };
}

function answerService(found: FoundService, body: string, request: IncomingMessage, options: ServiceOptions): Rendered {
  const { service } = found;
  const head = headOf(found, request);
  const reply =
    service.answer({ ...head, body }) ??
    ({ kind: 'json', status: 404, body: { error: { code: 404, message: 'unknown' } } } as const);
  const answer = 'kind' in reply ? renderPrivate(reply) : renderPlain(reply);
  const { method, address } = head;
  const [path = ''] = head.target.split('?');
  const userAgent = request.headers['user-agent'] ?? '';
  const responseBytes = answer.body.length;
  try {
    options.onServed?.({ service: service.name, method, path, userAgent, address, responseBytes });
  } catch (fault) {
    // A full disk costs the record of the call, not its answer.
    options.onFault?.(fault);
  }
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

function admitGuarded(request: IncomingMessage, audience: Rendered['headers'], options: ServiceOptions): Admitted {
  try {
    return admit(request, audience, options);
  } catch (fault) {
    return { kind: 'without a body', answer: () => Promise.reject(fault) };
  }
}

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
