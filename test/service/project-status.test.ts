import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnswerCache } from '../../server/src/engine/facts/cache/answer-cache.ts';
import { createMemoryCache } from '../../server/src/engine/facts/cache/cache.ts';
import { cachedServices } from '../../server/src/engine/facts/cache/cached-services.ts';
import { readVersion } from '../../server/src/engine/facts/service/read-answers.ts';
import { cachedSource } from '../../server/src/service/cached-source.ts';
import { packageShape } from '../../server/src/service/catalog/shape.ts';
import { startServiceForFile } from '../harness/file-service.ts';

/* What PyPI says of a whole project, as our own service serves it. */

const projectStatus = { status: 'quarantined', reason: 'Steals keys' } as const;
const service = await startServiceForFile({
  'PYPI stolen': { versions: ['1.0.0'], projectStatus },
  'PYPI plain': { versions: ['1.0.0'] },
});

async function version(name: string): Promise<Record<string, unknown>> {
  return (await fetch(`${service.url}/v3alpha/systems/PYPI/packages/${name}/versions/1.0.0`)).json() as Promise<
    Record<string, unknown>
  >;
}

test('the status of a project is in the answer about each of its versions, and only there', async () => {
  const stolen = await version('stolen');
  assert.deepEqual(stolen['projectStatus'], projectStatus);
  assert.deepEqual(stolen['advisoryKeys'], []);
  assert.ok(!('projectStatus' in (await version('plain'))));
});

test('a batch has it, too', async () => {
  const versionKey = { system: 'PYPI', name: 'stolen', version: '1.0.0' };
  const answer = await fetch(`${service.url}/v3alpha/versionbatch`, {
    method: 'POST',
    body: JSON.stringify({ requests: [{ versionKey }] }),
  });
  const { responses } = (await answer.json()) as { responses: { version: object }[] };
  assert.deepEqual(responses[0]?.version, await version('stolen'));
});

test('an answer that was kept is served as it came', async () => {
  const key = { system: 'PYPI', name: 'stolen', version: '1.0.0' } as const;
  const value = readVersion(await version('stolen'), key);
  const cache = createMemoryCache();
  createAnswerCache(cache, service.url).set(
    { id: 'version PYPI stolen@1.0.0', insight: { state: 'ready', value, at: 1 }, due: 2 },
    1,
  );
  await Promise.resolve();
  const id = `3 ${service.url} version PYPI stolen@1.0.0`;
  const kept = cache.get(id);
  assert.ok(kept);
  const [cached] = cachedServices([[id, kept]]);
  assert.ok(cached);
  const answer = await cachedSource(cached).version(key);
  assert.ok(answer.kind === 'found');
  assert.deepEqual(answer.body, await version('stolen'));
});

test('a record of the catalog with another status is refused', () => {
  const record = { system: 'PYPI', name: 'x', sources: {}, from: [], versions: {} };
  assert.equal(packageShape({ ...record, projectStatus }), undefined);
  assert.equal(
    packageShape({ ...record, projectStatus: { ...projectStatus, status: 'gone' } })?.path,
    'projectStatus.status',
  );
});
