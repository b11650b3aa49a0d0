import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { ProxySetting } from '../../server/src/engine/http/proxies.ts';
import type { Certificate } from './certificate.ts';

export interface TestProxy {
  readonly url: string;
  /** The request lines: `GET http://host/path`, `CONNECT host:443`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** The address of a proxy, as a variable gives it. */
export function proxySetting(address: string | null): ProxySetting {
  return { address, source: 'HTTPS_PROXY' };
}

/**
 * A proxy on loopback. Whatever host is named, it goes to a port of this machine.
 * @param credentials `user:password` to ask for
 * @param certificate what it shows, where it is spoken to over TLS
 */
export async function testProxy(
  targetPort: number,
  credentials?: string,
  certificate?: Certificate,
): Promise<TestProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const isAllowed = ({ headers }: IncomingMessage) => !expected || headers['proxy-authorization'] === expected;
  const forward: RequestListener = (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    asked.push(`${method} ${url}`);
    if (!isAllowed(incoming)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end('who are you');
      return;
    }
    const { pathname, search } = new URL(url);
    const onward = httpRequest({ port: targetPort, method, path: pathname + search, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  };
  const server = certificate ? createSecureServer({ ...certificate }, forward) : createServer(forward);
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    sockets.add(socket);
    socket.on('error', () => {});
    if (!isAllowed(incoming)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const onward = connect(targetPort, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'));
    sockets.add(onward);
    onward.on('error', () => {});
    onward.pipe(socket).pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
