import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ReportAnswer } from '../../server/src/editor/requests/report.ts';
import { type LspClient, startLsp } from '../harness/lsp-client.ts';
import { type StartedService, startService } from '../harness/service.ts';
import { type Folder, folderWith } from '../terminal/program.ts';

let service: StartedService;
let folder: Folder;
let client: LspClient;

before(async () => {
  service = await startService({ 'NPM lodash': { versions: ['4.17.15', '4.17.21'] } });
  folder = folderWith({
    'one/package.json': '{ "dependencies": { "lodash": "9.0.0" } }',
    'two/package.json': '{ "dependencies": { "lodash": "4.17.15" } }',
    'two/node_modules/lodash/package.json': '{ "dependencies": { "lodash": "9.0.0" } }',
  });
  client = await startLsp({ folder: pathToFileURL(folder.path).href, settings: { baseUrl: service.url } });
});
after(async () => {
  await client.stop();
  folder.remove();
  await service.close();
});

const ask = (params: object = {}): Promise<ReportAnswer | null> =>
  client.connection.sendRequest('packageInsights/report', params);

test('a report of the folders tells what the terminal would, and where its paths begin', async () => {
  const answer = await ask();
  assert.ok(answer);
  assert.equal(answer.base, `${pathToFileURL(folder.path).href}/`);
  assert.deepEqual(
    answer.report.projects.map((it) => it.path),
    ['one/package.json', 'two/package.json'],
  );
  assert.deepEqual(
    answer.report.findings.map((it) => `${it.path} ${it.code}`),
    ['one/package.json no-match'],
  );
  assert.equal(answer.tool.name, 'Package Insights');
});

test('what is typed counts, saved or not; the document in front keeps its facts', async () => {
  const uri = `${pathToFileURL(folder.path).href}/two/package.json`;
  await client.open(uri, '{ "dependencies": { "lodash": "8.0.0" } }');
  await client.pushedUntil(uri, (all) => all.length === 1);
  const answer = await ask();
  assert.deepEqual(
    answer?.report.findings.map((it) => it.path),
    ['one/package.json', 'two/package.json'],
  );
  assert.equal(client.pushed.get(uri)?.length, 1);
});

test('it tells how far it is', async () => {
  const kinds: string[] = [];
  const told = client.connection.onNotification('$/progress', ({ token, value }: Progress) => {
    if (token === 'mine') kinds.push(value.kind);
  });
  await ask({ workDoneToken: 'mine' });
  told.dispose();
  assert.deepEqual([kinds[0], kinds.at(-1)], ['begin', 'end']);
});

interface Progress {
  readonly token: string;
  readonly value: { readonly kind: string };
}

test('an invalid token gets no progress', async () => {
  const answer = await ask({ workDoneToken: {} });
  assert.equal(answer?.report.projects.length, 2);
});

test('without a folder there is no report', async () => {
  const alone = await startLsp({ settings: { baseUrl: service.url } });
  assert.equal(await alone.connection.sendRequest('packageInsights/report', {}), null);
  await alone.stop();
});
