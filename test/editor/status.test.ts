import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Hover } from 'vscode-languageserver';
import type { DocumentStatus, Status } from '../../server/src/editor/publish/status.ts';
import type { HttpRequest } from '../../server/src/engine/http/types.ts';
import { fakeClock } from '../harness/fake-clock.ts';
import { type ScriptedServer, scriptedServer, stall, status } from '../harness/scripted-server.ts';
import { startService } from '../harness/service.ts';
import { folderWith } from '../terminal/program.ts';
import { type StrictClient, strictClient } from './strict-client.ts';
import { answered, type World, worldOf } from './world.ts';

const uri = 'file:///workspace/package.json';
const whole = '{\n  "dependencies": {\n    "a": "file:a",\n    "b": "file:b"\n  }\n}\n';

/** Waits until what was told last of an open document satisfies the condition. */
function standing(client: StrictClient, holds: (it: DocumentStatus) => boolean): Promise<DocumentStatus> {
  return client.until((sent) => {
    const last = sent.findLast((it) => it.method === 'packageInsights/status')?.params as Status | undefined;
    return last?.documents.find(holds);
  });
}

/** A client that shows the status of that server, in a time that moves when the test says so. */
async function startedWith(server: ScriptedServer): Promise<{ readonly world: World; readonly client: StrictClient }> {
  const world = worldOf(server);
  const client = await strictClient({
    ...world,
    settings: { baseUrl: server.url },
    capabilities: { experimental: { packageInsightsStatus: true } },
  });
  return { world, client };
}

test('the status tells from which line on a text is not understood, until it is', async () => {
  const client = await strictClient({
    settings: { offline: true },
    capabilities: { experimental: { packageInsightsStatus: true } },
  });
  await client.open(uri, whole.replace('a",', 'a"'));
  assert.equal((await standing(client, (it) => it.dependencies === 2)).unclearFrom, 4);
  await client.change(uri, 2, whole);
  await standing(client, (it) => it.unclearFrom === undefined);
  await client.stop();
});

test('the status counts in words what was not looked up, and says nothing of what comes from a folder', async () => {
  const service = await startService({ 'NPM lodash': { versions: ['4.17.21'] } });
  const folder = folderWith({ '.npmrc': '@ours:registry=https://npm.ours.example/\n' });
  const here = `${pathToFileURL(folder.path).href}/package.json`;
  const client = await strictClient({
    settings: { baseUrl: service.url },
    capabilities: { workspace: { workspaceFolders: true }, experimental: { packageInsightsStatus: true } },
    initialize: { workspaceFolders: [{ uri: pathToFileURL(folder.path).href, name: 'w' }] },
  });
  const manifest = (more: string) => `{ "dependencies": { "lodash": "4.17.21", "near": "file:../near"${more} } }`;
  await client.open(here, manifest(', "@ours/ui": "1.0.0"'));
  const { coverage, findings, lookups } = await standing(client, (it) => it.pending === 0 && it.coverage !== undefined);
  assert.deepEqual(lookups, { checked: 1, withheld: 1, unknown: 0, unchecked: 0 });
  const advice = 'The service reports no public registries. List them in packageInsights.publicRegistries';
  assert.deepEqual([coverage, findings], [`1 from npm.ours.example (.npmrc:1). ${advice}`, 0]);
  await client.change(here, 2, manifest(''));
  await standing(client, (it) => it.pending === 0 && it.dependencies === 2 && it.coverage === undefined);
  await client.stop();
  folder.remove();
  await service.close();
});

test('the status names the worst severity of a document, and malware before all', async () => {
  const affected = (name: string) => [{ system: 'NPM' as const, name, ranges: [{ introduced: '0' }] }];
  const service = await startService({
    'NPM lodash': { versions: ['4.17.15'] },
    'NPM evil': { versions: ['1.0.0'] },
    'NPM sound': { versions: ['1.0.0'] },
    'advisory GHSA-aaaa-aaaa-aaaa': { title: 'Bad', cvss3Score: 7.5, aliases: [], affected: affected('lodash') },
    'advisory MAL-2025-1': { title: 'Steals', cvss3Score: 0, aliases: [], affected: affected('evil') },
  });
  const client = await strictClient({
    settings: { baseUrl: service.url },
    capabilities: { experimental: { packageInsightsStatus: true } },
  });
  const worstOf = async (version: number, dependencies: object): Promise<DocumentStatus['worst']> => {
    const text = JSON.stringify({ dependencies });
    await (version === 1 ? client.open(uri, text) : client.change(uri, version, text));
    const { length } = Object.keys(dependencies);
    const isThere = (it: DocumentStatus): boolean => it.pending === 0 && it.lookups.checked === length;
    return (await standing(client, isThere)).worst;
  };
  assert.equal(await worstOf(1, { sound: '1.0.0' }), undefined);
  assert.deepEqual(await worstOf(2, { sound: '1.0.0', lodash: '4.17.15' }), { isMalicious: false, text: 'high' });
  const all = { sound: '1.0.0', lodash: '4.17.15', evil: '1.0.0' };
  assert.deepEqual(await worstOf(3, all), { isMalicious: true, text: 'malicious' });
  await client.stop();
  await service.close();
});

test('who asks for everything anew is told at once that it is under way, not why it failed before', async () => {
  const server = await scriptedServer(status(400, 'no'));
  const client = await strictClient({
    settings: { baseUrl: server.url },
    capabilities: { experimental: { packageInsightsStatus: true } },
  });
  const told = (from: number, holds: (it: DocumentStatus) => boolean): Promise<true> =>
    client.until((sent) =>
      sent.slice(from).some((it) => {
        const [document] = it.method === 'packageInsights/status' ? (it.params as Status).documents : [];
        return document !== undefined && holds(document);
      })
        ? true
        : undefined,
    );
  await client.open(uri, '{ "dependencies": { "a": "1.0.0" } }');
  await told(0, (it) => it.failed !== undefined && it.unanswered === 1);
  server.answer(stall);
  const before = client.sent.length;
  await client.connection.sendRequest('workspace/executeCommand', { command: 'packageInsights.server.refresh' });
  await told(before, (it) => it.pending === 1 && it.failed === undefined && it.unanswered === 0);
  await client.stop();
  await server.close();
});

test('a hover says until when nothing is asked because the service requested a wait', async () => {
  const server = await scriptedServer(status(429, 'slow down', { 'retry-after': '60' }));
  const client = await strictClient({
    settings: { baseUrl: server.url },
    capabilities: { experimental: { packageInsightsStatus: true } },
  });
  await client.open(uri, '{ "dependencies": { "a": "1.0.0" } }');
  await client.until((sent) => sent.find((it) => (it.params as Partial<Status> | undefined)?.heldUntil));
  const hover = await client.ask<Hover>('textDocument/hover', uri, { position: { line: 0, character: 22 } });
  assert.match(
    JSON.stringify(hover.contents),
    /the service requested a wait of 60 s\..*No requests until \d\d:\d\d:\d\d\./,
  );
  await client.stop();
  await server.close();
});

test('a wait that is our own is explained, and no time is told, for a person can end it', async () => {
  const server = await scriptedServer(status(503, 'down for a while'));
  const { world, client } = await startedWith(server);
  await client.open(uri, '{ "dependencies": { "a": "1.0.0" } }');
  const failed = standing(client, (it) => it.failed !== undefined && it.pending === 0);
  assert.equal((await answered(world, failed)).answer.failed, 'the service answered with status 503');
  const position = { line: 0, character: 22 };
  const { answer } = await answered(world, client.ask<Hover>('textDocument/hover', uri, { position }));
  assert.match(JSON.stringify(answer.contents), /answered with status 503/);
  assert.doesNotMatch(JSON.stringify([answer, client.sent]), /heldUntil|No requests until|requested a wait/);
  server.answer(status(400, 'no'));
  await client.connection.sendRequest('workspace/executeCommand', { command: 'packageInsights.server.refresh' });
  const again = standing(client, (it) => it.failed === 'the service answered with status 400: no');
  assert.equal((await answered(world, again)).ms, 0);
  await client.stop();
  await server.close();
});

test('going online again reports no failure for having been offline', async () => {
  const server = await scriptedServer(status(404, 'package not found'));
  const client = await strictClient({
    settings: { baseUrl: server.url, offline: true },
    capabilities: { experimental: { packageInsightsStatus: true } },
  });
  await client.open(uri, '{ "dependencies": { "a": "^1.0.0" } }');
  await standing(client, (it) => it.failed !== undefined);
  await client.until((sent) => sent.find((it) => (it.params as Partial<Status> | undefined)?.offline));
  await client.connection.sendNotification('workspace/didChangeConfiguration', {
    settings: { baseUrl: server.url, offline: false },
  });
  await standing(client, (it) => it.failed === undefined && it.pending === 0);
  const logged = client.sent.filter((it) => it.method === 'window/logMessage').map((it) => JSON.stringify(it.params));
  assert.deepEqual(
    logged.filter((it) => /offline|could not/.test(it)),
    [],
  );
  await client.stop();
  await server.close();
});

test('the reason for a wait is reported within two seconds, during the retries', async () => {
  const server = await scriptedServer(status(404, 'Not Found'));
  const { world, client } = await startedWith(server);
  const names = Array.from({ length: 6 }, (_, at) => `"p${at}": "^1.0.0"`);
  await client.open(uri, `{ "dependencies": { ${names} } }`);
  const told = await answered(
    world,
    standing(client, (it) => it.failed !== undefined),
  );
  assert.ok(told.ms <= 2000, `told after ${told.ms} ms`);
  assert.equal(told.answer.pending, 6);
  assert.match(told.answer.failed ?? '', /^there is no Package Insights Service at /);
  const position = { line: 0, character: 22 };
  const { answer } = await answered(world, client.ask<Hover>('textDocument/hover', uri, { position }));
  assert.match(JSON.stringify(answer.contents), /Retrying: there is no Package Insights Service/);
  assert.match(
    JSON.stringify(client.sent.filter((it) => it.method === 'window/logMessage')),
    /lookups failed: there is no Package Insights Service/,
  );
  await client.stop();
  await server.close();
});

test('a document that asks for nothing is not told of as one that cannot be asked about', async () => {
  const server = await scriptedServer(status(503, 'down'));
  const { world, client } = await startedWith(server);
  const still = 'file:///elsewhere/package.json';
  await client.open(still, whole);
  await client.open(uri, '{ "dependencies": { "a": "^1.0.0" } }');
  await answered(
    world,
    standing(client, (it) => it.failed !== undefined && it.pending > 0),
  );
  assert.equal((await standing(client, (it) => it.uri === still)).failed, undefined);
  await client.stop();
  await server.close();
});

test('a wait for a connection is reported after two seconds, and no failure before it happens', async () => {
  const clock = fakeClock();
  let answer = (): void => {};
  const turned = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let ask = (_: HttpRequest): void => {};
  const asked = new Promise<HttpRequest>((resolve) => {
    ask = resolve;
  });
  const client = await strictClient({
    clock,
    http: {
      async request(request) {
        ask(request);
        await turned;
        return { kind: 'answer', status: 404, headers: {}, text: 'package not found' };
      },
      close: async () => {},
    },
    settings: { baseUrl: 'http://service.example' },
    capabilities: { experimental: { packageInsightsStatus: true } },
  });
  await client.open(uri, '{ "dependencies": { "a": "^1.0.0" } }');
  const { onConnected } = await asked;
  await clock.pass(100);
  await standing(client, (it) => it.pending === 1);
  for (const version of [2, 3, 4]) {
    await client.change(uri, version, `{ "dependencies": { "a": "^1.0.0" } }${' '.repeat(version)}`);
    await clock.pass(100);
  }
  const told = client.sent.length;
  await clock.advance(1500);
  assert.deepEqual(client.sent.slice(told), []);
  await clock.advance(1100);
  const { delayed, failed, unanswered } = await standing(client, (it) => it.delayed !== undefined);
  assert.equal(client.sent.length, told + 1);
  assert.equal(delayed, 'no connection so far (timeout: 10 s)');
  assert.deepEqual([failed, unanswered], [undefined, 0]);
  const hovering = client.ask<Hover>('textDocument/hover', uri, { position: { line: 0, character: 22 } });
  await clock.pass(800);
  assert.match(JSON.stringify((await hovering).contents), /No answer so far: no connection so far/);
  onConnected?.();
  await clock.advance(1000);
  await standing(client, (it) => it.delayed === undefined && it.pending === 1);
  answer();
  await standing(client, (it) => it.pending === 0);
  assert.doesNotMatch(JSON.stringify(client.sent), /lookups failed|Lookup failed/);
  await client.stop();
});

test('a slow answer is reported after five seconds', async () => {
  const server = await scriptedServer(stall);
  const world = worldOf(server);
  const { clock, http } = world;
  const client = await strictClient({
    clock,
    http,
    settings: { baseUrl: server.url },
    capabilities: { experimental: { packageInsightsStatus: true } },
  });
  await client.open(uri, '{ "dependencies": { "a": "1.0.0" } }');
  await server.reached(1);
  await clock.pass(100);
  await standing(client, (it) => it.pending === 1 && it.delayed === undefined);
  for (let second = 0; second < 6; second++) await clock.advance(1000);
  const reason = 'the service is slow to answer';
  assert.equal((await standing(client, (it) => it.delayed !== undefined)).delayed, reason);
  const hover = client.ask<Hover>('textDocument/hover', uri, { position: { line: 0, character: 22 } });
  assert.match(
    JSON.stringify((await answered(world, hover)).answer.contents),
    new RegExp(`No answer so far: ${reason}`),
  );
  await client.stop();
  await server.close();
});

test('a package that the service does not know is counted as such, and is no finding', async () => {
  const service = await startService({ 'NPM lodash': { versions: ['4.17.21'] } });
  const client = await strictClient({
    settings: { baseUrl: service.url },
    capabilities: { experimental: { packageInsightsStatus: true } },
  });
  await client.open(uri, '{ "dependencies": { "lodash": "4.17.21", "ours": "1.0.0", "@ours/ui": "1.0.0" } }');
  const counted = await standing(client, (it) => it.pending === 0 && it.lookups.unknown === 2);
  assert.deepEqual(counted.lookups, { checked: 1, withheld: 0, unknown: 2, unchecked: 0 });
  assert.deepEqual([counted.findings, counted.coverage], [0, undefined]);
  await client.connection.sendNotification('workspace/didChangeConfiguration', {
    settings: { baseUrl: service.url, severity: { 'not-found': 'warning' } },
  });
  assert.equal((await standing(client, (it) => it.findings === 2)).lookups.unknown, 2);
  await client.stop();
  await service.close();
});

/** Waits until the last status satisfies the condition. */
function statusWhere(client: StrictClient, holds: (it: Status) => boolean): Promise<Status> {
  return client.until((sent) => {
    const last = sent.findLast((it) => it.method === 'packageInsights/status')?.params as Status | undefined;
    return last && holds(last) ? last : undefined;
  });
}

test('an outage has a beginning and a next try, and ends with the first answer', async () => {
  const server = await scriptedServer(status(503, 'down'));
  const { world, client } = await startedWith(server);
  const begun = world.clock.now();
  await client.open(uri, '{ "dependencies": { "a": "^1.0.0" } }');
  const first = await answered(
    world,
    statusWhere(client, (it) => it.outage?.retryAt !== undefined),
  );
  const { since = 0, retryAt = 0, reason } = first.answer.outage ?? {};
  assert.equal(reason, 'the service answered with status 503');
  assert.ok(since >= begun && since <= world.clock.now(), `since ${since - begun} ms`);
  assert.ok(retryAt > world.clock.now(), `next try in ${retryAt - world.clock.now()} ms`);
  // The next try is told anew when it has failed, too; the outage is still the same.
  const later = await answered(
    world,
    statusWhere(client, (it) => (it.outage?.retryAt ?? 0) > retryAt),
  );
  assert.equal(later.answer.outage?.since, since);
  server.answer(status(404, 'package not found'));
  await answered(
    world,
    statusWhere(client, (it) => it.outage === undefined && it.documents[0]?.pending === 0),
  );
  await client.stop();
  await server.close();
});

test('who works offline, or has an invalid setting, is told of no outage', async () => {
  for (const settings of [{ offline: true }, { baseUrl: 'nowhere' }]) {
    const client = await strictClient({ settings, capabilities: { experimental: { packageInsightsStatus: true } } });
    await client.open(uri, '{ "dependencies": { "a": "^1.0.0" } }');
    await statusWhere(client, (it) => it.documents[0]?.failed !== undefined);
    assert.ok(!client.sent.some((it) => (it.params as Partial<Status> | undefined)?.outage));
    await client.stop();
  }
});

test('what nothing was requested for is said in the status and the hover', async () => {
  const client = await strictClient({
    settings: { baseUrl: 'nowhere' },
    capabilities: { experimental: { packageInsightsStatus: true } },
  });
  await client.open(uri, '{ "dependencies": { "a": "^1.0.0", "b": "1.0.0" } }');
  const { coverage } = await standing(client, (it) => it.coverage !== undefined);
  assert.equal(coverage, 'Nothing was requested');
  const hover = await client.ask<Hover>('textDocument/hover', uri, { position: { line: 0, character: 22 } });
  assert.match(JSON.stringify(hover.contents), /Not looked up: invalid address in packageInsights.baseUrl/);
  await client.stop();
});
