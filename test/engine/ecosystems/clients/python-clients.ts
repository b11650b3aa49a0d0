import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { pypiRegistries } from '../../../../server/src/engine/ecosystems/python/registries.ts';
import type { AccessSource } from '../../../../server/src/engine/model/registries/access.ts';
import { wheelOf } from '../../../harness/wheel.ts';
import { cache } from '../../../tools/paths.ts';
import { run } from '../../../tools/processes.ts';
import { scratchFolder } from '../../../tools/scratch.ts';

/** A client of Python, and how it is made to look for `acme-core`. */
export interface PythonTool {
  /** The folder of its program; absent for the PATH. */
  readonly bin?: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** What makes a client look for the package of a project. */
export const toolArguments = {
  pip: [
    'install',
    '--dry-run',
    '--no-deps',
    '--ignore-installed',
    '--no-cache-dir',
    '--no-input',
    '-r',
    'requirements.txt',
  ],
  uv: ['lock', '--no-cache', '--no-python-downloads'],
  poetry: ['lock', '--no-interaction', '--no-cache'],
  pdm: ['--no-cache', 'lock', '--no-cross-platform'],
  pipenv: ['lock'],
} as const;

export interface IndexCase {
  readonly title: string;
  readonly tool: 'pip' | 'uv' | 'poetry' | 'pdm' | 'pipenv';
  /** Of the project. `https://a.example` stands for an index, and `a.example` for its host. */
  readonly files: Readonly<Record<string, string>>;
  /** Below the home directory. */
  readonly home?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  /** The indexes that have the package, by letter; the others answer that it is missing. */
  readonly having: string;
  /** The indexes that require a credential, whichever it is. */
  readonly closed?: string;
  readonly lockfiles?: readonly string[];
}

/** Of the indexes; each has an address of its own on the loopback, which Linux alone has. */
const letters = 'abcde';

const metadata = 'Metadata-Version: 2.1\nName: acme-core\nVersion: 1.0\n';

/**
 * The indexes that a client asks for a package, in the order of its first requests, each with what it is sent last.
 *
 *     a.example ci:pw
 *     b.example
 */
export async function askedByTool(
  it: IndexCase,
  tool: PythonTool,
): Promise<{ readonly asked: string[]; readonly output: string }> {
  const seen = new Map<string, string>();
  const answer: RequestListener = (request, response) => {
    const letter = letterOf(request.socket.localAddress ?? '');
    const { authorization = '' } = request.headers;
    const isPage = /^\/simple\/acme-core\/?$/.test(request.url ?? '');
    const isDenied = it.closed?.includes(letter) === true && authorization === '';
    // A client that is denied asks again.
    if (isPage) seen.set(letter, plain(authorization));
    if (isDenied) response.writeHead(401, { 'www-authenticate': 'Basic realm="index"' }).end();
    else if (isPage && it.having.includes(letter)) {
      response.setHeader('content-type', 'text/html');
      response.end(
        '<a href="/acme_core-1.0-py3-none-any.whl" data-core-metadata="true" data-dist-info-metadata="true">x</a>',
      );
    } else if (request.url?.endsWith('.whl.metadata')) response.end(metadata);
    else if (request.url?.endsWith('.whl')) response.end(wheelOf('acme_core', '1.0', metadata));
    else response.writeHead(404).end();
  };
  const servers = [...letters].map(() => createServer(answer));
  let port = 0;
  for (const [at, server] of servers.entries()) {
    await new Promise<void>((resolve) => server.listen(port, hostOf(letters[at] ?? ''), resolve));
    port = (server.address() as AddressInfo).port;
  }
  const folder = scratchFolder(cache, 'python-clients-');
  const local = (text: string): string =>
    text
      .replace(
        /https:(\/\/(?:[^/@\s"]*@)?)([a-z])\.example/g,
        (_, user, letter) => `http:${user}${hostOf(letter)}:${port}`,
      )
      .replace(/\b([a-z])\.example\b/g, (_, letter) => hostOf(letter));
  try {
    for (const [name, text] of Object.entries(it.files)) write(join(folder, 'project', name), local(text));
    for (const [name, text] of Object.entries(it.home ?? {})) write(join(folder, 'home', name), local(text));
    const variables = Object.entries(it.variables ?? {}).map(([name, text]) => [name, local(text)]);
    const env: NodeJS.ProcessEnv = {
      PATH: `${tool.bin === undefined ? '' : `${tool.bin}:`}${process.env['PATH']}`,
      HOME: join(folder, 'home'),
      LANG: 'C.UTF-8',
      NO_PROXY: '*',
      ...Object.fromEntries(variables),
    };
    const { output } = await run({ name: tool.command, ...tool, cwd: join(folder, 'project'), env });
    return { asked: [...seen].map(([letter, sent]) => `${letter}.example ${sent}`.trim()), output };
  } finally {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same as our reader finds it. Of a list whose first index has the package, the others are not asked. */
export function askedByUs({ files, home = {}, variables = {}, having, lockfiles = [] }: IndexCase): string[] {
  const machine = { owner: 'machine' } as const;
  const sources: AccessSource[] = [
    ...Object.entries(variables).map(([name, text]) => ({ name, label: name, text, ...machine })),
    ...Object.entries(files).map(([name, text]) => ({
      name: lastOf(name),
      label: name,
      text,
      owner: 'workspace' as const,
    })),
    ...Object.entries(home).map(([name, text]) => ({
      name: knownNames.get(name) ?? lastOf(name),
      label: name,
      text,
      ...machine,
    })),
  ];
  const access = pypiRegistries.accessTo({ sources, variable: (name) => variables[name], isTrusted: true, lockfiles })({
    name: 'acme-core',
  });
  const asked: string[] = [];
  for (const { address, credential, refusal } of access?.registries ?? []) {
    const letter = new URL(address).hostname[0] ?? '';
    const not = refusal ? ` ${refusal.rule}` : '';
    asked.push(`${letter}.example ${plain(credential?.open() ?? '')}${not}`.trim());
    if (access?.join === 'first' && having.includes(letter)) break;
  }
  return asked;
}

const knownNames: ReadonlyMap<string, string> = new Map([
  ['.config/pdm/config.toml', 'pdm.toml'],
  ['.config/pypoetry/config.toml', 'poetry.toml'],
]);

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function hostOf(letter: string): string {
  return `127.0.2.${letter.charCodeAt(0)}`;
}

function letterOf(address: string): string {
  return String.fromCharCode(Number(address.slice(address.lastIndexOf('.') + 1)));
}

function plain(header: string): string {
  const [, basic] = /^Basic (.+)$/.exec(header) ?? [];
  return basic === undefined ? header : Buffer.from(basic, 'base64').toString();
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // Python does not read a .netrc that others may read, too.
  writeFileSync(path, text, { mode: 0o600 });
}
