import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wheelOf } from '../../harness/wheel.ts';
import type { PythonRelease, PythonUniverse } from './python-projects.ts';

const canonical = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');
const fileName = (name: string, version: string): string =>
  `${canonical(name).replaceAll('-', '_')}-${version}-py3-none-any.whl`;

/** A simple index of Python, in HTML and in JSON, with tiny wheels that were all uploaded long ago. */
export async function startIndex() {
  let universe: PythonUniverse = {};
  let url = '';
  const server = createServer((request, response) => {
    const [path = ''] = decodeURIComponent(request.url ?? '').split('?');
    const [, page] = /^\/simple\/([^/]+)\/?$/.exec(path) ?? [];
    const name = Object.keys(universe).find((it) => canonical(it) === canonical(page ?? ''));
    if (name !== undefined) {
      const isJson = request.headers.accept?.includes('application/vnd.pypi.simple.v1+json') === true;
      const type = isJson ? 'application/vnd.pypi.simple.v1+json' : 'text/html';
      response.writeHead(200, { 'content-type': type });
      response.end(isJson ? jsonOf(name, universe[name] ?? {}, url) : pageOf(name, universe[name] ?? {}, url));
      return;
    }
    const file = /^\/files\/(.+?\.whl)(\.metadata)?$/.exec(path);
    for (const [name, versions] of file ? Object.entries(universe) : []) {
      for (const [version, release] of Object.entries(versions)) {
        const names = [fileName(name, version), `${name.replaceAll(/[-.]/g, '_')}-${version}-py3-none-any.whl`];
        if (!names.includes(file?.[1] ?? '')) continue;
        response.end(file?.[2] ? metadataOf(name, version, release) : wheel(name, version, release));
        return;
      }
    }
    response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** What is served from now on. */
    serve(next: PythonUniverse): void {
      universe = next;
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function metadataOf(name: string, version: string, { requires }: PythonRelease): string {
  const needs = requires.map((it) => `Requires-Dist: ${it}\n`).join('');
  return `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\nProvides-Extra: more\n${needs}`;
}

function wheel(name: string, version: string, release: PythonRelease): Buffer {
  return wheelOf(canonical(name).replaceAll('-', '_'), version, metadataOf(name, version, release));
}

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

function jsonOf(name: string, versions: PythonUniverse[string], url: string): string {
  const files = Object.entries(versions).map(([version, release]) => {
    const content = wheel(name, version, release);
    return {
      filename: fileName(name, version),
      url: `${url}/files/${fileName(name, version)}`,
      hashes: { sha256: sha256(content) },
      size: content.length,
      'upload-time': '2020-01-01T00:00:00.000Z',
      'core-metadata': { sha256: sha256(metadataOf(name, version, release)) },
      ...(release.isYanked && { yanked: 'broken' }),
    };
  });
  return JSON.stringify({ meta: { 'api-version': '1.1' }, name, versions: Object.keys(versions), files });
}

function pageOf(name: string, versions: PythonUniverse[string], url: string): string {
  const links = Object.entries(versions).map(([version, release]) => {
    const file = fileName(name, version);
    const yanked = release.isYanked ? ' data-yanked="broken"' : '';
    return `<a href="${url}/files/${file}#sha256=${sha256(wheel(name, version, release))}"${yanked}>${file}</a><br>`;
  });
  return `<!DOCTYPE html><html><body>${links.join('\n')}</body></html>`;
}
