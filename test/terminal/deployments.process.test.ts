import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { WholeTerminal } from '../../server/src/bin/commands.ts';
import { methodsOf } from '../../server/src/connected/api/service-method.ts';
import { createConnections } from '../../server/src/connected/connections/connections.ts';
import { createMemoryHolds, createMemoryLedger } from '../../server/src/connected/connections/memory.ts';
import { createHttp } from '../../server/src/engine/http/client.ts';
import { readSettings } from '../../server/src/engine/settings/read.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { environmentConnections } from '../../server/src/platform/connections.ts';
import { type Fields, startDeployments } from '../harness/deployments.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* `package-insights call` against the deployments service of `serve`. */

const running = await startDeployments();
const folder = folderWith({});
const http = createHttp({ clock: systemClock, userAgent: 'test' });
after(async () => {
  await http.close();
  await running.close();
  folder.remove();
});

/** The port of the terminal program to a service. */
function connect(url: string): WholeTerminal['service'] {
  const { settings: given, credentials } = environmentConnections({
    PACKAGE_INSIGHTS_DEPLOYMENTS_URL: `${url}/v2beta/projects`,
    PACKAGE_INSIGHTS_DEPLOYMENTS_TOKEN: 'me@team.example',
  });
  const settings = readSettings(given);
  const [ledger, holds] = [createMemoryLedger(), createMemoryHolds()];
  const parts = { settings: () => settings, credentials, http, clock: systemClock, random: () => 0, ledger, holds };
  const { client } = createConnections(parts);
  return async (name) => ({ send: (request) => client(name).send(request, { priority: 'asked' }), close: () => {} });
}

let service = connect(running.url);

const called = new Set<string>();

/** The answer of a method. */
async function call(method: string, options: string, body?: object): Promise<Fields> {
  called.add(`deployments.${method}`);
  const input = async () => JSON.stringify(body);
  const more = [...options.split(' ').filter((it) => it !== ''), ...(body ? ['--body', '-'] : [])];
  const { code, out, error } = await runHere(
    ['call', `deployments.${method}`, '--project', 'demo', ...more],
    folder.path,
    { service, input },
  );
  assert.equal(code, 0, `${method}: ${error}`);
  return JSON.parse(out);
}

test('every method of the service is called in the terminal', async () => {
  const provider = { name: 'own', descriptorUrl: 'https://api.example/' };
  const composite = { name: 'pair', templateContents: { template: 'resources: []' } };
  for (const [collection, name, body] of [
    ['typeProviders', 'typeProvider', provider],
    ['compositeTypes', 'compositeType', composite],
  ] as const) {
    await call(`${collection}.insert`, '', body);
    await call(`${collection}.update`, `--${name} ${body.name}`, body);
    await call(`${collection}.patch`, `--${name} ${body.name}`, { description: 'ours' });
    assert.equal((await call(`${collection}.get`, `--${name} ${body.name}`))['description'], 'ours');
    assert.ok(JSON.stringify(await call(`${collection}.list`, '')).includes(`"${body.name}"`));
    await call(`${collection}.delete`, `--${name} ${body.name} --confirm ${body.name}`);
  }
  const types = await call('types.list', '--all --maxResults 5');
  assert.equal((types['types'] as Fields[]).length, 16);
  await call('typeProviders.listTypes', '--typeProvider compute-v1');
  await call('typeProviders.getType', '--typeProvider compute-v1 --type networks');

  const target = { config: { content: 'resources:\n- {name: net, type: compute.v1.network}\n' } };
  const front = '--deployment front';
  const fingerprint = async () => ({ fingerprint: (await call('deployments.get', front))['fingerprint'] });
  await call('deployments.insert', '--preview', { name: 'front', target });
  await call('deployments.cancelPreview', front, await fingerprint());
  await call('deployments.update', front, { name: 'front', target, ...(await fingerprint()) });
  await call('deployments.patch', front, { description: 'the front', ...(await fingerprint()) });
  await call('deployments.list', '');
  await call('resources.list', front);
  assert.equal((await call('resources.get', `${front} --resource net`))['type'], 'compute.v1.network');
  const manifests = (await call('manifests.list', front))['manifests'] as Fields[];
  await call('manifests.get', `${front} --manifest ${manifests[0]?.['name']}`);
  const policy = await call('deployments.getIamPolicy', '--resource front');
  await call('deployments.setIamPolicy', '--resource front', { policy: { ...policy, bindings: [] } });
  await call('deployments.testIamPermissions', '--resource front', { permissions: ['deploymentmanager.types.list'] });
  const deleted = await call('deployments.delete', `${front} --deletePolicy ABANDON --confirm front`);
  await call('operations.list', '');
  assert.equal((await call('operations.get', `--operation ${deleted['name']}`))['status'], 'DONE');

  const left = (await methodsOf('deployments')).map((it) => it.id).filter((it) => !called.has(it));
  assert.deepEqual(left, ['deployments.deployments.stop']);
});

test('an operation that runs is stopped; what the service refuses is an error with its reason', async () => {
  const slow = await startDeployments({ durations: { pending: 0, brief: 0, resource: 3_600_000 } });
  after(slow.close);
  service = connect(slow.url);
  const target = { config: { content: 'resources:\n- {name: net, type: compute.v1.network}\n' } };
  await call('deployments.insert', '', { name: 'front', target });
  const { fingerprint } = await call('deployments.get', '--deployment front');
  const stopped = await call('deployments.stop', '--deployment front', { fingerprint });
  assert.equal(stopped['operationType'], 'stop');
  const line = ['call', 'deployments.deployments.update', '--project', 'demo', '--deployment', 'front'];
  const body = async () => JSON.stringify({ name: 'front', target, fingerprint });
  const refused = await runHere([...line, '--body', '-'], folder.path, { service, input: body });
  assert.equal(refused.code, 2);
  assert.match(refused.error, /412.*fingerprint/s);
});
