import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:https';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import type { WholeTerminal } from '../../server/src/bin/commands.ts';
import { openTeam } from '../../server/src/bin/team.ts';
import { createHttp } from '../../server/src/engine/http/client.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { selfSigned } from '../harness/certificate.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { json, scriptedServer } from '../harness/scripted-server.ts';
import { folderWith, spawnProgram } from './program.ts';
import { runHere } from './terminal.ts';

/* `serve` with a database and an upstream service, as a company runs it. */

const { cert, key } = selfSigned();
const token = 'a-token-of-the-build-servers';
const digest = createHash('sha256').update('another-long-token').digest('hex');
const folder = folderWith({
  'cert.pem': cert,
  'key.pem': key,
  tokens: `# ours\n${token} build\nsha256:${digest}\n`,
  empty: '#\n',
});
const upstream = await startServiceForFile({ 'NPM secret-name': { versions: ['1.0.0'] } });
const children: ChildProcess[] = [];
after(() => {
  for (const it of children) it.kill('SIGKILL');
  folder.remove();
});
const skip = process.getBuiltinModule('node:sqlite') === undefined;

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  /** What it logs until it ends. */
  readonly log: Promise<string>;
}

async function serve(...args: readonly string[]): Promise<Served> {
  const child = spawnProgram(['serve', '--upstream', upstream.url, ...args], folder.path);
  children.push(child);
  const log = text(child.stderr ?? assert.fail());
  let out = '';
  for await (const it of child.stdout?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
    out += it;
    if (out.includes('\n')) break;
  }
  const [, url] = /^listening on (.*)\n$/.exec(out) ?? [];
  if (url === undefined) assert.fail(await log);
  return { child, url, log };
}

const path = '/v3alpha/systems/NPM/packages/secret-name/versions/1.0.0';

test('what was asked once is kept over a kill, and answered without the upstream service', { skip }, async () => {
  const first = await serve('--store', 'sqlite:kept.sqlite');
  const asked = await fetch(first.url + path);
  assert.deepEqual([asked.status, asked.headers.get('cache-status')], [200, 'package-insights; fwd=uri-miss; stored']);
  assert.equal(asked.headers.get('cache-control'), 'private, max-age=3600');
  const body = await asked.json();
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const before = upstream.requests.length;
  const second = await serve('--store', 'sqlite:kept.sqlite');
  const kept = await fetch(second.url + path);
  assert.match(kept.headers.get('cache-status') ?? '', /^package-insights; hit; ttl=\d+$/);
  assert.deepEqual(await kept.json(), body);
  assert.equal(upstream.requests.length, before);
  second.child.kill('SIGTERM');
  await once(second.child, 'exit');
});

test('pages, log and figures name no package and no token', { skip }, async () => {
  const { url, child, log } = await serve('--tokens-file', 'tokens', '--state', '.');
  const ask = (target: string, authorization = `Bearer ${token}`) =>
    fetch(url + target, { headers: { authorization, 'x-request-id': 'of-the-caller' } });
  for (const authorization of ['', 'Bearer ', 'Bearer wrong', `Basic ${token}`, `Bearer sha256:${digest}`]) {
    const refused = await ask(path, authorization);
    assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Bearer'], authorization);
    assert.equal((await ask('/metrics', authorization)).status, 401);
  }
  assert.equal((await ask(path)).status, 200);
  assert.equal((await ask(path, 'bearer another-long-token')).status, 200);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  assert.deepEqual(await (await fetch(`${url}/readyz`)).json(), { status: 'ready' });
  const figures = await (await ask('/metrics')).text();
  assert.match(figures, /^insights_requests_total\{route="GetVersion",status="200"\} 2$/m);
  assert.match(figures, /^insights_answers_total\{kind="version",by="fresh"\} 1$/m);
  assert.match(figures, /^insights_upstream_seconds_count\{outcome="200"\} 1$/m);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
  const lines = (await log).trim().split('\n');
  const events = lines.map((it) => JSON.parse(it) as { event: string; id?: string; status?: number });
  assert.deepEqual([events[0]?.event, events.at(-1)?.event], ['started', 'ended']);
  assert.ok(events.some((it) => it.event === 'answered' && it.id === 'of-the-caller' && it.status === 401));
  for (const secret of ['secret-name', token, 'another-long-token', 'wrong']) {
    assert.ok(!figures.includes(secret) && !lines.join().includes(secret), secret);
  }
});

test('a database that takes nothing more is logged once, and the service answers on', { skip }, async () => {
  const path = join(folder.path, 'full.sqlite');
  const lines: string[] = [];
  const http = createHttp({ clock: systemClock, userAgent: 'test' });
  const team = await openTeam({
    store: { kind: 'sqlite', path },
    upstream: upstream.url,
    version: '1.0.0',
    clock: systemClock,
    http,
    log: (it) => void lines.push(it),
  });
  const other = new DatabaseSync(path);
  other.exec("CREATE TRIGGER full BEFORE INSERT ON packages BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
  const key = { system: 'NPM', name: 'secret-name' } as const;
  for (let asked = 0; asked < 3; asked++) assert.equal((await team.source.package(key)).kind, 'found');
  other.exec('DROP TRIGGER full');
  other.close();
  assert.equal((await team.source.package(key)).kind, 'found');
  await team.close();
  await http.close();
  const told = lines.map((it) => JSON.parse(it) as Record<string, unknown>).filter((it) => it['event'] === 'store');
  assert.deepEqual(
    told.map(({ time: _, ...it }) => it),
    [
      { level: 'error', event: 'store', call: 'write', ok: false, reason: 'the disk is full' },
      { level: 'info', event: 'store', call: 'write', ok: true },
    ],
  );
});

test('a request that has arrived is answered while the process ends', { skip }, async (t) => {
  let answer = (): void => {};
  const slow = await scriptedServer(async (asked, response) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    await json({ packageKey: { system: 'NPM', name: 'a' }, purl: '', versions: [] })(asked, response);
  });
  t.after(() => slow.close());
  const { url, child, log } = await serve('--upstream', slow.url);
  const waiting = fetch(`${url}/v3alpha/systems/NPM/packages/a`);
  await slow.reached(1);
  child.kill('SIGTERM');
  while (
    await fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    )
  )
    await new Promise((resolve) => setTimeout(resolve, 10));
  answer();
  assert.equal((await waiting).status, 200);
  await once(child, 'exit');
  assert.match(await log, /"event":"draining"/);
});

test('answers are encrypted, and only pages of named origins read them', { skip }, async () => {
  const { url, child } = await serve(
    '--tls-cert',
    'cert.pem',
    '--tls-key',
    'key.pem',
    '--allow-origin',
    'https://app.example',
  );
  assert.match(url, /^https:/);
  const headersFor = (origin: string, method = 'GET', more = {}) =>
    new Promise<readonly unknown[]>((resolve, reject) => {
      request(url + path, { ca: cert, method, headers: { origin, ...more } }, (response) => {
        const { 'access-control-allow-origin': opened, 'access-control-allow-headers': allowed } = response.headers;
        response.resume().on('end', () => resolve([response.statusCode, opened, allowed]));
      })
        .on('error', reject)
        .end();
    });
  assert.deepEqual(await headersFor('https://app.example'), [200, 'https://app.example', undefined]);
  assert.deepEqual(await headersFor('https://evil.example'), [200, undefined, undefined]);
  const preflight = { 'access-control-request-method': 'POST' };
  assert.deepEqual(await headersFor('https://app.example', 'OPTIONS', preflight), [
    204,
    'https://app.example',
    'authorization, content-type',
  ]);
  assert.deepEqual(await headersFor('https://evil.example', 'OPTIONS', preflight), [405, undefined, undefined]);
  child.kill('SIGTERM');
  await once(child, 'exit');
});

const openHere: WholeTerminal['openTeam'] = (options) =>
  openTeam({ ...options, version: '1', clock: systemClock, http: { request: () => assert.fail() }, log: () => {} });

test('what cannot be used is refused before anything is served', { skip }, async () => {
  const of = 'https://insights.example';
  for (const [args, reason] of [
    [['--upstream', 'insights.example'], '--upstream requires an http or https address, not “insights.example”'],
    [['--store', 'mysql://me:secret@host/x'], '--store requires sqlite:FILE / postgres://…, not “mysql://…”'],
    [['--store', 'sqlite:no/such/folder/x.sqlite'], /^sqlite:.*x\.sqlite cannot be used: /],
    [['--upstream', of, '--host', '0.0.0.0'], '--host beyond this machine requires --tokens-file or --without-tokens'],
    [['--upstream', of, '--tokens-file', 'empty'], 'the file of tokens cannot be used: it contains no token'],
    [['--upstream', of, '--tokens-file', 'none'], /^none cannot be read: /],
    [['--upstream', of, '--tls-cert', 'cert.pem'], '--tls-cert requires --tls-key'],
    [['--upstream', of, '--tls-cert', 'tokens', '--tls-key', 'key.pem'], /^cannot listen: /],
    [['--upstream', of, '--allow-origin', '*'], '--allow-origin requires https://host:port, not “*”'],
    [['--upstream', of, '--catalog', '.'], '--upstream and --catalog cannot be combined'],
    [['--store', 'sqlite:x', '--shared', 'redis://me:secret@x'], '--shared requires --upstream'],
    [['--upstream', of, '--shared', 'http://me:secret@x'], '--shared requires redis://…, not “http://…”'],
    [['--tokens-file', 'tokens'], '--tokens-file requires --store / --upstream / --registries'],
    [
      ['--store', 'sqlite:kept.sqlite', '--upstream', of],
      /^the store has the answers of http:.*; another upstream service needs another store$/,
    ],
  ] as const) {
    const { code, out, error } = await runHere(['serve', ...args], folder.path, { openTeam: openHere });
    assert.deepEqual([code, out], [2, ''], `${args.join(' ')}: ${error}`);
    const lines = error
      .trim()
      .split('\n')
      .filter((it) => it.startsWith('package-insights serve: '));
    const told = (lines.at(-1) ?? error).replace('package-insights serve: ', '');
    if (typeof reason === 'string') assert.equal(told, reason);
    else assert.match(told, reason);
    assert.ok(!error.includes('secret'), error);
  }
});
