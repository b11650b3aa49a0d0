import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';
import type { Wanted } from '../../../server/src/engine/model/ports.ts';
import { startService } from '../../harness/service.ts';
import { closeAll, setUp } from './setup.ts';

afterEach(closeAll);

test('the service of this project and its client understand each other', async (t) => {
  const service = await startService(
    {
      'NPM left-pad': {
        versions: { '1.2.0': { deprecated: 'use padStart' }, '1.3.0': { isDefault: true } },
        shared: { licenses: ['WTFPL'] },
      },
      'PYPI foo-bar': { versions: ['1.0.0'] },
      'GO example.org/mod': { versions: ['v1.0.0'] },
      'advisory GHSA-1': {
        title: 'too much padding',
        aliases: ['CVE-1'],
        cvss3Score: 7.5,
        cvss3Vector: 'CVSS:3.1/…',
        affected: [{ system: 'NPM', name: 'left-pad', ranges: [{ introduced: '1.3.0', fixed: '2.0.0' }] }],
      },
    },
    { pageSize: 2 },
  );
  t.after(service.close);
  const { insights } = await setUp(undefined, {
    settings: () => ({ baseUrl: `${service.url}/`, batchSize: 100, parallelBatches: 8 }),
  });
  const keys = [
    { system: 'NPM', name: 'left-pad', version: '1.2.0' },
    { system: 'NPM', name: 'left-pad', version: '1.3.0' },
    { system: 'NPM', name: 'left-pad', version: '9.9.9' },
    { system: 'PYPI', name: 'Foo_Bar', version: '1.0' },
    { system: 'GO', name: 'example.org/mod', version: 'v1.0.0' },
    { system: 'MAVEN', name: 'no:such', version: '1' },
  ] as const;
  const wanted: Wanted[] = [
    ...keys.map((key) => ({ kind: 'version', key }) as const),
    { kind: 'package', key: { system: 'GO', name: 'example.org/mod' } },
    { kind: 'package', key: { system: 'NPM', name: '@no/such' } },
    { kind: 'advisory', id: 'GHSA-1' },
  ];
  insights.request('a', wanted);
  await insights.whenSettled('a', 1000);
  assert.deepEqual(
    keys.map((it) => insights.version(it).state),
    ['ready', 'ready', 'unknown', 'ready', 'ready', 'unknown'],
  );
  const version = insights.version(keys[1]);
  assert.deepEqual(
    version.state === 'ready' && [version.value.licenses, version.value.advisories, version.value.isDefault],
    [['WTFPL'], ['GHSA-1'], true],
  );
  const list = insights.package({ system: 'GO', name: 'example.org/mod' });
  assert.deepEqual(list.state === 'ready' && rowsOf(list.value.versions).map((it) => it.version), ['v1.0.0']);
  assert.equal(insights.package({ system: 'NPM', name: '@no/such' }).state, 'unknown');
  const advisory = insights.advisory('GHSA-1');
  assert.equal(advisory.state === 'ready' && advisory.value.score, 7.5);
  assert.equal(service.requests.filter((it) => it.method === 'POST').length, 3);
});
