import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Configuration } from './configuration.ts';

/** A client of registries that is on this machine. */
export interface RealClient {
  /** Looks a package up in a project. */
  readonly command: (name: string) => readonly [string, ...string[]];
  readonly environment?: Readonly<Record<string, string>>;
  /** The lockfile that makes a project the client's own. */
  readonly lockfile?: string;
}

/** What a client asked first, and what it sent. */
export interface Sent {
  readonly address: string;
  /** The header; `-` without one. */
  readonly authorization: string;
}

/** In ms. */
const PATIENCE = 60_000;

/** The hosts of a configuration. Each becomes a port of the loopback. */
const hostPattern = /(?:[a-z0-9-]+\.)+example(?::\d+)?/g;

/** Writes the configuration to disk and looks a package up; undefined where the client asked no server. */
export async function observe(
  client: RealClient,
  { files, variables }: Configuration,
  name: string,
): Promise<Sent | undefined> {
  const hosts = [...new Set([...files.values(), ...variables.values()].join('\n').match(hostPattern) ?? [])];
  const recorded: { host: string; url: string; authorization: string }[] = [];
  const servers = new Map<string, Server>();
  for (const host of hosts) {
    const server = createServer(({ url = '', headers }, response) => {
      recorded.push({ host, url, authorization: headers.authorization ?? '-' });
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    servers.set(host, server);
  }
  const onLoopback = (text: string): string =>
    text.replace(hostPattern, (host) => placeOf(servers.get(host))).replaceAll('https:', 'http:');
  const root = mkdtempSync(join(tmpdir(), 'registry-access-'));
  try {
    const nearest = [...files.keys()].find((it) => !it.startsWith('~')) ?? '.';
    const project = join(root, 'workspace', nearest.includes('/') ? dirname(nearest) : '.');
    mkdirSync(join(root, 'home'), { recursive: true });
    mkdirSync(project, { recursive: true });
    for (const [path, text] of files) {
      const at = path.startsWith('~/') ? join(root, 'home', path.slice(2)) : join(root, 'workspace', path);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, onLoopback(text));
    }
    writeFileSync(join(project, 'package.json'), '{ "name": "probe", "version": "1.0.0" }');
    if (client.lockfile === 'yarn.lock') writeFileSync(join(project, client.lockfile), '');
    const [command, ...args] = client.command(name);
    await ended(command, args, project, {
      PATH: process.env['PATH'],
      HOME: join(root, 'home'),
      CI: '1',
      ...client.environment,
      ...Object.fromEntries([...variables].map(([key, text]) => [key, onLoopback(text)])),
    });
  } finally {
    for (const it of servers.values()) {
      it.close();
      it.closeAllConnections();
    }
    rmSync(root, { recursive: true, force: true });
  }
  const wanted = recorded.find((it) => decodeURIComponent(it.url).endsWith(`/${name}`));
  if (wanted === undefined) return undefined;
  const path = decodeURIComponent(wanted.url).slice(0, -name.length).replace(/\/+$/, '');
  return { address: `https://${wanted.host}${path}`, authorization: wanted.authorization };
}

function placeOf(server: Server | undefined): string {
  const address = server?.address() as AddressInfo | undefined;
  return `127.0.0.1:${address?.port}`;
}

/** Resolves whether or not it succeeded: no package is found. */
function ended(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((done) => {
    execFile(command, args, { cwd, env, timeout: PATIENCE }, (error, stdout, stderr) => {
      if (process.env['VERBOSE']) console.log(error?.message, stdout, stderr);
      done();
    });
  });
}
