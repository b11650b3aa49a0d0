import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeployments } from '../../../server/src/connected/deployments/deployments.ts';
import { problemsIn } from '../../../server/src/connected/deployments/problems.ts';
import { createServiceCalls } from '../../../server/src/connected/deployments/service-calls.ts';
import type {
  DeploymentRequest,
  DeploymentState,
} from '../../../server/src/connected/model/deployments/deployments.ts';
import type { ApiAnswer } from '../../../server/src/engine/model/connection.ts';
import { fakeClock } from '../../harness/fake-clock.ts';

const seen: DeploymentState = { name: 'front', exists: false, isPreviewed: false };
const deploy: DeploymentRequest = { action: 'deploy', name: 'front', config: 'resources: []', seen };

/** Runs a deployment over a service that a test plays; what it waits for passes at once. */
async function run(answer: (path: string, at: number) => unknown, signal?: AbortSignal, request = deploy) {
  const clock = fakeClock();
  const sent: string[] = [];
  const after = (ms: number, call: () => void): (() => void) => {
    clock.advance(ms).then(call);
    return () => {};
  };
  const deployments = createDeployments({
    clock: { now: clock.now, after },
    project: () => 'demo',
    calls: createServiceCalls({
      async send({ path, verb }): Promise<ApiAnswer> {
        sent.push(`${verb} ${path}`);
        const given = await answer(path.replace('demo/global/', '').replace(/\?.*$/, ''), sent.length);
        if (isFailure(given)) return given;
        if (typeof given === 'number') return { kind: 'answer', status: given, headers: {}, text: '{}' };
        return { kind: 'answer', status: 200, headers: {}, text: JSON.stringify(given) };
      },
      identity: async () => 'one',
    }),
  });
  return { result: await deployments.run(request, () => {}, signal), sent };
}

function isFailure(it: unknown): it is Extract<ApiAnswer, { kind: 'failure' }> {
  return typeof it === 'object' && it !== null && 'kind' in it && it.kind === 'failure';
}

const operation = { name: 'operation-1' };

test('an operation whose state fails now and then is followed to its end', async () => {
  const { result, sent } = await run((path, at) => {
    if (path === 'deployments') return operation;
    if (path.startsWith('operations/'))
      return at % 3 === 0 ? 503 : { ...operation, status: at > 8 ? 'DONE' : 'RUNNING' };
    return {};
  });
  assert.equal(result.kind, 'done');
  assert.equal(sent.filter((it) => it === 'POST demo/global/deployments').length, 1);
});

test('an operation whose state always fails is given up, and its name is said', async () => {
  const { result } = await run((path) => (path === 'deployments' ? operation : 503));
  assert.ok(result.kind === 'failed' && result.operation === 'operation-1');
});

test('a change that gets no answer may have been made, which is said', async () => {
  const lost = { kind: 'failure', reason: 'no answer within 30 s' } as const;
  const { result, sent } = await run((path) => (path === 'deployments' ? lost : {}));
  assert.ok(result.kind === 'failed');
  assert.equal(result.reason, 'no answer within 30 s; whether it was begun is not known');
  assert.equal(sent.length, 1);
});

test('an operation that never ends is left after hours', async () => {
  const { result } = await run((path) =>
    path === 'deployments' ? operation : { ...operation, status: 'RUNNING', progress: 1e99 },
  );
  assert.deepEqual(result, { kind: 'running', operation: 'operation-1' });
});

test('a person who gives up while the state stalls learns that the operation goes on', async () => {
  const aborting = new AbortController();
  const { result } = await run((path) => {
    if (path === 'deployments') return operation;
    aborting.abort();
    return { ...operation, status: 'RUNNING' };
  }, aborting.signal);
  assert.deepEqual(result, { kind: 'running', operation: 'operation-1' });
});

test('a deletion names its deployment, and lists nothing of it afterwards', async () => {
  const { result, sent } = await run(
    (path) => (path.startsWith('operations/') ? { ...operation, status: 'DONE' } : operation),
    undefined,
    { action: 'delete', name: 'front', seen: { ...seen, exists: true, fingerprint: 'abc=' } },
  );
  assert.equal(result.kind, 'done');
  assert.deepEqual(sent, ['DELETE demo/global/deployments/front', 'GET demo/global/operations/operation-1']);
});

test('problems are placed at the resources that they name', () => {
  const json = '{"ResourceType":"t","ResourceErrorCode":"404","ResourceErrorMessage":{"message":"No such zone"}}';
  const found = problemsIn(
    {
      error: {
        errors: [
          { code: 'RESOURCE_ERROR', location: '/deployments/front/resources/vm', message: json },
          { code: 'CONDITION_NOT_MET', message: 'resource disk-1 has to wait' },
          { code: 7, message: null },
        ],
      },
      warnings: [
        { code: 'EXPERIMENTAL_TYPE_USED', message: 'new', data: [{ key: 'resource_name', value: 'net' }] },
        'x',
      ],
    },
    [
      { name: 'vm', update: { error: { errors: [{ code: 'RESOURCE_ERROR', message: json }] } } },
      { name: 'disk' },
      { name: 'disk-1' },
    ],
  );
  assert.deepEqual(
    found.map((it) => [it.severity, it.resource, it.message]),
    [
      ['error', 'vm', 'No such zone (404)'],
      ['error', 'disk-1', 'resource disk-1 has to wait'],
      ['error', undefined, 'error'],
      ['warning', 'net', 'new'],
    ],
  );
});
