import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Hover } from 'vscode-languageserver-protocol';
import type { Status } from '../../server/src/editor/publish/status.ts';
import type { ReportAnswer } from '../../server/src/editor/requests/report.ts';
import { createRecentFiles } from '../../server/src/editor/sync/watched-files.ts';
import { fakeClock } from '../harness/fake-clock.ts';
import { farEditor, farFiles } from '../harness/far-files.ts';
import { type StartedService, startService } from '../harness/service.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

/* A file system of an editor that fails in passing: nothing is sent that it might keep private, and it is read again. */

const root = 'memfs:/app/';
const manifest = '{\n"dependencies": {\n"lodash": "4.17.15",\n"@acme/ui": "workspace:*"\n}\n}\n';

let service: StartedService;
before(async () => {
  service = await startService({ 'NPM lodash': { versions: ['4.17.15', '4.17.21'] } });
});
after(() => service.close());

type Editor = ReturnType<typeof farEditor>;

async function open(editor: Editor): Promise<StrictClient> {
  const client = await strictClient({
    browser: editor.answers,
    settings: { baseUrl: service.url },
    capabilities: {
      workspace: { workspaceFolders: true },
      textDocument: { hover: { contentFormat: ['markdown'] } },
      experimental: { packageInsightsStatus: true },
    },
    initialize: { workspaceFolders: [{ uri: root.slice(0, -1), name: 'app' }] },
  });
  await client.open(`${root}package.json`, manifest);
  return client;
}

const settled = (client: StrictClient, holds: (it: Status['documents'][number]) => boolean) =>
  client.until((sent) => {
    const last = sent.findLast((it) => it.method === 'packageInsights/status')?.params as Status | undefined;
    return last?.documents.find((it) => it.pending === 0 && it.dependencies > 0 && holds(it));
  });

const names = (): string[] =>
  service.requests.map((it) => JSON.stringify(it)).filter((it) => /4\.17\.15|acme/.test(it));

test('a file that cannot be read for a while withholds names, is called by its name, and is read again', async () => {
  const editor = farEditor({ 'package.json': manifest, '.npmrc': 'save-exact=true\n' }, root);
  let isLimited = true;
  editor.fail = (call) => (isLimited && call.includes('.npmrc') ? 'Unavailable' : undefined);
  const client = await open(editor);
  const status = await settled(client, (it) => it.lookups.withheld > 0);
  assert.equal(status.lookups.unreadable, status.lookups.withheld);
  const { contents } = await client.ask<Hover>('textDocument/hover', `${root}package.json`, {
    position: { line: 2, character: 3 },
  });
  assert.match(JSON.stringify(contents), /Not looked up: \.npmrc could not be read \(error Unavailable\)\./);
  assert.doesNotMatch(JSON.stringify(contents), /private/);
  assert.deepEqual(names(), []);
  isLimited = false;
  assert.equal((await settled(client, (it) => it.lookups.withheld === 0)).lookups.checked, 1);
  await client.stop();
});

test('a file system that fails now and then is asked again at once', async () => {
  const texts = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`p${at}/package.json`, '{"dependencies":{"lodash":"4.17.15"}}']),
  );
  const editor = farEditor({ ...texts, 'package.json': manifest }, root);
  let count = 0;
  editor.fail = () => (++count % 20 === 0 ? 'Unknown' : undefined);
  const client = await open(editor);
  const { report } = await client.connection.sendRequest<ReportAnswer>('packageInsights/report', {});
  assert.deepEqual([report.manifests, report.unread, report.coverage.unreadable], [21, [], undefined]);
  await client.stop();
});

test('a folder that cannot be listed is no empty one: the report is incomplete', async () => {
  const text = '{"dependencies":{"lodash":"4.17.15"}}';
  const editor = farEditor({ 'a/package.json': text, 'b/package.json': text, 'package.json': manifest }, root);
  editor.fail = (call) => (call.endsWith('/b/') ? 'Unavailable' : undefined);
  const client = await open(editor);
  const { report } = await client.connection.sendRequest<ReportAnswer>('packageInsights/report', {});
  assert.ok(report.unread.includes('b/') || report.unread.includes('b'), JSON.stringify(report.unread));
  await client.stop();
});

test('what cannot be read is read again later and later, and at once again after a good while', async () => {
  const clock = fakeClock();
  const far = farFiles({ '.npmrc': 'x=1' }, root, clock);
  far.fail = (call) => (call.includes('.npmrc') ? 'Unavailable' : undefined);
  const times: number[] = [];
  const began = clock.now();
  const plain = { ...far.files, tryRead: async () => ({ why: 'failed' }) as const };
  const recent = createRecentFiles(
    { read: async () => undefined, find: plain.find, tryRead: plain.tryRead },
    clock,
    () => {
      times.push(Math.round((clock.now() - began) / 1000));
      recent.forget();
      recent.tryRead?.(`${root}.npmrc`);
    },
  );
  await recent.tryRead?.(`${root}.npmrc`);
  for (let at = 0; at < 400; at++) await clock.advance(1000);
  assert.deepEqual(times.slice(0, 7), [2, 6, 14, 30, 62, 126, 246]);
});
