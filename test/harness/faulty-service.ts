import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/* A service that repeats the credential it was sent, in every way in which an answer can be wrong. */

export const secret = 'open/sesame+0123456789';

/** The secret as it may be written in texts, queries, JSON and other bytes, whatever is around it. */
export const forms: readonly string[] = [
  secret,
  encodeURIComponent(secret),
  secret.replaceAll('/', '\\/'),
  secret.replaceAll('/', '&#x2F;'),
  secret.replaceAll('+', '%2b'),
  Buffer.from(secret).toString('hex'),
  // In the middle of other bytes, base64 begins at one of three places.
  ...[0, 1, 2].flatMap((at) => {
    const whole = Buffer.concat([Buffer.alloc(at), Buffer.from(secret)]);
    const inner = whole.toString('base64').slice(at === 0 ? 0 : 4, -4);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  }),
];

export type Fault = (request: IncomingMessage, response: ServerResponse) => void;

const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

/** An event of our own client. */
const event = {
  name: secret,
  parameters: [
    { name: 'client_id', value: 'package-insights' },
    { name: 'method_name', value: secret },
  ],
};

const inForms = [
  ...['base64', 'base64url', 'hex'].map((it) => Buffer.from(`user:${secret}`).toString(it as BufferEncoding)),
  encodeURI(secret).replaceAll('+', '%2b'),
  secret.replaceAll('/', '&#x2F;'),
];
const encoded = {
  types: inForms,
  rate: inForms,
  threatLists: inForms,
  items: [{ events: inForms.map((value) => ({ ...event, parameters: [{ name: value, value }] })) }],
};

export const faults: Readonly<Record<string, Fault>> = {
  echo: ({ url, headers }, response) => json(response, 200, { url, headers, items: [{ events: [event] }] }),
  'echo in other forms': (_, response) => json(response, 200, encoded, { 'x-token': encoded.types[1] }),
  'other forms in an error': (_, response) => json(response, 400, { error: { message: encoded.types.join(' ') } }),
  'echo in an error': ({ url }, response) =>
    json(response, 403, { error: { message: `no access with ${secret} to ${url}` } }, { 'x-token': secret }),
  unauthorized: (_, response) => json(response, 401, { message: `bad credential ${encodeURIComponent(secret)}` }),
  limited: (_, response) => json(response, 429, { message: secret }, { 'retry-after': '1' }),
  broken: ({ url }, response) => response.writeHead(500, { 'content-type': 'text/plain' }).end(`${url} ${secret}`),
  garbage: (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"a": "${secret}" not json`),
  page: ({ url }, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${url}${secret}</p>`),
  redirect: ({ url }, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${elsewherePort}${url}` }).end(),
  'cut off': (request) => request.socket.destroy(),
};

/** The other host that `redirect` leads to. */
let elsewherePort = 0;

export interface FaultyService {
  /** `http://127.0.0.1:8080/api` */
  readonly url: string;
  /** Request lines and headers. */
  readonly received: readonly string[];
  /** Those of another host, for which nothing is meant. */
  readonly elsewhere: readonly string[];
  play(fault: Fault): void;
  close(): void;
}

export async function startFaultyService(): Promise<FaultyService> {
  const [received, elsewhere]: [string[], string[]] = [[], []];
  let fault: Fault = () => {};
  const server = createServer((request, response) => {
    received.push(JSON.stringify([request.url, request.headers]));
    fault(request, response);
  });
  const other = createServer(({ url, headers }, response) => {
    elsewhere.push(JSON.stringify([url, headers]));
    response.end('{}');
  });
  for (const it of [server, other]) await new Promise<void>((resolve) => it.listen(0, '127.0.0.1', resolve));
  elsewherePort = portOf(other);
  return {
    url: `http://127.0.0.1:${portOf(server)}/api`,
    received,
    elsewhere,
    play(next) {
      fault = next;
    },
    close() {
      for (const it of [server, other]) {
        it.closeAllConnections();
        it.close();
      }
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
