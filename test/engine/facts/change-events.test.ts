import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { held } from '../../harness/scripted-server.ts';
import { batch, closeAll, setUp, versions } from './setup.ts';

afterEach(closeAll);

test('listeners are called once for a page, and seldom while many keep arriving', async () => {
  const { insights, clock, told } = await setUp(batch());
  insights.request('a', versions(100));
  await insights.whenSettled('a', 1000);
  await clock.advance(0);
  assert.equal(told(), 1);
  await clock.advance(1000);
  insights.request('a', versions(800, 1000));
  await insights.whenSettled('a', 1000);
  await clock.advance(50);
  assert.ok(told() <= 3, `${told()} calls`);
});

test('listeners hear whether more is under way', async () => {
  const gate = held(batch());
  const { insights, server, clock } = await setUp(gate.act);
  const heard: boolean[] = [];
  insights.onDidChange((it) => it.kind === 'changed' && heard.push(it.isSettled));
  server.script(batch());
  insights.request('a', versions(200));
  await server.reached(2);
  await clock.pass(50);
  assert.deepEqual(heard, [false]);
  gate.release();
  await insights.whenSettled('a', 1000);
  await clock.advance(0);
  assert.deepEqual(heard, [false, true]);
});
