import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_REQUESTS } from '../../server/src/service/batch.ts';
import { type StartedService, startService } from '../harness/service.ts';

let service: StartedService;
before(async () => {
  service = await startService(
    {
      'NPM many': { versions: Array.from({ length: 25 }, (_, index) => `1.0.${index}`) },
      'NUGET Newtonsoft.Json': { versions: ['13.0.1'] },
    },
    { pageSize: 10 },
  );
});
after(() => service.close());

interface Page {
  readonly responses: readonly { request: { purl?: string }; version?: { purl: string }; result?: object }[];
  readonly nextPageToken: string;
}

async function post(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(`${service.url}/v3alpha/${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

async function page(path: string, body: unknown): Promise<Page> {
  const { status, text } = await post(path, body);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

async function expectBad(path: string, body: unknown, reason: string): Promise<void> {
  assert.deepEqual(await post(path, body), { status: 400, text: reason });
}

const requests = Array.from({ length: 25 }, (_, index) => ({
  versionKey: { system: 'NPM', name: 'many', version: `1.0.${index}` },
}));

test('a batch is answered page by page until the token is empty', async () => {
  const sizes: number[] = [];
  const purls: (string | undefined)[] = [];
  let pageToken: string | undefined;
  do {
    const answer: Page = await page('versionbatch', { requests, pageToken });
    sizes.push(answer.responses.length);
    purls.push(...answer.responses.map((it) => it.version?.purl));
    pageToken = answer.nextPageToken;
  } while (pageToken);
  assert.deepEqual(sizes, [10, 10, 5]);
  assert.deepEqual(
    purls,
    requests.map((it) => `pkg:npm/many@${it.versionKey.version}`),
  );
});

test('a page that is exactly full is the last one', async () => {
  assert.equal((await page('versionbatch', { requests: requests.slice(0, 10) })).nextPageToken, '');
});

test('a token holds for its own request only', async () => {
  const { nextPageToken: pageToken } = await page('versionbatch', { requests });
  const reason = 'pageToken: not a token of this request';
  await expectBad('versionbatch', { requests: requests.slice(1), pageToken }, reason);
  await expectBad('versionbatch', { requests: requests.toReversed(), pageToken }, reason);
  await expectBad('versionbatch', { requests, pageToken: 'nonsense' }, reason);
  await expectBad('versionbatch', { requests, pageToken: 7 }, reason);
  const purls = { requests: requests.map((it) => ({ purl: `pkg:npm/many@${it.versionKey.version}` })) };
  await expectBad('purlbatch', { ...purls, pageToken }, reason);
});

test('a batch holds at most 5000 requests', async () => {
  const most = Array.from({ length: MAX_REQUESTS }, () => requests[0]);
  assert.equal((await page('versionbatch', { requests: most })).responses.length, 10);
  await expectBad(
    'versionbatch',
    { requests: [...most, ...most.slice(0, 1)] },
    'too many requests: 5001, at most 5000 are allowed',
  );
});

test('what the interface does not know is not echoed, however deep it is', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const versionKey = { system: 'npm', name: 'many', version: '1.0.3' };
  const text = `{"requests":[{"extra":${deep},"versionKey":${JSON.stringify({ ...versionKey, more: 1 })}}]}`;
  const { responses } = await page('versionbatch', text);
  assert.deepEqual(responses[0]?.request, { versionKey });
});

test('an empty batch is answered empty', async () => {
  for (const body of [{ requests: [] }, {}]) {
    assert.deepEqual(await page('versionbatch', body), { responses: [], nextPageToken: '' });
  }
});

test('a body that is not the message is 400 and says where', async () => {
  await expectBad('versionbatch', '', 'the body is not JSON');
  await expectBad('versionbatch', '{"requests":[', 'the body is not JSON');
  await expectBad('versionbatch', '[]', 'the body: expected an object');
  await expectBad('versionbatch', { requests: {} }, 'requests: expected a list');
  await expectBad('versionbatch', { requests: [requests[0], null] }, 'requests[1]: expected an object');
  await expectBad('versionbatch', { requests: [{}] }, 'requests[0].versionKey: expected an object');
  const versionKey = { system: 'NPM', name: 7, version: '1' };
  await expectBad('versionbatch', { requests: [{ versionKey }] }, 'requests[0].versionKey.name: expected a string');
  await expectBad('purlbatch', { requests: [{ purl: {} }] }, 'requests[0].purl: expected a string');
});

test('purls are looked up together, each echoed as it was written', async () => {
  const asked = ['pkg:npm/many@1.0.3', 'pkg:nuget/Newtonsoft.Json@13.0.1', 'pkg:npm/nowhere@1'];
  const { responses, nextPageToken } = await page('purlbatch', { requests: asked.map((purl) => ({ purl })) });
  assert.equal(nextPageToken, '');
  assert.deepEqual(
    responses.map((it) => it.request),
    asked.map((purl) => ({ purl })),
  );
  const [first, second, third] = responses.map((it) => it.result as { version?: { purl: string } } | undefined);
  assert.equal(first?.version?.purl, 'pkg:npm/many@1.0.3');
  assert.equal(second?.version?.purl, 'pkg:nuget/newtonsoft.json@13.0.1');
  assert.equal(third, undefined);
});

test('a batch of purls takes versions only, without qualifiers and subpath', async () => {
  await expectBad('purlbatch', { requests: [{ purl: 'pkg:npm/many' }] }, 'requests[0].purl: it has no version');
  await expectBad('purlbatch', { requests: [{ purl: 'pkg:npm/many@1?a=b' }] }, 'requests[0].purl: it has qualifiers');
  await expectBad('purlbatch', { requests: [{ purl: 'pkg:npm/many@1#src' }] }, 'requests[0].purl: it has a subpath');
});

test('a purl that names no package leaves its own row empty, and the others are answered', async () => {
  const broken = [
    'pkg:gem/rails@7.0.0',
    'lodash@4.17.21',
    '',
    'pkg:npm/%zz@1',
    'pkg:cargo/a/b@1.0.0',
    `pkg:npm/${'x'.repeat(5000)}@1`,
  ];
  const asked = ['pkg:npm/many@1.0.3', ...broken, 'pkg:npm/many@1.0.4'].map((purl) => ({ purl }));
  const { responses } = await page('purlbatch', { requests: asked });
  assert.deepEqual(
    responses.map((it) => it.request),
    asked,
  );
  assert.deepEqual(
    responses.map((it) => it.result !== undefined),
    asked.map(({ purl }) => purl.startsWith('pkg:npm/many')),
  );
});
