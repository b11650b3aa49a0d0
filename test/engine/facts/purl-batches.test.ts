import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { formatPurl } from '../../../server/src/engine/model/purl.ts';
import { type Act, json, status } from '../../harness/scripted-server.ts';
import { batch, closeAll, npm, setUp, versions } from './setup.ts';

afterEach(closeAll);

/** Answers a batch of purls, with the version that a function makes of each. */
function purls(
  version: (purl: string) => object | undefined,
  result = (it: object | undefined) => it && { version: it },
): Act {
  return (request, response) => {
    const { requests } = JSON.parse(request.body) as { requests: { purl: string }[] };
    const responses = requests.map((it) => ({ request: it, result: result(version(it.purl)) ?? {} }));
    return json({ responses, nextPageToken: '' })(request, response);
  };
}

const core = { system: 'NPM', name: '@Acme/core', version: '1.0.0' } as const;

test('what a file names by purls is asked for by purls, and is known by its key', async () => {
  const it = await setUp(
    purls((purl) => (purl === 'pkg:npm/%40Acme/core@1.0.0' ? { versionKey: core, licenses: ['MIT'] } : undefined)),
  );
  const other = { ...core, version: '2.0.0' };
  it.insights.request('a', [
    { kind: 'version', key: core, by: 'purl' },
    { kind: 'version', key: other, by: 'purl' },
  ]);
  await it.insights.whenSettled('a', 1000);
  assert.deepEqual(
    it.server.arrived.map((request) => request.path),
    ['/v3alpha/purlbatch'],
  );
  const insight = it.insights.version(core);
  assert.deepEqual(insight.state === 'ready' && insight.value.licenses, ['MIT']);
  assert.equal(it.insights.version(other).state, 'unknown');
});

test('keys and purls never share a batch, and one version is asked for once', async () => {
  const it = await setUp((request, response) =>
    (request.path.endsWith('purlbatch') ? purls((purl) => ({ versionKey: npm(purl.slice(8, -6), '1.0.0') })) : batch())(
      request,
      response,
    ),
  );
  const mixed = versions(250).map((wanted, index) => (index % 2 ? wanted : { ...wanted, by: 'purl' as const }));
  it.insights.request('a', [...mixed, ...versions(250)]);
  await it.insights.whenSettled('a', 1000);
  const sizes = it.server.arrived.map(({ path, body }) => `${path.slice(9)} ${JSON.parse(body).requests.length}`);
  assert.deepEqual(sizes.sort(), ['purlbatch 100', 'purlbatch 25', 'versionbatch 100', 'versionbatch 25']);
  for (const { key } of versions(250)) assert.equal(it.insights.version(key).state, 'ready');
});

test('a purl answered with another package, a whole package or nonsense is refused', async () => {
  const packageKey = { system: 'NPM', name: '@Acme/core' };
  const answers: [unknown, RegExp][] = [
    [{ version: { versionKey: { ...core, name: '@evil/core' } } }, /@evil\/core 1\.0\.0, which was not asked for/],
    [{ version: { versionKey: { ...core, version: '1.0.1' } } }, /which was not asked for/],
    [{ package: { packageKey, versions: [] } }, /versionKey/],
    [{ version: 'yes' }, /version 1 of 1/],
    ['yes', /result/],
  ];
  for (const [result, reason] of answers) {
    const it = await setUp(
      purls(
        () => undefined,
        () => result as { version: object },
      ),
    );
    it.insights.request('a', [{ kind: 'version', key: core, by: 'purl' }]);
    await it.insights.whenSettled('a', 1000);
    const insight = it.insights.version(core);
    assert.match(insight.state === 'failed' ? insight.reason : insight.state, reason);
  }
});

test('a row of a type that is not known is left out', async () => {
  const it = await setUp(
    json({
      responses: [
        { request: { purl: 'pkg:gem/rails@1.0.0' } },
        { request: { purl: formatPurl(core, core.version) }, result: { version: { versionKey: core } } },
      ],
    }),
  );
  it.insights.request('a', [{ kind: 'version', key: core, by: 'purl' }]);
  await it.insights.whenSettled('a', 1000);
  assert.equal(it.insights.version(core).state, 'ready');
});

test('a service that is moved to is asked by purls, too', async () => {
  let address = '';
  const second = await setUp(purls(() => ({ versionKey: core })));
  const it = await setUp(
    purls(() => ({ versionKey: core })),
    {
      settings: (baseUrl) => ({ baseUrl: address || baseUrl, batchSize: 100, parallelBatches: 8 }),
    },
  );
  it.insights.request('a', [{ kind: 'version', key: core, by: 'purl' }]);
  await it.insights.whenSettled('a', 1000);
  address = second.server.url;
  it.insights.request('b', []);
  await it.insights.whenSettled('a', 1000);
  assert.deepEqual(
    second.server.arrived.map((request) => request.path),
    ['/v3alpha/purlbatch'],
  );
});

test('a batch of purls that is refused is divided, and the one at fault stands alone', async () => {
  const it = await setUp((request, response) =>
    (request.body.includes('/p3@')
      ? status(400, 'requests[3].purl: no')
      : purls((purl) => ({ versionKey: npm(purl.slice(8, -6), '1.0.0') })))(request, response),
  );
  it.insights.request(
    'a',
    versions(5).map((wanted) => ({ ...wanted, by: 'purl' as const })),
  );
  await it.insights.whenSettled('a', 1000);
  const states = versions(5).map(({ key }) => it.insights.version(key));
  assert.deepEqual(
    states.map((insight) => (insight.state === 'failed' ? insight.reason : insight.state)),
    ['ready', 'ready', 'ready', 'the service answered with status 400: requests[3].purl: no', 'ready'],
  );
});
