import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { methodsOf } from '../../server/src/connected/api/service-method.ts';
import { startDeployments } from '../harness/deployments.ts';
import { run } from '../tools/processes.ts';
import { pythonPackage } from '../tools/python-packages.ts';

/*
 * The client that the vendor of the deployments service has published drives every method of ours: what it sends and
 * what it reads follows the vendor's own description of the interface.
 */
const folder = await pythonPackage(
  'google-api-python-client==2.202.0',
  join('googleapiclient', 'discovery_cache', 'documents'),
  'deploymentmanager',
);
const skip = folder === undefined ? 'Python or its package is missing: not tested here' : false;

/** By method: what is to be seen of its answer. */
const expected: Readonly<Record<string, object>> = {
  'types.list': { pages: true, ordered: true },
  'typeProviders.list': { known: true },
  'typeProviders.get': { name: 'compute-v1' },
  'typeProviders.listTypes': { known: true },
  'typeProviders.getType': { required: ['zone', 'machineType', 'disks', 'networkInterfaces'] },
  'typeProviders.insert': { warnings: ['EXTERNAL_API_WARNING'] },
  'typeProviders.update': { types: ['buckets'] },
  'typeProviders.patch': { description: 'ours', kept: true },
  'typeProviders.delete': { gone: 404 },
  'compositeTypes.insert': { again: 409 },
  'compositeTypes.list': { names: ['pair'] },
  'compositeTypes.update': { status: 'EXPERIMENTAL' },
  'compositeTypes.patch': { status: 'EXPERIMENTAL', description: 'two buckets' },
  'compositeTypes.get': { template: true },
  'deployments.insert': { type: 'insert', states: ['PENDING', 'RUNNING', 'DONE'], error: null },
  'deployments.get': { deployed: true },
  'deployments.list': { names: ['front'] },
  'resources.list': { names: ['net', 'one', 'rule', 'two'] },
  'resources.get': { final: 'net' },
  'manifests.list': { count: 1 },
  'manifests.get': { expanded: true, layout: true },
  'deployments.update': { type: 'preview', shown: ['DELETE', 'IN_PREVIEW'] },
  'deployments.cancelPreview': { left: false, stale: 412 },
  'deployments.patch': { description: 'the front' },
  'deployments.getIamPolicy': { empty: true },
  'deployments.setIamPolicy': { denied: 403, allowed: 'front', stale: 409 },
  'deployments.testIamPermissions': { permissions: ['deploymentmanager.deployments.get'] },
  'deployments.stop': { meanwhile: 409, error: 'OPERATION_STOPPED', states: { new: null, last: 'ABORTED' } },
  'deployments.delete': { gone: 404 },
  'operations.list': { newest: true },
  'operations.get': { progress: 100, user: 'me@team.example' },
  'compositeTypes.delete': { gone: 404 },
};

test("the vendor's own client drives every method", { skip }, async () => {
  // Each request takes some time of the clock, so the client sees operations step however slow it is.
  let now = Date.UTC(2026, 10, 24, 9);
  const clock = {
    now: () => {
      now += 100;
      return now;
    },
  };
  const { url, close } = await startDeployments({ clock, durations: { pending: 100, brief: 200, resource: 1_000 } });
  after(close);
  const program = join(import.meta.dirname, 'python-client', 'drive.py');
  const env = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1' };
  const args = [program, `${url}/`, 'me@team.example', 'you@team.example'];
  const { ok, output, stdout } = await run({ name: 'drive.py', command: 'python3', args, env });
  assert.ok(ok, output);
  const lines = stdout
    .trim()
    .split('\n')
    .map((it) => JSON.parse(it));
  const { methods } = lines.pop();
  const found = Object.fromEntries(lines.map(({ method, ...shown }) => [method, shown]));
  assert.deepEqual(found, expected);
  const all = (await methodsOf('deployments')).map((it) => it.id.replace('deployments.', '')).sort();
  assert.deepEqual([methods.length, methods], [32, all]);
});
