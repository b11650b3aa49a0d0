import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { CodeLens, CompletionList, Hover, InlayHint, MarkupContent } from 'vscode-languageserver';
import { noDurations } from '../../../server/src/stand-ins/deployments/advance.ts';
import { type Fault, startFaultyDeployments } from '../../harness/deployments.ts';
import { startLsp } from '../../harness/lsp-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'package-insights-'));
writeFileSync(join(folder, '.env'), 'TOKEN=1\n');
symlinkSync('.env', join(folder, 'vars.jinja'));
writeFileSync(join(folder, 'net.jinja'), 'resources:\n- name: inner\n  type: compute.v1.network\n');
const ends: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const end of ends.reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
});

const good = `imports:
- path: net.jinja
resources:
- name: net
  type: net.jinja
- name: store
  type: storage.v1.bucket
  properties:
    name: a-bucket-of-mine
- name: old
  type: compute.v1.httpHealthCheck
`;

async function open(text: string, { isVsCode = true, fault, durations = noDurations, before }: Options = {}) {
  const service = before ?? (await startFaultyDeployments(durations, fault));
  const client = await startLsp({
    folder,
    settings: {
      baseUrl: 'http://127.0.0.1:9',
      connections: { deployments: { baseUrl: service.url, project: 'demo' } },
    },
    env: {
      ...process.env,
      PACKAGE_INSIGHTS_DEPLOYMENTS_URL: service.url,
      PACKAGE_INSIGHTS_DEPLOYMENTS_TOKEN: 'me@team.example',
    },
    capabilities: {
      textDocument: { hover: { contentFormat: ['markdown'] }, codeLens: {}, inlayHint: {}, completion: {} },
      workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } },
      ...(isVsCode && { experimental: { packageInsightsCommands: true } }),
    },
  });
  if (!before) ends.push(service.close);
  // One of them is killed.
  ends.push(() => client.stop().catch(() => null));
  const uri = pathToFileURL(join(folder, 'stack.yaml')).href;
  await client.open(uri, text);
  const ask = <T>(method: string, params: object = {}) =>
    client.connection.sendRequest<T>(method, { textDocument: { uri }, ...params });
  return {
    service,
    client,
    uri,
    ask,
    run: <T = Result>(...args: unknown[]) =>
      client.connection.sendRequest<T>('workspace/executeCommand', {
        command: 'packageInsights.server.documentCommand',
        arguments: ['deployment', ...args],
      }),
    async lenses() {
      for (;;) {
        const all = await ask<CodeLens[]>('textDocument/codeLens');
        const titles = all.map((it) => it.command?.title ?? '');
        if (!titles.includes('demo/front')) return titles;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

interface Options {
  readonly isVsCode?: boolean;
  readonly fault?: Fault;
  readonly durations?: typeof noDurations;
  /** The service of another window. */
  readonly before?: Awaited<ReturnType<typeof startFaultyDeployments>>;
}

interface Result {
  readonly kind: string;
  readonly message: string;
  readonly severity: string;
  readonly reason?: string;
}

test('a manifest has the types of the connected service', async () => {
  const { ask, client, uri } = await open(`${good}- name: vm\n  type: compute.v1.instanc\n`);
  const all = await client.pushedUntil(uri, (it) => it.some(({ code }) => code === 'unknown-type'));
  assert.deepEqual(
    all.map((it) => it.code),
    ['deprecated-type', 'unknown-type'],
  );
  const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const hints = await ask<InlayHint[]>('textDocument/inlayHint', { range });
  assert.deepEqual(
    hints.map((it) => it.label),
    ['✓ supported', '⚠ deprecated', '⚠ unknown type'],
  );
  const value = await described(ask);
  assert.match(value, /^\*\*storage\.v1\.bucket\*\* · .* · ✓ supported\n/);
  assert.match(value, /\n- `name` string/);
  const items = await ask<CompletionList>('textDocument/completion', { position: { line: 8, character: 4 } });
  assert.ok(items.items.some((it) => it.label === 'location'));
});

test('a type whose schema cannot be read is not said to have none', async () => {
  const fault: Fault = (request, response) => {
    if (!request.startsWith('GET typeProviders')) return false;
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end('{"error": {"code": 403, "message": "No access to the providers of types"}}');
    return true;
  };
  const { ask, client, uri } = await open(good, { fault });
  await client.pushedUntil(uri, (it) => it.some(({ code }) => code === 'deprecated-type'));
  const value = await described(ask);
  assert.match(value, /✓ supported/);
  assert.match(value, /The properties are not checked: .*No access to the providers of types/);
});

/** The hover over the bucket, once its schema is no longer requested. */
async function described(ask: Awaited<ReturnType<typeof open>>['ask']): Promise<string> {
  for (;;) {
    const hover = await ask<Hover>('textDocument/hover', { position: { line: 6, character: 12 } });
    const { value } = hover.contents as MarkupContent;
    if (!value.includes('requested from the service')) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('a manifest is previewed, deployed, stopped and deleted, and its lenses follow', async () => {
  const { run, lenses, uri } = await open(good);
  assert.deepEqual(await lenses(), ['Preview', 'Deploy']);
  await run('name', { uri, name: 'front' });
  assert.deepEqual(await lenses(), [
    'demo/front: not deployed',
    'Preview',
    'Deploy',
    'Cancel Preview (not deployed)',
    'Stop (not deployed)',
    'Delete (not deployed)',
  ]);
  const { value: files } = await run<{ value: string[] }>('files', { uri });
  assert.deepEqual(files, ['net.jinja']);
  const refused = await run('preview', { uri, name: 'front', files: [] });
  assert.equal(refused.kind, 'failed', 'only what a person has seen is sent');
  assert.deepEqual(await outcome(run('preview', { uri, name: 'front', files })), ['done', 'warning']);
  assert.deepEqual(await lenses(), [
    'demo/front: previewed',
    'Preview',
    'Deploy',
    'Compare with Deployed',
    'Cancel Preview',
    'Stop (nothing is running)',
    'Delete',
  ]);
  assert.deepEqual(await outcome(run('cancel-preview', { uri, name: 'front' })), ['done', 'information']);
  assert.deepEqual(await outcome(run('deploy', { uri, name: 'front' })), ['done', 'warning']);
  assert.equal((await lenses())[0], 'demo/front: deployed');
  const { value } = await run<{ value: { manifest: string } }>('state', { name: 'front' });
  const config = await run<object>('config', { name: 'front', manifest: value.manifest });
  assert.deepEqual(config, { kind: 'value', value: good });
  assert.deepEqual(await outcome(run('delete', { uri, name: 'front' })), ['done', 'information']);
  assert.equal((await lenses())[0], 'demo/front: not deployed');
});

test('an error of the service stands at its resource until the text changes', async () => {
  const linked = `imports:\n- path: vars.jinja\nresources:\n- name: front\n  type: vars.jinja\n`;
  const text = `resources:\n- name: front\n  type: storage.v1.bucket\n  properties:\n    name: other\n    location: 7\n`;
  const { run, uri, client } = await open(linked);
  // A link may lead to a hidden file, which is not sent.
  const refused = await run('deploy', { uri, name: 'front' });
  assert.deepEqual([refused.kind, refused.reason], ['failed', 'the imported file vars.jinja cannot be read']);
  await client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text }],
  });
  const result = await run('deploy', { uri, name: 'front' });
  assert.equal(result.kind, 'done', result.message);
  assert.equal(result.severity, 'error', result.message);
  const all = await client.pushedUntil(uri, (it) => it.some(({ code }) => code === 'deployment'));
  const [found] = all.filter((it) => it.code === 'deployment');
  assert.deepEqual(found?.range.start, { line: 1, character: 8 });
  assert.match(String(found?.message), /^The service reports: /);
  const changed = `${text}# changed\n`;
  await client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 3 },
    contentChanges: [{ text: changed }],
  });
  await client.pushedUntil(uri, (it) => !it.some(({ code }) => code === 'deployment'));
});

test('a deployment that has changed since is not changed again unless the person wants it', async () => {
  const { run, lenses, uri, service } = await open(good);
  await run('deploy', { uri, name: 'front' });
  assert.equal((await lenses())[0], 'demo/front: deployed');
  const headers = { authorization: 'Bearer me@team.example' };
  const other = await fetch(`${service.url}/demo/global/deployments/front`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ description: 'changed by another' }),
  });
  assert.equal(other.status, 200);
  assert.equal((await run('deploy', { uri, name: 'front' })).kind, 'changed');
  assert.equal((await run('deploy', { uri, name: 'front', isForced: true })).kind, 'done');
  const kept = await fetch(`${service.url}/demo/global/deployments/front`, { headers });
  assert.match(await kept.text(), /changed by another/, 'an update keeps the description');
});

/** Answers with a status in the place of the service. */
const refuse =
  (status: number, which: RegExp): Fault =>
  (request, response) => {
    if (!which.test(request)) return false;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: status, message: 'Refused by the test' } }));
    return true;
  };

const faults: readonly (readonly [title: string, fault: Fault, expected: RegExp])[] = [
  ['401', refuse(401, /^POST deployments$/), /^Deploy failed: .*Refused by the test/],
  ['403', refuse(403, /^POST deployments$/), /^Deploy failed: .*Refused by the test/],
  ['409', refuse(409, /^POST deployments$/), /^Deploy failed: .*Refused by the test/],
  ['500', refuse(500, /^POST deployments$/), /^Deploy failed: .*Refused by the test/],
  ['an answer without an operation', garbage(/^POST deployments$/, '{}'), /^Deploy failed: .*named no operation\./],
  ['garbage', garbage(/^POST deployments$/, '<html>'), /^Deploy failed: /],
  ['403 for the operation', refuse(403, /^GET operations\//), /^Deploy: what became of the operation .* is not known/],
];

test('whatever the service answers to a change is reported, and the change is sent once', async () => {
  let now: Fault = () => false;
  const { run, uri, service } = await open(good, { fault: (...it) => now(...it) });
  for (const [at, [title, fault, expected]] of faults.entries()) {
    now = fault;
    const before = service.asked.length;
    const { kind, message } = await run('deploy', { uri, name: `front-${at}` });
    assert.equal(kind, 'failed', title);
    assert.match(message, expected, title);
    assert.equal(service.asked.slice(before).filter((it) => it === 'POST deployments').length, 1, title);
  }
});

test('an operation that never ends can be left, and stopped later', async () => {
  const { client, uri, run, lenses } = await open(good, { durations: { ...noDurations, resource: 1e9 } });
  const cancelling = client.connection;
  const { CancellationTokenSource } = await import('vscode-languageserver');
  const source = new CancellationTokenSource();
  // The server is loaded.
  await lenses();
  const running = cancelling.sendRequest<Result>(
    'workspace/executeCommand',
    { command: 'packageInsights.server.documentCommand', arguments: ['deployment', 'deploy', { uri, name: 'front' }] },
    source.token,
  );
  setTimeout(() => source.cancel(), 500);
  // A client that has canceled takes either answer.
  const result = await running.catch(() => undefined);
  if (result) assert.equal(result.kind, 'running');
  await run('refresh');
  const titles = await lenses();
  assert.ok(titles.includes('demo/front: running') && titles.includes('Stop'), titles.join());
  assert.ok(titles.includes('Deploy (running)'));
});

test('an operation goes on when its window is closed, and the next window shows it', async () => {
  const first = await open(good, { durations: { ...noDurations, resource: 1e9 } });
  const running = first.run('deploy', { uri: first.uri, name: 'front' }).catch(() => undefined);
  while (!first.service.asked.some((it) => it.startsWith('GET operations/'))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  first.client.process.kill('SIGKILL');
  await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 200))]);
  const second = await open(good, { before: first.service });
  await second.run('name', { uri: second.uri, name: 'front' });
  const titles = await second.lenses();
  assert.ok(titles.includes('demo/front: running') && titles.includes('Stop'), titles.join());
  assert.equal(first.service.asked.filter((it) => it === 'POST deployments').length, 1);
});

test('other editors have lenses that the server runs, named after the file', async () => {
  const { run, lenses, uri } = await open(good, { isVsCode: false });
  assert.deepEqual(await lenses(), ['Preview', 'Deploy', 'Cancel Preview', 'Stop']);
  assert.equal((await run('deploy', uri)).kind, 'done');
  assert.equal((await run<{ value: { exists: boolean } }>('state', { name: 'stack' })).value.exists, true);
});

function garbage(which: RegExp, text: string): Fault {
  return (request, response) => {
    if (!which.test(request)) return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(text);
    return true;
  };
}

async function outcome(run: Promise<Result>): Promise<string[]> {
  const { kind, severity } = await run;
  return [kind, severity];
}
