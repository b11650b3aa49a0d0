import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Hover, InlayHint } from 'vscode-languageserver-protocol';
import type { Status } from '../../server/src/editor/publish/status.ts';
import type { ReportAnswer } from '../../server/src/editor/requests/report.ts';
import { farEditor } from '../harness/far-files.ts';
import { type StartedService, startService } from '../harness/service.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

/* A browser, before and after a person has permitted it to send names to a service. */

const root = 'memfs:/app/';
const manifest = '{\n"dependencies": {\n"lodash": "4.17.15",\n"@acme/ui": "1.0.0"\n}\n}\n';

let service: StartedService;
before(async () => {
  service = await startService({ 'NPM lodash': { versions: ['4.17.15', '4.17.21'] } });
});
after(() => service.close());

async function open(settings: object, texts: Readonly<Record<string, string>> = {}): Promise<StrictClient> {
  const all = { 'package.json': manifest, 'lib/pom.xml': pom, 'py/requirements.txt': 'requests==2.31.0\n', ...texts };
  const client = await strictClient({
    browser: farEditor(all, root).answers,
    settings: { baseUrl: service.url, ...settings },
    capabilities: {
      workspace: { workspaceFolders: true },
      textDocument: { hover: { contentFormat: ['markdown'] }, inlayHint: {} },
      experimental: { packageInsightsStatus: true, packageInsightsCommands: true },
    },
    initialize: { workspaceFolders: [{ uri: root.slice(0, -1), name: 'app' }] },
  });
  await client.open(`${root}package.json`, manifest);
  return client;
}

const pom =
  '<project><artifactId>lib</artifactId><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.12</version></dependency></dependencies></project>';

const hover = async (client: StrictClient, line: number): Promise<string> => {
  const found = await client.ask<Hover>('textDocument/hover', `${root}package.json`, {
    position: { line, character: 3 },
  });
  return JSON.stringify(found.contents);
};

const settled = (client: StrictClient): Promise<Status['documents'][number]> =>
  client.until((sent) => {
    const last = sent.findLast((it) => it.method === 'packageInsights/status')?.params as Status | undefined;
    return last?.documents.find((it) => it.pending === 0 && it.dependencies > 0);
  });

test('before the permission all is not looked up yet: one sentence, one button, and nothing is sent', async () => {
  const asked = service.requests.length;
  const client = await open({ lookUpInBrowser: [] });
  const status = await settled(client);
  assert.equal(status.isWithheldInBrowser, true);
  assert.deepEqual(status.lookups, { checked: 0, withheld: 2, undecided: 2, unknown: 0, unchecked: 0 });
  // A note of its own tells of it.
  assert.equal(status.coverage, undefined);
  const text = await hover(client, 2);
  assert.match(text, /Not looked up yet: a browser cannot read the registry settings of your computer, which may/);
  assert.match(text, /Look Up Packages in the Browser…/);
  assert.doesNotMatch(text, /private:|npmrc/);
  const hints = await client.ask<InlayHint[]>('textDocument/inlayHint', `${root}package.json`, {
    range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } },
  });
  assert.deepEqual(hints, []);

  const answer = await client.connection.sendRequest<ReportAnswer>('packageInsights/report', {});
  assert.equal(answer.report.coverage.undecided, 4);
  assert.match(answer.coverage?.text ?? '', /4 not looked up yet/);
  assert.doesNotMatch(answer.coverage?.text ?? '', /private|npmrc|settings\.xml|pip\.conf/);
  assert.equal(answer.lookUp, 'Look Up Packages in the Browser…');
  assert.equal(answer.report.withheld.length, 1, 'one clause for all systems');
  assert.equal(service.requests.length, asked);
  await client.stop();
});

test('the permission is for the service that it names, and no other', async () => {
  const asked = service.requests.length;
  for (const lookUpInBrowser of [['insights.example'], ['127.0.0.1'], true, ['*']]) {
    const client = await open({ lookUpInBrowser });
    assert.equal((await settled(client)).isWithheldInBrowser, true, JSON.stringify(lookUpInBrowser));
    await client.stop();
  }
  assert.equal(service.requests.length, asked);
  const client = await open({ lookUpInBrowser: ['insights.example', new URL(service.url).host] });
  const status = await settled(client);
  assert.equal(status.isWithheldInBrowser, undefined);
  assert.ok(service.requests.length > asked);
  await client.stop();
});

test('nothing is advised that a browser cannot do', async () => {
  const client = await open(
    { lookUpInBrowser: [new URL(service.url).host] },
    { '.npmrc': '@acme:registry=https://npm.acme.example/\n' },
  );
  const status = await settled(client);
  assert.equal(status.lookups.withheld, 1);
  assert.equal(status.askable, undefined);
  const text = await hover(client, 3);
  assert.match(text, /npm\.acme\.example/);
  assert.doesNotMatch(text, /privateRegistries|To ask/);
  await client.stop();
});
