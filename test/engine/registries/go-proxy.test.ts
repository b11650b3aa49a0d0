import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';
import type { ListedPackage } from '../../../server/src/engine/model/registries/registry-client.ts';
import { goProxy } from '../../../server/src/engine/registries/go-proxy.ts';
import { type Answers, questionAt } from './question.ts';

async function listed(answers: Answers, name = 'acme.example/core'): Promise<ListedPackage> {
  const answer = await goProxy.list(questionAt('go-proxy', name, answers));
  return answer.kind === 'found' ? answer.value : assert.fail(answer.kind);
}

/** `v1.0.0*` is the default version, `v1.0.0!` a deprecated one, with its reason. */
function shown(found: ListedPackage): string[] {
  return rowsOf(found.facts.versions).map(({ version, isDefault, isDeprecated }) => {
    const reason = found.version(version)?.deprecatedReason ?? '';
    return `${version}${isDefault ? '*' : ''}${isDeprecated ? `! ${reason}`.trimEnd() : ''}`;
  });
}

test('escapes upper case, and asks the newest version for what is retracted', async () => {
  const asked: string[] = [];
  const answers = {
    '/acme.example/!core_!x~/v2/@v/list':
      'v2.1.0\nv2.0.0-RC.1 2026-01-02T03:04:05Z\n\nv2\nnot\nv2.0.0-20260102030405-abcdefabcdef\n',
    '/acme.example/!core_!x~/v2/@v/v2.1.0.mod': 'module acme.example/Core_X~/v2\n\ngo 1.26\n',
    '/acme.example/!core_!x~/v2/@v/v2.0.0-!r!c.1.info': '{"Version":"v2.0.0-RC.1","Time":"2026-01-02T03:04:05Z"}',
  };
  const question = questionAt('go-proxy', 'acme.example/Core_X~/v2', answers, asked);
  const answer = await goProxy.list(question);
  assert.deepEqual(answer.kind === 'found' && shown(answer.value), ['v2.0.0-RC.1', 'v2.1.0*']);
  const version = await goProxy.version?.(question, 'v2.0.0-RC.1');
  assert.equal(version?.kind === 'found' && version.value.publishedAt, Date.UTC(2026, 0, 2, 3, 4, 5));
  assert.deepEqual(asked, Object.keys(answers));
});

test('reads retractions, with the comment of a line or of its block', async () => {
  const mod = `// Package core.
//
// Deprecated: use acme.example/core/v2
// instead.
//
// More.
module acme.example/core

go 1.26

// Published by accident.
retract v1.5.0 // Really.

// Leaks passwords.
retract (
	v1.1.0
	[v1.2.0, v1.2.9]
	// Does not build.
	v1.3.0
	v1.4.0 // Never worked.
)
retract v1.4.1
`;
  const versions = ['v1.0.0', 'v1.1.0', 'v1.2.5', 'v1.3.0', 'v1.4.0', 'v1.4.1', 'v1.5.0'];
  const found = await listed({
    '/acme.example/core/@v/list': versions.join('\n'),
    '/acme.example/core/@v/v1.5.0.mod': mod,
  });
  const why = 'use acme.example/core/v2\ninstead.';
  assert.deepEqual(shown(found), [
    `v1.0.0*! ${why}`,
    'v1.1.0! Leaks passwords.',
    'v1.2.5! Leaks passwords.',
    'v1.3.0! Does not build.',
    'v1.4.0! Never worked.',
    `v1.4.1! ${why}`,
    'v1.5.0! Published by accident.\nReally.',
  ]);
});

test('an incompatible version is the default one only where the newest compatible one has no go.mod', async () => {
  const list = { '/acme.example/core/@v/list': 'v1.0.0\nv2.0.0+incompatible\nv1.1.0' };
  const made = { ...list, '/acme.example/core/@v/v1.1.0.mod': 'module acme.example/core\n' };
  assert.deepEqual(shown(await listed(made)), ['v1.0.0', 'v1.1.0', 'v2.0.0+incompatible*']);
  const written = { ...list, '/acme.example/core/@v/v1.1.0.mod': 'module acme.example/core\ngo 1.26\n' };
  assert.deepEqual(shown(await listed(written)), ['v1.0.0', 'v1.1.0*', 'v2.0.0+incompatible']);
});

test('a module without tags has its latest commit alone', async () => {
  const version = 'v0.0.0-20260102030405-abcdefabcdef';
  const found = await listed({
    '/acme.example/core/@v/list': '',
    '/acme.example/core/@latest': `{"Version":"${version}","Time":"2026-01-02T03:04:05Z"}`,
    [`/acme.example/core/@v/${version}.mod`]: 'module acme.example/core\n',
  });
  assert.deepEqual(shown(found), [`${version}*`]);
  assert.equal(found.facts.versions.times[0], Date.UTC(2026, 0, 2, 3, 4, 5));
});

test('a commit that no list has is a version, too, and its origin a link only over http', async () => {
  const version = 'v0.0.0-20260102030405-abcdefabcdef';
  const info = (url: string): string => JSON.stringify({ Version: version, Origin: { VCS: 'git', URL: url } });
  for (const [url, links] of [
    ['https://git.acme.example/core', [{ label: 'SOURCE_REPO', url: 'https://git.acme.example/core' }]],
    ['javascript:alert(1)', []],
    ['ssh://git@acme.example/core', []],
  ] as const) {
    const question = questionAt('go-proxy', 'acme.example/core', {
      [`/acme.example/core/@v/${version}.info`]: info(url),
    });
    const answer = await goProxy.version?.(question, version);
    assert.deepEqual(answer?.kind === 'found' && answer.value.links, links);
  }
});

test('says why there is no answer', async () => {
  const list = '/acme.example/core/@v/list';
  const cases: readonly (readonly [Answers, string])[] = [
    [{}, 'absent'],
    [{ [list]: { status: 410 } }, 'absent'],
    [{ [list]: { status: 401 } }, 'denied'],
    [{ [list]: { status: 500 } }, 'failed'],
    [{ [list]: { kind: 'aborted' } }, 'aborted'],
    [{ [list]: '' }, 'absent'],
    [{ [list]: '', '/acme.example/core/@latest': '<html>' }, 'failed'],
    // Nothing would say whether it is retracted.
    [{ [list]: 'v1.0.0', '/acme.example/core/@v/v1.0.0.mod': { status: 503 } }, 'failed'],
    [{ [list]: 'v1.0.0' }, 'found'],
  ];
  for (const [answers, expected] of cases)
    assert.equal((await goProxy.list(questionAt('go-proxy', 'acme.example/core', answers))).kind, expected);
});

test('hostile answers neither throw nor take long', async () => {
  const many = Array.from({ length: 150_000 }, (_, at) => `v0.0.${at}`).join('\n');
  const notices = `module x\n${'// Deprecated: \n\n'.repeat(50_000)}${'// x\n'.repeat(100_000)}retract (\n${'v0.0.1\n'.repeat(100_000)}`;
  const found = await listed({
    '/acme.example/core/@v/list': many,
    '/acme.example/core/@v/v0.0.99999.mod': notices,
  });
  assert.equal(found.facts.isSample, true);
  assert.equal(rowsOf(found.facts.versions).at(-1)?.version, 'v0.0.99999');
  for (const text of [
    'null',
    '[]',
    '{"Version":7}',
    '{"Version":"v1.0.0","Time":[],"Origin":"x"}',
    '['.repeat(100_000),
  ])
    await goProxy.version?.(
      questionAt('go-proxy', 'acme.example/core', { '/acme.example/core/@v/v1.0.0.info': text }),
      'v1.0.0',
    );
});
