import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { json } from '../../harness/scripted-server.ts';
import { closeAll, setUp } from './setup.ts';

afterEach(closeAll);

test('what a version requires is one answer, whether it is wanted or looked up', async () => {
  const parent = { system: 'MAVEN', name: 'g:parent', version: '1' };
  const { insights, server } = await setUp(json({ maven: { parent, properties: [{ name: 'x', value: '2' }] } }));
  const key = { system: 'MAVEN', name: 'g:a', version: '1.0' } as const;
  insights.request('a', [{ kind: 'requirements', key }]);
  await insights.whenSettled('a', 1000);
  assert.equal(server.arrived[0]?.path, '/v3alpha/systems/MAVEN/packages/g%3Aa/versions/1.0:requirements');
  const insight = insights.requirements(key);
  assert.ok(insight.state === 'ready' && insight.value.system === 'MAVEN');
  assert.deepEqual(insight.value.parent, { name: 'g:parent', version: '1' });
  assert.deepEqual(await insights.lookups.requirements(key), { kind: 'found', value: insight.value });
  assert.equal(server.arrived.length, 1);
});

test('requirements of another system than was asked about are none', async () => {
  const { insights } = await setUp(json({ nuget: { dependencyGroups: [] } }));
  assert.deepEqual(await insights.lookups.requirements({ system: 'NPM', name: 'a', version: '1.0' }), {
    kind: 'failed',
    reason: 'the answer is of NUGET, which was not asked for',
  });
});
