import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Resolves when the connection of this request has gone before its answer ended. */
  readonly gone: Promise<void>;
}

/** Handles a request. */
export type Act = (request: Arrived, response: ServerResponse) => void | Promise<void>;

export interface ScriptedServer {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** Sets the handler of all further requests. */
  answer(act: Act): void;
  /** Sets handlers for the next requests, one each, before `answer` applies again. */
  script(...acts: readonly Act[]): void;
  /** Number of requests without an answer whose connections are open. */
  left(): number;
  /** Resolves when so many requests have arrived in all. */
  reached(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A scripted server on loopback, for the faults of real ones. */
export async function scriptedServer(act: Act = status(404, 'not found')): Promise<ScriptedServer> {
  const arrived: Arrived[] = [];
  const queue: Act[] = [];
  const waiting = new Set<{ readonly count: number; readonly resolve: () => void }>();
  const left = new Set<ServerResponse>();
  let usual = act;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const gone = new Promise<void>((resolve) => {
      response.once('close', () => {
        left.delete(response);
        if (!response.writableFinished) resolve();
      });
    });
    const { method = '', url: path = '', headers } = request;
    const seen: Arrived = { method, path, headers, body: Buffer.concat(chunks).toString(), gone };
    arrived.push(seen);
    const next = queue.shift() ?? usual;
    for (const it of waiting) {
      if (arrived.length >= it.count && waiting.delete(it)) it.resolve();
    }
    await next(seen, response);
    if (!response.writableEnded && !response.closed) left.add(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    answer: (next) => {
      usual = next;
    },
    script: (...acts) => void queue.push(...acts),
    left: () => left.size,
    reached: (count) =>
      arrived.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.add({ count, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Headers = Readonly<Record<string, string>>;

export function json(body: unknown, headers: Headers = {}): Act {
  return (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function gzipped(body: unknown): Act {
  return (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(gzipSync(JSON.stringify(body)));
}

export function status(code: number, text: string, headers: Headers = {}): Act {
  return (_, response) => void response.writeHead(code, { 'content-type': 'text/plain', ...headers }).end(text);
}

/** The connection breaks before anything was answered. */
export const reset: Act = (_, response) => void response.socket?.resetAndDestroy();

/** The connection breaks within the answer. */
export function resetWithin(text: string): Act {
  return (_, response) =>
    new Promise((resolve) => {
      response.once('close', resolve);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
      response.write(text.slice(0, text.length / 2), () => response.socket?.resetAndDestroy());
    });
}

/** Nothing is ever answered. */
export const stall: Act = () => {};

/** The answer begins, and never ends. */
export function stallWithin(text: string): Act {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(text);
  };
}

/** Answers when the test says so. */
export function held(act: Act): { readonly act: Act; readonly release: () => void } {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    act: async (request, response) => {
      await released;
      await act(request, response);
    },
    release,
  };
}
