import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { NoticesAnswer } from '../../server/src/editor/requests/notices.ts';
import { startService } from '../harness/service.ts';
import { folderWith } from '../terminal/program.ts';
import { strictClient } from './strict-client.ts';

test('notices say how many dependencies they leave out, since their names stay private', async () => {
  const service = await startService({ 'NPM lodash': { versions: ['4.17.21'], shared: { licenses: ['MIT'] } } });
  const folder = folderWith({
    'package.json': '{ "dependencies": { "lodash": "4.17.21", "@ours/ui": "1.0.0", "@ours/api": "1.0.0" } }',
    '.npmrc': '@ours:registry=https://npm.ours.example/\n',
  });
  const client = await strictClient({
    capabilities: { workspace: { workspaceFolders: true } },
    settings: { baseUrl: service.url },
    initialize: { workspaceFolders: [{ uri: pathToFileURL(folder.path).href, name: 'w' }] },
  });
  try {
    const answer = await client.connection.sendRequest<NoticesAnswer>('packageInsights/notices', { format: 'text' });
    assert.deepEqual([answer.failed, answer.withheld], [0, 2]);
    assert.equal(answer.coverage, 'Not checked: 2 private');
    assert.match(answer.text, /lodash 4\.17\.21/);
    assert.doesNotMatch(answer.text, /@ours/);
  } finally {
    await client.stop();
    folder.remove();
    await service.close();
  }
});
