import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hover, InlayHint } from 'vscode-languageserver';
import type { Status } from '../../server/src/editor/publish/status.ts';
import type { PurlAnswer } from '../../server/src/editor/requests/purl.ts';
import type { Http } from '../../server/src/engine/http/types.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { catalog, everything, manifest, onLodash } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);
const uri = 'file:///workspace/package.json';
const capabilities = {
  textDocument: { inlayHint: {} },
  workspace: { configuration: true },
  experimental: { packageInsightsStatus: true },
};

/** The addresses that were asked, by a network that answers none of them. */
function deaf(): { readonly http: Http; readonly asked: readonly string[] } {
  const asked: string[] = [];
  const http: Http = {
    request: async ({ origin }) => {
      asked.push(origin);
      return { kind: 'failure', reason: 'deaf', isRetryable: false };
    },
    close: async () => {},
  };
  return { http, asked };
}

async function hoverOf(client: StrictClient, at = onLodash): Promise<string> {
  const { contents } = await client.ask<Hover>('textDocument/hover', uri, { position: at });
  return (contents as { value: string }).value;
}

function statusWhere(client: StrictClient, holds: (it: Status) => boolean): Promise<Status> {
  return client.until((sent) => {
    const last = sent.findLast((it) => it.method === 'packageInsights/status')?.params as Status | undefined;
    return last && holds(last) ? last : undefined;
  });
}

const shown = (value: unknown): string => JSON.stringify(value);
const address = (value: unknown): string => `invalid address in packageInsights.baseUrl: ${shown(value)}`;

/** What a person may have written, and why nothing is looked up then. */
const slips: readonly (readonly [settings: object, reason: string])[] = [
  ...['127.0.0.1:8099', 'ftp://x.example', '', ' ', 'http://', 'https:insights.example', 'insights.example'].map(
    (it) => [{ baseUrl: it }, address(it)] as const,
  ),
  [{ baseUrl: 'htp://me:secret@x.example' }, address('htp://…@x.example')],
  ...[null, 8099, ['https://x.example'], {}].map((it) => [{ baseUrl: it }, address(it)] as const),
  ...['true', 'false', 1, 0, null].map(
    (it) => [{ offline: it }, `packageInsights.offline must be true or false, not ${shown(it)}`] as const,
  ),
  ...[0, '60', 1.5, null].map(
    (it) =>
      [
        { freshness: { max: it } },
        `packageInsights.freshness.max must be an integer from 1 to 43200, not ${shown(it)}`,
      ] as const,
  ),
  [{ 'packageInsights.freshness.min': -1 }, 'packageInsights.freshness.min must be an integer from 1 to 10080, not -1'],
];

for (const [settings, reason] of slips) {
  test(`nothing is asked where settings cannot be understood: ${shown(settings)}`, async () => {
    // Told at the start, and by an editor that is asked for them; the strongest of them is not passed over for another.
    const told = [{ settings }, { settings: { baseUrl: service.url }, answer: () => [settings] }];
    for (const options of told) {
      const { http, asked } = deaf();
      const client = await strictClient({ capabilities, http, answer: () => null, ...options });
      await client.open(uri, manifest);
      const status = await statusWhere(client, (it) => it.documents[0]?.unanswered === 2);
      assert.deepEqual(status.mistakes, [
        { setting: /packageInsights\.[\w.]*\w|initializationOptions/.exec(reason)?.[0], reason, closes: true },
      ]);
      const hover = await hoverOf(client);
      assert.ok(hover.replaceAll('\\', '').includes(`Not looked up: ${reason}.`), hover);
      const page = await client.connection.sendRequest<PurlAnswer>('packageInsights/lookUpPurl', {
        purl: 'pkg:npm/lodash@4.17.15',
      });
      assert.ok(page.kind === 'failed' && page.reason.includes(reason), JSON.stringify(page));
      const logged = client.sent.filter((it) => it.method === 'window/logMessage').map((it) => shown(it.params));
      assert.equal(logged.filter((it) => it.includes(shown(reason).slice(1, -1))).length, 1, logged.join('\n'));
      assert.deepEqual(asked, []);
      await client.stop();
    }
  });
}

test('a setting that is put right counts at once, and nothing of before passes for an answer meanwhile', async () => {
  const client = await strictClient({
    capabilities: { ...capabilities, workspace: {} },
    settings: { baseUrl: service.url },
  });
  const change = (settings: object) =>
    client.connection.sendNotification('workspace/didChangeConfiguration', { settings: { packageInsights: settings } });
  await client.open(uri, manifest);
  await client.pushed(uri, (all) => all.length === 2);
  for (const slip of [{ baseUrl: '127.0.0.1:8099' }, { baseUrl: '' }]) {
    await change(slip);
    await client.pushed(uri, (all) => all.length === 0);
    await statusWhere(client, (it) => it.mistakes?.[0]?.closes === true && it.documents[0]?.unanswered === 2);
    const hover = await hoverOf(client);
    assert.match(hover, /Not looked up: invalid address in packageInsights\.baseUrl/);
    assert.doesNotMatch(hover, /MIT|GHSA/);
    const hints = await client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range: everything });
    assert.doesNotMatch(JSON.stringify(hints), /MIT/);
    await change({ baseUrl: service.url });
    await client.pushed(uri, (all) => all.length === 2);
    assert.match(await hoverOf(client), /License MIT/);
    await statusWhere(client, (it) => it.mistakes === undefined && it.documents[0]?.unanswered === 0);
  }
  // Where only that was in doubt what is known stays.
  await change({ baseUrl: service.url, offline: 'true' });
  await statusWhere(client, (it) => it.mistakes?.[0]?.setting === 'packageInsights.offline');
  assert.match(await hoverOf(client), /License MIT/);
  const before = service.requests.length;
  const next = 'file:///workspace/next/package.json';
  await client.open(next, manifest.replace('lodash', 'left-pad'));
  await statusWhere(client, (it) => it.documents.some((one) => one.uri === next && one.unanswered > 0));
  assert.equal(service.requests.length, before);
  await change({ baseUrl: service.url, offline: false });
  await statusWhere(client, (it) => it.documents.every((one) => one.unanswered + one.pending === 0));
  await client.stop();
});

test('an entry of the public registries that cannot be understood makes no host public', async () => {
  const entries = ['*', '*.acme.example', 'https://npm.acme.example/public/', 'https://npm.acme.example:8443', '', 7];
  const files = {
    read: async (it: string) => (it.endsWith('/.npmrc') ? 'registry=https://npm.acme.example/all/\n' : undefined),
    find: async () => [],
  };
  for (const publicRegistries of [...entries.map((it) => [it]), 'npm.acme.example', null]) {
    const client = await strictClient({
      capabilities: { ...capabilities, workspace: {} },
      files,
      settings: { baseUrl: service.url, publicRegistries },
    });
    await client.open(uri, manifest.replace('4.17.15', '4.17.16'));
    const { mistakes = [] } = await statusWhere(client, (it) => it.documents[0]?.pending === 0);
    const [said] = mistakes;
    assert.equal(mistakes.length, 1);
    assert.deepEqual([said?.setting, said?.closes], ['packageInsights.publicRegistries', false]);
    assert.match(await hoverOf(client), /The name stays on this machine/);
    assert.ok(!service.requests.some((it) => it.body.includes('4.17.16')));
    await client.stop();
  }
  // What else stands there counts.
  const client = await strictClient({
    capabilities,
    files,
    settings: { baseUrl: service.url, publicRegistries: ['*', 'https://NPM.acme.example/'] },
  });
  await client.open(uri, manifest);
  await statusWhere(client, (it) => it.mistakes?.length === 1 && it.documents[0]?.pending === 0);
  assert.match(await hoverOf(client), /License MIT/);
  await client.stop();
});
