import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wheelOf } from '../../harness/wheel.ts';
import { archiveOf, distOf } from '../clients/archive.ts';
import type { CooldownProject } from './projects.ts';

/** A registry of npm, of Python and of Cargo with the package of one project. */
export async function startRegistry() {
  let project: CooldownProject | undefined;
  let now = 0;
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const answer = project && answerTo(decodeURIComponent(request.url ?? ''), project, now, `http://127.0.0.1:${port}`);
    if (answer === undefined) response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    else response.writeHead(200, { 'content-type': answer.type }).end(answer.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What is served from now on. */
    serve(next: CooldownProject, at: number): void {
      [project, now] = [next, at];
    },
    close: () => server.close(),
  };
}

interface Answer {
  readonly type: string;
  readonly body: string | Buffer;
}

function answerTo(path: string, project: CooldownProject, now: number, url: string): Answer | undefined {
  const { name, ages } = project;
  const versions = Object.keys(ages);
  const wheelName = name.replaceAll('-', '_');
  const metadata = (version: string): string => `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`;
  if (path === `/${name}`) return { type: 'application/json', body: JSON.stringify(packumentOf(project, now, url)) };
  if (path === '/index/config.json')
    return { type: 'application/json', body: JSON.stringify({ dl: `${url}/dl`, api: url }) };
  if (path.startsWith('/index/')) return path.endsWith(`/${name}`) ? indexOf(project, now) : undefined;
  if (path === `/simple/${name}/`) {
    const files = versions.map((version) => ({
      filename: `${wheelName}-${version}-py3-none-any.whl`,
      url: `${url}/files/${wheelName}-${version}-py3-none-any.whl`,
      hashes: {
        sha256: createHash('sha256')
          .update(wheelOf(wheelName, version, metadata(version)))
          .digest('hex'),
      },
      'upload-time': new Date(now - (ages[version] ?? 0)).toISOString(),
      size: wheelOf(wheelName, version, metadata(version)).length,
    }));
    const body = JSON.stringify({ meta: { 'api-version': '1.1' }, name, versions, files });
    return { type: 'application/vnd.pypi.simple.v1+json', body };
  }
  const version = versions.find((it) => path.endsWith(`-${it}.tgz`) || path.endsWith(`-${it}-py3-none-any.whl`));
  if (version === undefined) return undefined;
  return path.endsWith('.tgz')
    ? { type: 'application/octet-stream', body: archiveOf({ name, version }) }
    : { type: 'application/octet-stream', body: wheelOf(wheelName, version, metadata(version)) };
}

function indexOf({ name, ages }: CooldownProject, now: number): Answer {
  const lines = Object.entries(ages).map(([vers, age]) =>
    JSON.stringify({
      name,
      vers,
      deps: [],
      cksum: createHash('sha256').update(`${name} ${vers}`).digest('hex'),
      features: {},
      yanked: false,
      pubtime: new Date(now - age).toISOString().replace(/\.\d+Z$/, 'Z'),
    }),
  );
  return { type: 'text/plain', body: lines.join('\n') };
}

function packumentOf({ name, ages }: CooldownProject, now: number, url: string): object {
  const versions = Object.keys(ages);
  const time = Object.fromEntries(versions.map((it) => [it, new Date(now - (ages[it] ?? 0)).toISOString()]));
  return {
    name,
    'dist-tags': { latest: versions.at(-1) },
    time: { created: time['1.0.0'], modified: new Date(now).toISOString(), ...time },
    versions: Object.fromEntries(
      versions.map((version) => {
        const archive = archiveOf({ name, version });
        return [
          version,
          {
            name,
            version,
            dist: distOf(url, name, version, archive),
          },
        ];
      }),
    ),
  };
}
