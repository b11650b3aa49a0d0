import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { held } from '../../harness/scripted-server.ts';
import { asked, batch, closeAll, setUp, versions } from './setup.ts';

afterEach(closeAll);

test('what is in view goes out first, then what else its document wants, then the rest', async () => {
  const gate = held(batch());
  const { insights, server } = await setUp(gate.act, {
    settings: (baseUrl) => ({ baseUrl, batchSize: 2, parallelBatches: 1 }),
  });
  const inView: boolean[] = [];
  insights.onDidChange((it) => it.kind === 'received' && inView.push(it.isInView));
  insights.request('far', versions(3));
  await server.reached(1);
  insights.request('near', versions(5, 10));
  insights.prioritize('near', new Set(['NPM p12', 'NPM p13', 'NPM p14']));
  // Facts arrive, and everything is wanted again in the order of its document.
  insights.request('far', versions(3));
  insights.request('near', versions(5, 10));
  gate.release();
  await insights.whenSettled('far', 1000);
  await insights.whenSettled('near', 1000);
  assert.deepEqual(
    server.arrived.map((it) =>
      asked(it)
        .map((name) => name.replace('@1.0.0', ''))
        .join(),
    ),
    ['p0,p1', 'p12,p13', 'p14,p10', 'p11,p2'],
  );
  assert.deepEqual(inView, [false, true, true, false]);
});
