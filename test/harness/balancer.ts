import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A load balancer on the loopback: requests go to the instances in turns. One that cannot be reached, or breaks off before
 * it has answered, is passed over, as `proxy_next_upstream error` of nginx does; answers are passed on as they are.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  let turn = 0;
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming);
    const first = turn++;
    for (let attempt = 0; attempt < ports.length; attempt++) {
      const port = ports[(first + attempt) % ports.length] ?? 0;
      if (await passOn(incoming, body, port, response)) return;
    }
    response.writeHead(502).end('no instance answers');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @returns false if nothing was answered */
function passOn(incoming: IncomingMessage, body: Buffer, port: number, response: ServerResponse): Promise<boolean> {
  const { method, url: path, headers } = incoming;
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, async (answer) => {
      try {
        const whole = await buffer(answer);
        response.writeHead(answer.statusCode ?? 502, answer.headers).end(whole);
        resolve(true);
      } catch {
        resolve(false);
      }
    });
    sent.on('error', () => resolve(false));
    sent.end(body);
  });
}
