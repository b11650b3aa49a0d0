import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLab } from '../../harness/lab.ts';

const lines = (...names: readonly string[]): string => names.map((it) => `${it}==1.0\n`).join('');
const filling = Array.from({ length: 20 }, (_, at) => `known-${at}`);

test('hints know invented names, also by what is out of view', async (context) => {
  for (const [pattern, isNewName] of [
    ['pypi/other-*', undefined],
    ['npm/other-*', true],
  ] as const) {
    const lab = await openLab(
      new Map([
        ['requirements.txt', lines('torchfluxx', ...filling, 'other-core')],
        ['HEAD:requirements.txt', lines(...filling)],
        ['.package-insights.json', JSON.stringify({ private: [pattern] })],
      ]),
      {},
    );
    context.after(lab.close);
    await lab.settled('requirements.txt');
    const { dependencies } = await lab.inView('requirements.txt', 'torchfluxx', 'known-1');
    assert.ok(dependencies.length < 5);
    assert.deepEqual(dependencies.map((it) => [it.linked.dependency.name, it.isNewName]).slice(0, 2), [
      ['torchfluxx', isNewName],
      ['known-0', undefined],
    ]);
  }
});

test('a commit alone ends the warning', async (context) => {
  const lab = await openLab(
    new Map([
      ['requirements.txt', lines('torchfluxx', 'known-1')],
      ['HEAD:requirements.txt', lines('known-1')],
    ]),
    {},
  );
  context.after(lab.close);
  const before = await lab.settled('requirements.txt');
  assert.deepEqual(
    before.dependencies.map((it) => it.isNewName),
    [true, undefined],
  );
  const after = await lab.commit('requirements.txt');
  assert.deepEqual(
    after?.dependencies.map((it) => it.isNewName),
    [undefined, undefined],
  );
});
