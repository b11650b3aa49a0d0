import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AskedRegistry, RegistryProtocol } from '../../../server/src/engine/model/registries/access.ts';
import { Credential } from '../../../server/src/engine/model/registries/credential.ts';
import type { RegistryQuestion, SendToRegistry } from '../../../server/src/engine/model/registries/registry-client.ts';

/** What a registry of a test has at a path. */
export interface ServedFile {
  readonly text: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A registry on the loopback, until `close`. */
export interface ServedRegistry {
  readonly url: string;
  /** `GET /path as user:password`, in their order. */
  readonly requests: readonly string[];
  readonly close: () => void;
}

export const anna = { user: 'anna', password: 'p:w ä' } as const;

/** Serves files to `anna` alone, as registries do that answer 401 to strangers. */
export async function serveRegistry(
  fileAt: (path: string, url: string) => ServedFile | undefined,
): Promise<ServedRegistry> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const as = userOf(request);
    requests.push(`${request.method} ${decodeURIComponent(pathname)}${as === undefined ? '' : ` as ${as}`}`);
    const isKnown = as === `${anna.user}:${anna.password}`;
    const file = isKnown ? fileAt(decodeURIComponent(pathname), urlOf()) : { text: 'who?', status: 401 };
    response.writeHead(file ? (file.status ?? 200) : 404, file?.headers);
    response.end(file?.text);
  });
  const urlOf = (): string => `http://localhost:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: urlOf(),
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Serves the files of a folder, with their times. */
export function serveFolder(folder: string): Promise<ServedRegistry> {
  return serveRegistry((path) => {
    const file = join(folder, path);
    const about = statSync(file, { throwIfNoEntry: false });
    if (!about?.isFile()) return undefined;
    return { text: readFileSync(file, 'utf8'), headers: { 'last-modified': about.mtime.toUTCString() } };
  });
}

function userOf({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  const [, basic] = /^Basic (.+)$/.exec(authorization) ?? [];
  return basic === undefined ? undefined : Buffer.from(basic, 'base64').toString();
}

/** A question to a registry as `anna`, or as a stranger. */
export function questionTo(
  protocol: RegistryProtocol,
  address: string,
  name: string,
  more: Pick<AskedRegistry, 'takes'> & { readonly stranger?: true } = {},
): RegistryQuestion {
  const { stranger, ...rest } = more;
  const credential = new Credential({ kind: 'basic', ...anna }, 'settings');
  const registry: AskedRegistry = {
    protocol,
    address,
    from: 'settings',
    namedBy: 'machine',
    ...(!stranger && { credential }),
    ...rest,
  };
  return { registry, name, send: sendFor(registry) };
}

/** As the transport sends: the credential goes to the registry's own origin alone. */
function sendFor({ address, credential }: AskedRegistry): SendToRegistry {
  return async ({ url, accept }) => {
    const authorization = new URL(url).origin === new URL(address).origin ? credential?.open() : undefined;
    const reply = await fetch(url, {
      headers: { ...(accept !== undefined && { accept }), ...(authorization !== undefined && { authorization }) },
    });
    const headers = Object.fromEntries(reply.headers);
    return { kind: 'reply', status: reply.status, headers, text: await reply.text(), url: reply.url };
  };
}
