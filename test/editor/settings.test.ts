import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientCapabilities, ConfigurationParams, Hover, InlayHint } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { catalog, everything, manifest, onLodash } from './scratch.ts';
import { refuse, type StrictClient, strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);
const other = await startServiceForFile({ 'NPM lodash': { versions: ['4.17.15'], shared: { licenses: ['ISC'] } } });

const uri = 'file:///workspace/package.json';
const hints: ClientCapabilities = { textDocument: { inlayHint: {} } };

/** A client, and how its settings are changed. */
interface Changing {
  readonly client: StrictClient;
  readonly change: (settings: object) => Promise<void>;
}

async function pushing(): Promise<Changing> {
  const client = await strictClient({ capabilities: hints, settings: { baseUrl: service.url } });
  const change = (it: object) =>
    client.connection.sendNotification('workspace/didChangeConfiguration', { settings: { packageInsights: it } });
  return { client, change };
}

async function pulling(): Promise<Changing> {
  let settings: object = { baseUrl: service.url };
  const client = await strictClient({
    capabilities: {
      ...hints,
      workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } },
    },
    answer: (method) => (method === 'workspace/configuration' ? [settings] : null),
  });
  const change = (it: object) => {
    settings = it;
    return client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  };
  return { client, change };
}

for (const [name, start] of Object.entries({ pushed: pushing, pulled: pulling })) {
  const labels = async ({ client }: Changing): Promise<unknown[]> => {
    await client.ask('textDocument/hover', uri, { position: onLodash });
    const found = await client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range: everything });
    return found.map((it) => it.label);
  };

  test(`${name} settings: a severity that is turned off takes its diagnostics away`, async () => {
    const changing = await start();
    const { client, change } = changing;
    await client.open(uri, manifest);
    await client.pushed(uri, (all) => all.length === 2);
    await change({ baseUrl: service.url, severity: { deprecated: 'off', advisory: 'hint' } });
    const left = await client.pushed(uri, (all) => all.length === 1);
    assert.equal(left[0]?.code, 'advisory');
    await client.pushed(uri, ([it]) => it?.severity === 4);
    await change({ baseUrl: service.url });
    await client.pushed(uri, (all) => all.length === 2 && all[0]?.severity === 1);
    await client.stop();
  });

  test(`${name} settings: hints are turned off, and on again`, async () => {
    const changing = await start();
    const { client, change } = changing;
    await client.open(uri, manifest);
    await client.pushed(uri, (all) => all.length === 2);
    assert.equal((await labels(changing)).length, 2);
    // The severity shows when the change has come through.
    await change({ baseUrl: service.url, inlayHints: 'off', 'severity.deprecated': 'off' });
    await client.pushed(uri, (all) => all.length === 1);
    assert.deepEqual(await labels(changing), []);
    await change({ baseUrl: service.url });
    await client.pushed(uri, (all) => all.length === 2);
    assert.equal((await labels(changing)).length, 2);
    await client.stop();
  });

  test(`${name} settings: another service is asked from then on`, async () => {
    const changing = await start();
    const { client, change } = changing;
    await client.open(uri, manifest);
    await client.pushed(uri, (all) => all.length === 2);
    await change({ baseUrl: other.url });
    await client.pushed(uri, (all) => all.length === 1 && all[0]?.code === 'not-found');
    assert.deepEqual(await labels(changing), ['4.17.15 · ISC', 'unknown']);
    // What the first service was asked before may still be on its way to it, so this asks of something new.
    const next = 'file:///workspace/next/package.json';
    await client.open(next, manifest.replace('4.17.15', '4.17.18'));
    await client.pushed(next, (all) => all.length === 2);
    assert.ok(other.requests.some((it) => it.body.includes('4.17.18')));
    assert.ok(!service.requests.some((it) => it.body.includes('4.17.18')));
    await client.stop();
  });
}

test('settings that an editor nests, or names with dots, count wherever it sends them', async () => {
  for (const settings of [
    { baseUrl: service.url },
    { packageInsights: { baseUrl: service.url } },
    { 'packageInsights.baseUrl': service.url },
  ]) {
    const client = await strictClient({ settings });
    await client.open(uri, manifest);
    await client.pushed(uri, (all) => all.length === 2);
    await client.stop();
  }
});

test('a client that has nothing to say of settings leaves those that it sent at the start', async () => {
  for (const answer of [() => null, () => [null], () => [{}], () => 5, refuse]) {
    const client = await strictClient({
      capabilities: { workspace: { configuration: true } },
      settings: { baseUrl: service.url },
      answer,
    });
    await client.until((sent) => sent.find((it) => it.method === 'workspace/configuration'));
    await client.open(uri, manifest);
    await client.pushed(uri, (all) => all.length === 2);
    await client.stop();
  }
});

test('a slow answer does not undo what a later one said', async () => {
  const answers: ((settings: object) => void)[] = [];
  const client = await strictClient({
    capabilities: { workspace: { configuration: true } },
    settings: { baseUrl: service.url },
    answer: () => new Promise((resolve) => answers.push((it) => resolve([it]))),
  });
  const asked = (count: number) =>
    client.until((sent) => sent.filter((it) => it.method === 'workspace/configuration')[count - 1]);
  await asked(1);
  await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  await asked(2);
  answers[1]?.({ baseUrl: service.url, severity: { deprecated: 'off' } });
  await client.open(uri, manifest);
  await client.pushed(uri, (all) => all.length === 1 && all[0]?.severity === 1);
  answers[0]?.({ baseUrl: other.url });
  // The answer has left before the second request does.
  await client.ask('textDocument/hover', uri, { position: onLodash });
  const hover = await client.ask<Hover>('textDocument/hover', uri, { position: onLodash });
  assert.match(JSON.stringify(hover.contents), /MIT/);
  await client.stop();
});

test('the log names the service, although the settings change before they are first told', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = 0;
  const client = await strictClient({
    capabilities: { workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } } },
    settings: { baseUrl: service.url },
    answer: async (method) => {
      if (method !== 'workspace/configuration') return null;
      if (++asked === 1) await held;
      return [{ baseUrl: service.url }];
    },
  });
  await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  const logged = await client.until((all) => all.find((it) => it.method === 'window/logMessage'));
  assert.match((logged.params as { message: string }).message, new RegExp(`asks ${service.url}$`));
  release();
  await client.stop();
});

test('each folder of a workspace has settings of its own for what is shown, and none for where is asked', async () => {
  const [web, api] = ['file:///workspace/web', 'file:///workspace/api'];
  const own: Record<string, object> = {
    [web]: { baseUrl: other.url, inlayHints: 'off', severity: { advisory: 'hint' } },
    [api]: { baseUrl: service.url },
  };
  const client = await strictClient({
    capabilities: { ...hints, workspace: { configuration: true, workspaceFolders: true } },
    initialize: { workspaceFolders: [web, api].map((it) => ({ uri: it, name: it })) },
    answer(method, params) {
      if (method !== 'workspace/configuration') return null;
      const { items } = params as ConfigurationParams;
      return items.map((it) => own[it.scopeUri ?? ''] ?? { baseUrl: service.url });
    },
  });
  const severities = async (folder: string, expected: number): Promise<unknown> =>
    client.pushed(`${folder}/package.json`, (all) => all.length === 2 && all[0]?.severity === expected);
  const labels = async (folder: string): Promise<number> =>
    (await client.ask<InlayHint[]>('textDocument/inlayHint', `${folder}/package.json`, { range: everything })).length;
  for (const folder of [web, api]) await client.open(`${folder}/package.json`, manifest);
  await severities(web, 4);
  await severities(api, 1);
  assert.deepEqual([await labels(web), await labels(api)], [0, 2]);
  // The only folder left has what the client answers for the workspace.
  await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
    event: { added: [], removed: [{ uri: api, name: api }] },
  });
  await severities(web, 1);
  await client.stop();
});
