import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { batchLimits } from './batch.ts';
import type { Reply } from './reply.ts';
import { answer } from './routes.ts';
import type { Source } from './source.ts';

export interface ServiceOptions {
  readonly source: Source;
  /** 0, the default, takes any that is free. */
  readonly port?: number;
  readonly host?: string;
  /** Answers in one page of a batch. */
  readonly pageSize?: number;
  /** Called with every request, once its body has arrived, before it is answered. */
  readonly onRequest?: (request: SeenRequest) => void;
  /** Called with what went wrong where a request was answered with 500. */
  readonly onFault?: (fault: unknown) => void;
}

export interface SeenRequest {
  readonly method: string;
  /** With the query, as it stood in the request line. */
  readonly path: string;
  readonly body: string;
}

export interface RunningService {
  /** Without a slash at its end: `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /** Answers what has arrived, then ends every connection. */
  close(): Promise<void>;
}

const limits = {
  /** 5000 requests with names of 200 characters are below 2 MiB. */
  bodyBytes: 16 * 1024 * 1024,
  /** Below this, compression costs more than it saves. */
  gzipFromBytes: 1024,
} as const;

const compress = promisify(gzip);

/** Starts the Package Insights Service. Rejects where the port is taken. */
export async function serve(options: ServiceOptions): Promise<RunningService> {
  const { source, port = 0, host = '127.0.0.1', pageSize = batchLimits.pageSize } = options;
  const answering = new Set<ServerResponse>();
  let closing = false;
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    if (body === 'gone') return;
    answering.add(response);
    response.once('close', () => {
      answering.delete(response);
      if (closing && answering.size === 0) server.closeAllConnections();
    });
    if (closing) response.setHeader('Connection', 'close');
    const { method = '', url: target = '' } = request;
    const rendered = guarded(options, () => {
      if (body === 'too large') return render(tooLarge);
      options.onRequest?.({ method, path: target, body: body.text });
      return render(answer(source, pageSize, { method, target, body: body.text }));
    });
    await send(request, response, rendered);
  });
  await new Promise<void>((resolve, reject) => {
    // A connection that cannot be taken is no end of the service, either.
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

const tooLarge: Reply = { kind: 'text', status: 413, text: 'the body is too large' };

/** The one place where a fault of ours is caught: the client hears of it as the contract has it. */
function guarded(options: ServiceOptions, call: () => Rendered): Rendered {
  try {
    return call();
  } catch (fault) {
    options.onFault?.(fault);
    return render({ kind: 'text', status: 500, text: 'internal error' });
  }
}

interface Rendered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

function render(reply: Reply): Rendered {
  const open = { 'Access-Control-Allow-Origin': '*', Vary: 'Accept-Encoding' };
  if (reply.kind === 'json') {
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, max-age=3600' };
    return { status: 200, headers: { ...headers, ...open }, body: Buffer.from(JSON.stringify(reply.body)) };
  }
  const allow = reply.allow === undefined ? {} : { Allow: reply.allow };
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', ...allow, ...open };
  return { status: reply.status, headers, body: Buffer.from(reply.text) };
}

/** The body. A client that goes away before its end has nothing to be answered; one that sends too much is heard out. */
function readBody(request: IncomingMessage): Promise<{ readonly text: string } | 'too large' | 'gone'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limits.bodyBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve('too large');
      }
    });
    request.on('end', () => resolve({ text: Buffer.concat(chunks).toString() }));
    request.on('error', () => resolve('gone'));
    request.on('close', () => resolve('gone'));
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
