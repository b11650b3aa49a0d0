import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/*
 * PostgreSQL and Redis, from the packages of the system, for tests. Each has its data in a folder of its own, listens on a
 * socket there or on the loopback, and ends with the process that started it. PostgreSQL refuses to run as root, so root
 * starts it as the user of its package.
 */

export interface RunningDatabase {
  /** For `--store` or `--shared`. */
  readonly address: string;
  /** Ends it at once, as a failure would; its data stays. */
  kill(): Promise<void>;
  /** Starts it again on the same data, at the same address. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** Why tests with PostgreSQL are skipped; undefined where it is installed. */
export const noPostgres = postgresFolder() === undefined ? 'PostgreSQL is not installed' : undefined;

/** Why tests with Redis are skipped; undefined where it is installed. */
export const noRedis = redisProgram() === undefined ? 'redis-server is not installed' : undefined;

/** Starts PostgreSQL with an empty database, on a socket. */
export async function startPostgres(): Promise<RunningDatabase> {
  const programs = postgresFolder();
  if (programs === undefined) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'insights-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const user = unprivilegedUser();
  if (user) for (const it of [folder, data]) chownSync(it, user.uid, user.gid);
  // The socket is in the folder.
  chmodSync(folder, 0o755);
  const options = user ? { uid: user.uid, gid: user.gid, cwd: folder } : { cwd: folder };
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'insights', '-A', 'trust', '--no-sync', '--no-locale', '-E', 'UTF8'],
    { ...options, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  // A test needs no data after a power failure. What is committed outlives the process all the same.
  const settings = ['listen_addresses=', 'fsync=off', 'full_page_writes=off'];
  const args = ['-D', data, '-k', folder, ...settings.flatMap((it) => ['-c', it])];
  const socket = join(folder, '.s.PGSQL.5432');
  const launch = () => launched(join(programs, 'postgres'), args, options, () => existsSync(socket), /ready to accept/);
  const address = `postgres://insights@/postgres?host=${encodeURIComponent(folder)}`;
  return running(await launch(), launch, address, folder);
}

/** Starts Redis, on the loopback. */
export async function startRedis(): Promise<RunningDatabase> {
  const program = redisProgram();
  if (program === undefined) throw new Error('redis-server is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'insights-redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const launch = () => launched(program, args, { cwd: folder }, () => true, /Ready to accept/i);
  return running(await launch(), launch, `redis://127.0.0.1:${port}`, folder);
}

const living = new Set<ChildProcess>();
process.on('exit', () => {
  for (const it of living) it.kill('SIGKILL');
});

function running(
  first: ChildProcess,
  launch: () => Promise<ChildProcess>,
  address: string,
  folder: string,
): RunningDatabase {
  let child = first;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
    living.delete(child);
  };
  return {
    address,
    kill: () => end('SIGQUIT'),
    async restart() {
      await end('SIGQUIT');
      child = await launch();
    },
    async stop() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launched(
  program: string,
  args: readonly string[],
  options: object,
  isThere: () => boolean,
  ready: RegExp,
): Promise<ChildProcess> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  living.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (it) => (output += String(it)));
  while (!(ready.test(output) && isThere())) {
    if (child.exitCode !== null) throw new Error(`${program}: ${output}`);
    await delay(10);
  }
  return child;
}

function postgresFolder(): string | undefined {
  const packaged = '/usr/lib/postgresql';
  const versions = existsSync(packaged) ? readdirSync(packaged).map((it) => join(packaged, it, 'bin')) : [];
  return [...versions, ...(process.env['PATH'] ?? '').split(delimiter)].find((it) => existsSync(join(it, 'initdb')));
}

function redisProgram(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((it) => [join(it, 'redis-server'), join(it, 'valkey-server')])
    .find((it) => existsSync(it));
}

function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
