import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Allowance, createAllowance } from '../base/allowance.ts';
import { PAGE_SIZE } from './batch.ts';
import { freshnessHeaders } from './freshness.ts';
import { isOwnHost } from './own-host.ts';
import type { Reply } from './replies.ts';
import { answerRequest, type ServiceRequest } from './routes.ts';
import type { Source } from './source.ts';

export interface ServiceOptions {
  readonly source: Source;
  /** 0, the default, takes any that is free. */
  readonly port?: number;
  readonly host?: string;
  /**
   * Only requests to this host are answered. `names`: further names of this machine, in lower case. Absent: every host,
   * for tests.
   */
  readonly ownHost?: { readonly names: readonly string[] };
  /** Whether the answers are private: pages of other origins may not read them. */
  readonly isPrivate?: true;
  /** Further services, each below its name: `/code-host/…`. */
  readonly services?: readonly ServedService[];
  /** Called with every answered request of a further service. */
  readonly onServed?: (call: AnsweredCall) => void;
  /** Answers in one page of a batch. */
  readonly pageSize?: number;
  /** Called with every request, once its body has arrived, before it is answered. */
  readonly onRequest?: (request: ReceivedRequest) => void;
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
  /** Answers the requests that have arrived, then ends every connection. */
  close(): Promise<void>;
}

const limits = {
  /** 5000 requests with names of 200 characters are below 2 MiB. */
  bodyBytes: 16 * 1024 * 1024,
  /** Of all requests and answers that are under way. */
  heldBytes: 64 * 1024 * 1024,
  /** How much more a client that sends too much may send before its connection ends. */
  heardOutBytes: 16 * 1024 * 1024,
  /** For a whole request to arrive, in ms. */
  request: 60_000,
  /** Below this, compression costs more than it saves. */
  gzipFromBytes: 1024,
} as const;

const compress = promisify(gzip);

/** Starts the Package Insights Service. Rejects where the port is taken. */
export async function serveHttp(options: ServiceOptions): Promise<RunningService> {
  const { source, port = 0, host = '127.0.0.1', pageSize = PAGE_SIZE, ownHost } = options;
  const answering = new Set<ServerResponse>();
  const room = createAllowance(limits.heldBytes);
  let closing = false;
  const server = createServer({ requestTimeout: limits.request }, async (request, response) => {
    const isOwn = ownHost === undefined || isOwnHost(request.headers.host, host, ownHost.names);
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
    const { method = '', url: target = '' } = request;
    const rendered = await guarded(options, async () => {
      if ((request.headersDistinct['host']?.length ?? 0) > 1) return render(twoHosts, options);
      if (!isOwn) return render(elsewhere, options);
      if (typeof body === 'string') return render(body === 'busy' ? busy : tooLarge, options);
      const found = serviceOf(options, target);
      if (found) return answerService(found, { method, target, body: body.text }, request, options);
      options.onRequest?.({ method, path: target, body: body.text });
      const { reply } = await answerRequest(source, pageSize, { method, target, body: body.text });
      return render(reply, options);
    });
    // A client that requests much and reads nothing makes the answers accumulate.
    const isHeld = room.take(rendered.body.length);
    if (isHeld) held = rendered.body.length;
    await send(request, response, isHeld ? rendered : render(busy, options));
  });
  await new Promise<void>((resolve, reject) => {
    // The service survives a connection that cannot be accepted, too.
    server.on('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    close: () =>
      new Promise((resolve) => {
        closing = true;
        server.close(() => resolve());
        if (answering.size === 0) server.closeAllConnections();
      }),
  };
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
  const answer = 'kind' in reply ? render(reply, { ...options, isPrivate: true }) : renderPlain(reply);
  const [path = ''] = target.split('?');
  const userAgent = headers['user-agent'] ?? '';
  const responseBytes = answer.body.length;
  options.onServed?.({ service: service.name, method, path, userAgent, address, responseBytes });
  // What one caller may know is kept for no other.
  return { ...answer, headers: { ...answer.headers, 'Cache-Control': 'private, no-cache' } };
}

function renderPlain({ status, headers, body }: PlainReply): Rendered {
  return { status, headers: { ...headers, 'X-Content-Type-Options': 'nosniff' }, body: Buffer.from(body) };
}

const tooLarge: Reply = { kind: 'text', status: 413, text: 'the body is too large' };
const busy: Reply = { kind: 'text', status: 503, text: 'too much is asked at once', retryAfter: 1 };
/** Programs on the way may have read another one. Source: RFC 9112, 3.2. */
const twoHosts: Reply = { kind: 'text', status: 400, text: 'more than one Host' };
const elsewhere: Reply = {
  kind: 'text',
  status: 421,
  text: 'only requests to the address of this service are answered; --allow-host NAME adds another name',
};

/** The one place that catches our own errors, and answers them as the contract requires. */
async function guarded(options: ServiceOptions, call: () => Promise<Rendered>): Promise<Rendered> {
  try {
    return await call();
  } catch (fault) {
    options.onFault?.(fault);
    return render({ kind: 'text', status: 500, text: 'internal error' }, options);
  }
}

/** For how long an answer is fresh, in seconds. The public instance sends the same. */
const MAX_AGE = 3600;

interface Rendered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

function render(reply: Reply, { isPrivate }: Pick<ServiceOptions, 'isPrivate'>): Rendered {
  const scope: Record<string, string> = isPrivate
    ? { 'Cross-Origin-Resource-Policy': 'same-origin', 'X-Content-Type-Options': 'nosniff' }
    : { 'Access-Control-Allow-Origin': '*' };
  const common = { ...scope, Vary: 'Accept-Encoding' };
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

type Body = { readonly text: string } | 'too large' | 'busy' | 'gone';

/**
 * Reads the body. A client that disconnects early gets no answer. One that sends too much is answered at once, and its
 * body is drained for a while so that it reads the answer.
 */
function readBody(request: IncomingMessage, room: Allowance): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let held = 0;
    let unheard = 0;
    const end = (body: Body): void => {
      room.give(held);
      held = 0;
      chunks.length = 0;
      resolve(body);
    };
    request.on('data', (chunk: Buffer) => {
      if (unheard > 0) {
        unheard += chunk.length;
        if (unheard > limits.heardOutBytes) request.destroy();
        return;
      }
      const isLarge = held + chunk.length > limits.bodyBytes;
      if (!isLarge && room.take(chunk.length)) {
        held += chunk.length;
        chunks.push(chunk);
      } else {
        unheard = chunk.length;
        end(isLarge ? 'too large' : 'busy');
      }
    });
    request.on('end', () => end({ text: Buffer.concat(chunks).toString() }));
    request.on('error', () => end('gone'));
    request.on('close', () => end('gone'));
  });
}

async function send(request: IncomingMessage, response: ServerResponse, rendered: Rendered): Promise<void> {
  const { status, headers, body: plain } = rendered;
  const packed = plain.length >= limits.gzipFromBytes && acceptsGzip(request.headers['accept-encoding'] ?? '');
  const body = packed ? await compress(plain) : plain;
  const encoding: Record<string, string> = packed ? { 'Content-Encoding': 'gzip' } : {};
  response.writeHead(status, { ...headers, ...encoding, 'Content-Length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** `gzip, br` and `*` do, `gzip;q=0` does not. */
function acceptsGzip(header: string): boolean {
  const wishes = header.split(',').map((it) => it.split(';').map((part) => part.trim().toLowerCase()));
  const wish = wishes.find(([name]) => name === 'gzip') ?? wishes.find(([name]) => name === '*');
  return wish !== undefined && !/^q=0(\.0*)?$/.test(wish[1] ?? '');
}
