import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, test } from 'node:test';
import { readRequirements } from '../../../server/src/engine/facts/service/read-requirements.ts';
import { json, status } from '../../harness/scripted-server.ts';
import { startService } from '../../harness/service.ts';
import { batch, closeAll, npm, setUp, wanted } from './setup.ts';

afterEach(closeAll);

const digest = createHash('sha1').update('left-pad').digest();

async function overService(t: { after(call: () => Promise<void>): void }) {
  const service = await startService(
    {
      'NPM left-pad': {
        versions: {
          '1.2.0': {},
          '1.3.0': {
            isDefault: true,
            hashes: { SHA1: digest.toString('hex') },
            artifact: 'left-pad-1.3.0.tgz',
            requirements: { npm: { dependencies: { dependencies: [{ name: 'a', requirement: '^1' }] } } },
          },
        },
      },
    },
    { pageSize: 2 },
  );
  t.after(service.close);
  const { insights } = await setUp(undefined, {
    settings: () => ({ baseUrl: service.url, batchSize: 100, parallelBatches: 8 }),
  });
  return insights.lookups;
}

test('a file is identified by its digest', async (t) => {
  const lookups = await overService(t);
  const found = await lookups.query({ hash: { type: 'SHA1', digest } });
  assert.deepEqual(found.kind === 'found' && found.value.map((it) => it.version.version), ['1.3.0']);
  const version = { system: 'NPM', name: 'left-pad', version: '1.2.0' } as const;
  const named = await lookups.query({ version });
  assert.deepEqual(named.kind === 'found' && named.value.map((it) => [it.version.version, it.artifacts]), [
    ['1.2.0', []],
  ]);
});

test('a purl names a package or a version', async (t) => {
  const lookups = await overService(t);
  const key = { system: 'NPM', name: 'left-pad' } as const;
  const list = await lookups.purl({ key });
  assert.equal(list.kind === 'found' && list.value.kind, 'package');
  const version = await lookups.purl({ key, version: '1.3.0' });
  assert.equal(version.kind === 'found' && version.value.kind === 'version' && version.value.facts.isDefault, true);
  assert.equal((await lookups.purl({ key, version: '9.9.9' })).kind, 'unknown');
});

test('what a version requires', async (t) => {
  const lookups = await overService(t);
  const found = await lookups.requirements({ system: 'NPM', name: 'left-pad', version: '1.3.0' });
  assert.deepEqual(found.kind === 'found' && found.value, {
    system: 'NPM',
    dependencies: [{ name: 'a', requirement: '^1' }],
    devDependencies: [],
    optionalDependencies: [],
    peerDependencies: [],
    bundleDependencies: [],
    bundled: [],
  });
  assert.deepEqual(await lookups.requirements({ system: 'NPM', name: 'left-pad', version: '1.2.0' }), {
    kind: 'unknown',
  });
});

test('the parts of a question are percent-encoded', async () => {
  const { insights, server } = await setUp(status(404, 'version not found'));
  const version = { system: 'MAVEN', name: 'a:b', version: '1+2' } as const;
  await insights.lookups.query({ hash: { type: 'MD5', digest: Buffer.of(0xfb, 0xff, 0xbf, 0) }, version });
  await insights.lookups.requirements(version);
  await insights.lookups.purl({ key: { system: 'NPM', name: '@a/b' }, version: '1' });
  assert.deepEqual(
    server.arrived.map((it) => it.path),
    [
      '/v3alpha/query?hash.type=MD5&hash.value=%2B%2F%2B%2FAA%3D%3D&versionKey.system=MAVEN&versionKey.name=a%3Ab&versionKey.version=1%2B2',
      '/v3alpha/systems/MAVEN/packages/a%3Ab/versions/1%2B2:requirements',
      '/v3alpha/purl/pkg%3Anpm%2F%2540a%2Fb%401',
    ],
  );
});

// Source: the contract: enums are open, and queries by hash also answer for RubyGems.
test('a match in a system that is not known costs only itself', async () => {
  const of = (system: string) => ({ version: { versionKey: { system, name: 'a', version: '1.0.0' } }, artifacts: [] });
  const { insights } = await setUp(json({ results: [of('RUBYGEMS'), of('NPM')] }));
  const found = await insights.lookups.query({ hash: { type: 'SHA1', digest } });
  assert.deepEqual(found.kind === 'found' ? found.value.map((it) => it.version.key) : found, [npm('a', '1.0.0')]);
});

test('a lookup can be given up', async () => {
  const { insights } = await setUp(status(404, 'not found'));
  assert.deepEqual(await insights.lookups.purl({ key: npm('a', '1'), version: '1' }, AbortSignal.abort()), {
    kind: 'aborted',
  });
});

test('requirements of NuGet and Maven', () => {
  assert.deepEqual(
    readRequirements({
      nuget: {
        dependencyGroups: [{ targetFramework: 'net8.0', dependencies: [{ name: 'A', requirement: '2.*', new: 1 }] }],
      },
    }),
    { system: 'NUGET', groups: [{ targetFramework: 'net8.0', dependencies: [{ name: 'A', requirement: '2.*' }] }] },
  );
  const dependency = {
    name: 'g:a',
    version: '[1,2)',
    classifier: '',
    type: 'jar',
    scope: 'test',
    optional: 'true',
    exclusions: ['g:b'],
  };
  assert.deepEqual(
    readRequirements({
      maven: {
        parent: { system: 'MAVEN', name: 'g:p', version: '1' },
        dependencies: [dependency],
        properties: [{ name: 'v', value: '1' }],
        profiles: [{ id: 'ci', dependencies: [{ name: 'g:c' }] }],
      },
    }),
    {
      system: 'MAVEN',
      parent: { name: 'g:p', version: '1' },
      dependencies: [dependency],
      dependencyManagement: [],
      properties: [{ name: 'v', value: '1' }],
      profiles: [
        {
          id: 'ci',
          dependencies: [
            { name: 'g:c', version: '', classifier: '', type: '', scope: '', optional: '', exclusions: [] },
          ],
          dependencyManagement: [],
          properties: [],
        },
      ],
    },
  );
  assert.throws(() => readRequirements({}), {
    message: 'the answer has none of npm, nuget, maven, pypi, cargo and go',
  });
  assert.throws(() => readRequirements({ npm: { dependencies: { dependencies: [7] } } }), {
    message: 'npm.dependencies.dependencies[0] is not an object',
  });
});

test('an answer is kept while it is fresh, and still counts where the service fails', async () => {
  const { insights, server, clock } = await setUp(json({ npm: { dependencies: {} } }));
  const key = { system: 'NPM', name: 'x', version: '1.0.0' } as const;
  const ask = async () => (await insights.lookups.requirements(key)).kind;
  assert.deepEqual([await ask(), await ask(), server.arrived.length], ['found', 'found', 1]);
  await clock.advance(61 * 60_000);
  server.answer(status(400, 'no'));
  assert.deepEqual([await ask(), server.arrived.length], ['found', 2]);
  server.answer(status(404, 'version not found'));
  assert.deepEqual([await ask(), await ask(), server.arrived.length], ['unknown', 'unknown', 3]);
});

test('what was learnt for a manifest answers for its purl, too', async () => {
  const { insights, server } = await setUp(batch({ licenses: ['MIT'] }));
  insights.request('a', [wanted('x')]);
  await insights.whenSettled('a', 1000);
  const found = await insights.lookups.purl({ key: npm('x', '1.0.0'), version: '1.0.0' });
  assert.deepEqual(found.kind === 'found' && found.value.facts.key, { system: 'NPM', name: 'x', version: '1.0.0' });
  assert.equal(server.arrived.length, 1);
});
