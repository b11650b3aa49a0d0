import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Certificate } from '../../harness/certificate.ts';

/** A request, wherever it was sent. */
export interface Recorded {
  /** `npm.acme.example:8443`; without the port of its scheme. */
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

/** All hosts of the world but this machine: a proxy that answers for each of them, over http and https. */
export interface Recorder {
  /** The address of the proxy. */
  readonly url: string;
  readonly recorded: readonly Recorded[];
  close(): Promise<void>;
}

export async function startRecorder(
  certificate: Certificate,
  answer: (request: Recorded, response: ServerResponse) => void,
): Promise<Recorder> {
  const recorded: Recorded[] = [];
  const sockets = new Set<Socket>();
  function take({ method = '', headers }: IncomingMessage, path: string, response: ServerResponse): void {
    const request = { host: headers.host ?? '', method, path, authorization: headers.authorization };
    recorded.push(request);
    answer(request, response);
  }
  const secure = createSecureServer({ ...certificate }, (request, response) =>
    take(request, request.url ?? '', response),
  );
  const plain = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://nowhere.example');
    take(request, pathname + search, response);
  });
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  plain.on('connect', (_, socket: Socket) => {
    const onward = connect(portOf(secure), '127.0.0.1', () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'));
    for (const it of [socket, onward]) {
      sockets.add(it);
      it.on('error', () => {});
    }
    onward.pipe(socket).pipe(onward);
  });
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(plain)}`,
    recorded,
    async close() {
      for (const it of sockets) it.destroy();
      for (const it of [plain, secure]) {
        it.closeAllConnections();
        await new Promise((resolve) => it.close(resolve));
      }
    },
  };
}

function portOf(server: { address(): unknown }): number {
  const address = server.address();
  return typeof address === 'object' && address !== null && 'port' in address ? Number(address.port) : 0;
}
