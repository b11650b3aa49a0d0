import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { archiveOf, distOf } from '../clients/archive.ts';
import type { Package, Universe } from './universe.ts';

/** A registry of npm. Every version was published long ago. */
export async function startRegistry() {
  let universe: Universe = {};
  let url = '';
  const server = createServer((request, response) => {
    const [path = ''] = decodeURIComponent(request.url ?? '').split('?');
    const [, name = '', version] = /^\/((?:@[^/]+\/)?[^/]+)(?:\/-\/.*?-(\d[^/]*)\.tgz)?$/.exec(path) ?? [];
    const found = universe[name];
    const release = version === undefined ? undefined : found?.versions[version];
    if (found === undefined || (version !== undefined && release === undefined)) response.writeHead(404).end('{}');
    else if (version !== undefined) response.end(archiveOf({ name, version, ...release }));
    else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(packumentOf(name, found, url)));
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** What is served from now on. */
    serve(next: Universe): void {
      universe = next;
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function packumentOf(name: string, { versions, tags }: Package, url: string): object {
  return {
    name,
    'dist-tags': tags,
    time: Object.fromEntries(Object.keys(versions).map((it) => [it, '2020-01-01T00:00:00.000Z'])),
    versions: Object.fromEntries(
      Object.entries(versions).map(([version, release]) => {
        const dist = distOf(url, name, version, archiveOf({ name, version, ...release }));
        return [version, { name, version, ...release, dist }];
      }),
    ),
  };
}
