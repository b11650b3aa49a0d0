import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { noDurations } from '../../server/src/stand-ins/deployments/advance.ts';
import { startFaultyDeployments } from '../harness/deployments.ts';
import { folderWith, runProgram } from './program.ts';

const service = await startFaultyDeployments(noDurations);
const folder = folderWith({
  'stack.yaml': 'resources:\n- name: files\n  type: storage.v1.bucket\n  properties:\n    name: files-of-a-test\n',
  'wrong.yaml': 'resources:\n- name: files\n  type: storage.v1.nothing\n',
  'missing.yaml': 'imports:\n- path: ../gone.jinja\nresources:\n- name: a\n  type: ../gone.jinja\n',
  'compose.yaml': 'services: {}\n',
  '.env': 'TOKEN=1\n',
  '.hidden/a.jinja': 'TOKEN=1\n',
  'linked.yaml': 'imports:\n- path: vars.jinja\nresources:\n- name: a\n  type: vars.jinja\n',
  'below.yaml': 'imports:\n- path: parts/a.jinja\nresources:\n- name: a\n  type: parts/a.jinja\n',
});
symlinkSync('.env', join(folder.path, 'vars.jinja'));
symlinkSync('.hidden', join(folder.path, 'parts'));
after(async () => {
  await service.close();
  folder.remove();
});

const environment = {
  PACKAGE_INSIGHTS_DEPLOYMENTS_URL: service.url,
  PACKAGE_INSIGHTS_DEPLOYMENTS_TOKEN: 'me@team.example',
  PACKAGE_INSIGHTS_DEPLOYMENTS_PROJECT: 'demo',
};
const deploy = (...args: string[]) => runProgram(['deploy', ...args], folder.path, environment);

test('a manifest is previewed, applied, shown and deleted', async () => {
  const preview = await deploy('preview', 'stack.yaml');
  assert.deepEqual([preview.code, preview.out], [0, '  files  storage.v1.bucket  IN_PREVIEW CREATE_OR_ACQUIRE\n']);
  assert.match(preview.error, /stack: \d+ % \(operation-[\s\S]*Preview is done\.\n$/);
  assert.equal((await deploy('apply', 'stack.yaml')).code, 0);
  const status = await deploy('status', 'stack.yaml');
  assert.match(status.out, /^demo\/stack: deployed \(manifest-\d+\)\n {2}files {2}storage\.v1\.bucket\n$/);
  const unconfirmed = await deploy('delete', 'stack.yaml');
  assert.equal(unconfirmed.code, 2);
  assert.match(unconfirmed.error, /--confirm stack/);
  const deleted = await deploy('delete', '--name', 'stack', '--confirm', 'stack', '--json');
  assert.equal(deleted.code, 0);
  assert.equal(JSON.parse(deleted.out).kind, 'done');
  assert.equal((await deploy('status', '--name', 'stack')).code, 1);
});

test('errors of the service, and what cannot be sent, have their exit codes', async () => {
  const wrong = await deploy('apply', 'wrong.yaml', '--json');
  assert.equal(wrong.code, 1);
  const { problems } = JSON.parse(wrong.out);
  assert.deepEqual([problems[0].severity, problems[0].resource], ['error', 'files']);
  const before = service.asked.length;
  const refused = [
    [['preview', 'missing.yaml'], /the imported file \.\.\/gone\.jinja cannot be read/],
    // What a link leads to may be hidden.
    [['preview', 'linked.yaml'], /the imported file vars\.jinja cannot be read/],
    [['preview', 'below.yaml'], /the imported file parts\/a\.jinja cannot be read/],
    [['preview', 'compose.yaml'], /is no deployment manifest/],
    [['preview', 'absent.yaml'], /absent\.yaml cannot be read/],
    [['aply', 'stack.yaml'], /apply/],
    [['stop'], /requires a manifest or --name/],
    [['apply', 'stack.yaml', '--name', 'Not A Name'], /lower-case/],
  ] as const;
  await Promise.all(
    refused.map(async ([args, expected]) => {
      const { code, error } = await deploy(...args);
      assert.equal(code, 2, args.join(' '));
      assert.match(error, expected);
    }),
  );
  assert.equal(service.asked.length, before, 'nothing is sent');
});
