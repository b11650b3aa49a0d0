import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../server/src/fleet/answers/answer.ts';
import type { AnswerRow } from '../../server/src/fleet/answers/answer-row.ts';
import { changesBetween } from '../../server/src/fleet/answers/changes.ts';
import type { RepositoryState } from '../../server/src/fleet/results/result.ts';

function row(repository: string, name: string, path = 'package.json', line = 1): AnswerRow {
  return {
    repository,
    path,
    line,
    system: 'NPM',
    name,
    relation: 'direct',
    advisories: [],
    fix: { by: 'none' },
    owners: [],
    counts: true,
    identity: `${path} ${name}`,
    subject: name,
  };
}

function answerWith(rows: readonly AnswerRow[], states: Readonly<Record<string, RepositoryState | 'pending'>>): Answer {
  const repositories = Object.entries(states).map(([name, state]) => ({
    name,
    state,
    reasons: [],
    code: 0 as const,
    ms: 0,
    manifests: 1,
  }));
  const run = { id: '', at: '', options: { allowPrivate: false, ways: false }, bad: [], repositories: 0 };
  return { run, repositories, rows, withoutVersion: 0, isAboutPackages: false };
}

test('findings are new, fixed or moved since another run', () => {
  const before = answerWith([row('a', 'same'), row('a', 'gone'), row('a', 'moved'), row('a', 'line')], {
    a: 'checked',
  });
  const after = answerWith(
    [row('a', 'same'), row('a', 'moved', 'web/package.json', 5), row('a', 'line', 'package.json', 9), row('b', 'new')],
    { a: 'checked', b: 'checked' },
  );
  assert.deepEqual(
    changesBetween(before, after).map((it) => [it.name, it.change, it.before]),
    [
      ['moved', 'moved', 'package.json:1'],
      ['line', 'moved', 'package.json:1'],
      ['new', 'new', undefined],
      ['gone', 'fixed', undefined],
    ],
  );
});

test('what was not checked again is never fixed', () => {
  for (const state of ['failed', 'incomplete', 'set-aside', 'pending'] as const) {
    const changed = changesBetween(answerWith([row('a', 'x')], { a: 'checked' }), answerWith([], { a: state }));
    assert.deepEqual(
      changed.map((it) => it.change),
      ['not checked'],
      state,
    );
  }
  const gone = changesBetween(answerWith([row('a', 'x')], { a: 'checked' }), answerWith([], {}));
  assert.deepEqual(
    gone.map((it) => it.change),
    ['not checked'],
  );
});
