import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ReportAnswer } from '../../server/src/editor/requests/report.ts';
import { startLsp } from '../harness/lsp-client.ts';
import { startService } from '../harness/service.ts';
import { folderWith } from '../terminal/program.ts';

const files = {
  'package.json': '{ "dependencies": { "odd": "1.0.0" } }',
  'deps-dev.lst': 'odd==1.0.0\n',
};

test('settings name files of their own, and switch a system off, while files are open', async () => {
  const service = await startService({
    'NPM odd': { versions: { '1.0.0': { deprecated: 'old' } } },
    'PYPI odd': { versions: { '1.0.0': { deprecated: 'old' } } },
  });
  const folder = folderWith(files);
  const root = pathToFileURL(folder.path).href;
  const client = await startLsp({ folder: root, settings: { baseUrl: service.url } });
  const choose = (chosen: object): Promise<void> =>
    client.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { packageInsights: { baseUrl: service.url, ...chosen } },
    });
  const [manifest, named] = [`${root}/package.json`, `${root}/deps-dev.lst`];
  try {
    await client.open(manifest, files['package.json']);
    await client.open(named, files['deps-dev.lst']);
    await client.pushedUntil(manifest, (all) => all.length === 1);
    assert.equal(client.pushed.get(named)?.length ?? 0, 0);

    await choose({ fileNames: ['deps*.lst=requirements.txt'], disabledSystems: ['npm'] });
    await client.pushedUntil(named, (all) => all.length === 1);
    await client.pushedUntil(manifest, (all) => all.length === 0);
    const position = { line: 0, character: 22 };
    const hover = { textDocument: { uri: manifest }, position };
    assert.equal(await client.connection.sendRequest('textDocument/hover', hover), null);
    const answer = await client.connection.sendRequest<ReportAnswer | null>('packageInsights/report', {});
    assert.deepEqual(answer?.report.excluded, [{ by: 'packageInsights.disabledSystems npm', count: 1 }]);
    assert.equal(answer?.report.coverage.total, 1);

    await choose({});
    await client.pushedUntil(named, (all) => all.length === 0);
    await client.pushedUntil(manifest, (all) => all.length === 1);
  } finally {
    await client.stop();
    folder.remove();
    await service.close();
  }
});

test('each folder has names of its own, whichever was told last', async () => {
  const service = await startService({ 'PYPI odd': { versions: { '1.0.0': { deprecated: 'old' } } } });
  const folder = folderWith({ 'a/deps.lst': 'odd==1.0.0\n', 'b/deps.lst': 'odd==1.0.0\n' });
  const root = pathToFileURL(folder.path).href;
  const [first, second] = [`${root}/a`, `${root}/b`];
  let named = first;
  const client = await startLsp({
    folder: first,
    settings: { baseUrl: service.url },
    capabilities: { workspace: { configuration: true, workspaceFolders: true } },
    answers: {
      'workspace/configuration': (asked) =>
        (asked as { readonly items: readonly { readonly scopeUri?: string }[] }).items.map(({ scopeUri }) => ({
          baseUrl: service.url,
          fileNames: scopeUri === named ? ['deps*.lst=requirements.txt'] : ['other.lst=requirements.txt'],
        })),
    },
  });
  try {
    const added = [{ uri: second, name: 'b' }];
    await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event: { added, removed: [] } });
    await client.open(`${first}/deps.lst`, 'odd==1.0.0\n');
    await client.open(`${second}/deps.lst`, 'odd==1.0.0\n');
    await client.pushedUntil(`${first}/deps.lst`, (all) => all.length === 1);
    assert.equal(client.pushed.get(`${second}/deps.lst`)?.length ?? 0, 0);
    named = second;
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await client.pushedUntil(`${second}/deps.lst`, (all) => all.length === 1);
    await client.pushedUntil(`${first}/deps.lst`, (all) => all.length === 0);
  } finally {
    await client.stop();
    folder.remove();
    await service.close();
  }
});
