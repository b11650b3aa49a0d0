import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Wanted } from '../../../server/src/engine/model/ports.ts';
import { type Act, json, status } from '../../harness/scripted-server.ts';
import { closeAll, setUp } from './setup.ts';

afterEach(closeAll);

const projects = Array.from({ length: 60 }, (_, at): Wanted => ({ kind: 'project', id: `code.example/team/p${at}` }));
const names = Array.from(
  { length: 60 },
  (_, at): Wanted => ({ kind: 'similar', key: { system: 'NPM', name: `p${at}` } }),
);

for (const [what, act] of [
  ['a page that is not there', status(404, 'Not Found')],
  ['a method that is not implemented', status(501, 'not implemented')],
  ['a web page', status(404, '<html><title>404</title></html>')],
] as const satisfies readonly (readonly [string, Act])[]) {
  test(`an instance without the methods is asked once for each: ${what}`, async () => {
    const { insights, server, clock } = await setUp(act);
    insights.request('a', [...projects, ...names]);
    await insights.whenSettled('a', 5000);
    assert.equal(server.arrived.length, 2);
    assert.equal(insights.project?.('code.example/team/p7').state, 'unknown');
    assert.equal(insights.similar?.({ system: 'NPM', name: 'p7' }).state, 'unknown');
    await clock.advance(3_600_000);
    insights.request('b', [{ kind: 'project', id: 'code.example/team/other' }, ...projects]);
    await insights.whenSettled('b', 5000);
    assert.equal(server.arrived.length, 2);
  });
}

test('an unknown project says nothing about the others', async () => {
  const { insights, server } = await setUp((request, response) => {
    const isKnown = decodeURIComponent(request.path).endsWith('/p1');
    const answer = {
      projectKey: { id: 'code.example/Team/p1' },
      starsCount: 12,
      more: [],
      scorecard: { overallScore: -1 },
    };
    return (isKnown ? json(answer) : status(404, 'project not found'))(request, response);
  });
  insights.request('a', projects.slice(0, 3));
  await insights.whenSettled('a', 5000);
  assert.equal(server.arrived.length, 3);
  assert.equal(insights.project?.('code.example/team/p0').state, 'unknown');
  const known = insights.project?.('code.example/team/p1');
  assert.deepEqual(known?.state === 'ready' && known.value, { id: 'code.example/team/p1', stars: 12, checks: [] });
});

test('names of other systems and the name itself are not similar ones', async () => {
  const { insights } = await setUp(
    json({
      packageKey: { system: 'NPM', name: 'p0' },
      packages: [
        { packageKey: { system: 'NPM', name: 'p0' } },
        { packageKey: { system: 'PYPI', name: 'p00' } },
        { packageKey: { system: 'RUBYGEMS', name: 'p00' } },
        { packageKey: { system: 'NPM', name: 'po' } },
      ],
    }),
  );
  insights.request('a', names.slice(0, 1));
  await insights.whenSettled('a', 5000);
  const known = insights.similar?.({ system: 'NPM', name: 'p0' });
  assert.deepEqual(known?.state === 'ready' && known.value.names, ['po']);
});

test('a failure is no missing method', async () => {
  let isDown = true;
  const { insights } = await setUp((request, response) =>
    (isDown ? status(400, 'bad request') : json({ projectKey: { id: 'code.example/team/p0' } }))(request, response),
  );
  insights.request('a', projects.slice(0, 1));
  await insights.whenSettled('a', 5000);
  assert.equal(insights.project?.('code.example/team/p0').state, 'failed');
  isDown = false;
  insights.expire();
  await insights.whenSettled('a', 5000);
  assert.equal(insights.project?.('code.example/team/p0').state, 'ready');
});
