import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Wanted } from '../../server/src/model/ports.ts';
import { json } from '../harness/scripted-server.ts';
import { batch, closeAll, npm, setUp, versions } from './setup.ts';

afterEach(closeAll);

test('250 versions go out as three batches, and all are known', async () => {
  const { insights, server } = await setUp(batch());
  const wanted = versions(250);
  insights.want('a', wanted);
  await insights.settled('a', 1000);
  assert.deepEqual(server.arrived.map((it) => JSON.parse(it.body).requests.length).sort(), [100, 100, 50]);
  for (const { key } of wanted) {
    const insight = insights.version(key);
    assert.equal(insight.state, 'ready');
    assert.equal(insight.state === 'ready' && insight.value.key.name, key.name);
  }
});

test('a package is asked for by its encoded name', async () => {
  const { insights, server } = await setUp(
    json({
      packageKey: { system: 'NPM', name: '@babel/core' },
      versions: [{ versionKey: npm('@babel/core', '7.0.0') }],
    }),
  );
  const wanted: Wanted = { kind: 'package', key: { system: 'NPM', name: '@babel/core' } };
  insights.want('a', [wanted]);
  assert.equal(insights.package(wanted.key).state, 'pending');
  await insights.settled('a', 1000);
  assert.equal(server.arrived[0]?.path, '/v3alpha/systems/NPM/packages/%40babel%2Fcore');
  const insight = insights.package(wanted.key);
  assert.deepEqual(insight.state === 'ready' && insight.value.versions, [
    { version: '7.0.0', isDefault: false, isDeprecated: false },
  ]);
});
