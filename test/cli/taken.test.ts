import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* Dependencies that a client takes from the workspace instead of a registry: they are counted, and nothing hides. */

const service = await startServiceForFile({ 'NPM known': { versions: ['1.0.0'] } });

async function check(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const folder = folderWith(files);
  try {
    return await runHere(['check', ...args], folder.path, { baseUrl: service.url });
  } finally {
    folder.remove();
  }
}

const workspace = {
  'package.json': '{ "private": true, "workspaces": ["packages/*"] }',
  'packages/app/package.json': '{ "name": "app", "dependencies": { "lib": "^1.0.0", "known": "1.0.0" } }',
  'packages/lib/package.json': '{ "name": "lib", "version": "1.2.0" }',
};

test('what a workspace builds itself is counted in every summary', async () => {
  const { out, code } = await check(workspace);
  assert.equal(out, '1 dependency in 3 manifests checked: no findings\n1 taken from the workspace\n');
  assert.equal(code, 0);
  const { coverage } = JSON.parse((await check(workspace, '--format', 'json')).out);
  assert.deepEqual([coverage.total, coverage.lookedUp, coverage.fromWorkspace], [1, 1, 1]);
  for (const format of ['markdown', 'html', 'sarif'])
    assert.match((await check(workspace, '--format', format)).out, /1 taken from the workspace/, format);
});
