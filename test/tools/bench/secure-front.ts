import { request as forward, type IncomingHttpHeaders } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '../../harness/certificate.ts';

/** The measured service behind HTTP/2 and TLS, like the public one. */
export interface SecureFront {
  readonly url: string;
  /** PEM of the certificate to trust. */
  readonly certificate: string;
  /** How many connections were opened since the last call. */
  connections(): number;
  close(): void;
}

/** Headers that are forwarded in both directions. */
const passing = [
  'accept',
  'accept-encoding',
  'cache-control',
  'content-encoding',
  'content-type',
  'user-agent',
] as const;

/** @param patience number of requests after which a connection is closed, with all pending ones */
export async function secureFront(target: string, patience = Number.POSITIVE_INFINITY): Promise<SecureFront> {
  const { key, cert } = selfSigned();
  let connections = 0;
  const server = createSecureServer({ key, cert }, relay);
  server.on('session', (session) => {
    connections++;
    let requests = 0;
    session.on('error', () => {});
    session.on('stream', () => {
      if (++requests === patience) session.goaway();
    });
  });

  function relay(incoming: Http2ServerRequest, outgoing: Http2ServerResponse): void {
    const { method, headers } = incoming;
    const further = forward(new URL(incoming.url, target), { method, headers: passed(headers) }, (answer) => {
      // The client may have disconnected.
      outgoing.on('close', () => answer.resume());
      if (outgoing.stream.destroyed) return answer.resume();
      outgoing.writeHead(answer.statusCode ?? 500, passed(answer.headers));
      return answer.on('data', (chunk) => outgoing.write(chunk)).on('end', () => outgoing.end());
    });
    outgoing.on('error', () => {});
    incoming.pipe(further);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificate: cert,
    connections() {
      const since = connections;
      connections = 0;
      return since;
    },
    close: () => server.close(),
  };
}

function passed(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(passing.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}
