import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EvaluationCache } from '../../../server/src/engine/analysis/evaluate/evaluation-cache.ts';
import { noUpdatePolicy } from '../../../server/src/engine/analysis/evaluate/update-policy.ts';
import type { LinkedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import type { Insight, VersionFacts } from '../../../server/src/engine/model/facts.ts';
import { knowingNothing, pending } from '../../harness/knowing-nothing.ts';

/** What is known of versions, by name, and how often anybody looked. */
function setUp(remembered?: number) {
  const facts = new Map<string, Insight<VersionFacts>>();
  let changes = 0;
  let looked = 0;
  const insights = knowingNothing({
    version({ name }) {
      looked++;
      return facts.get(name) ?? pending;
    },
    revision: () => changes,
  });
  const cache = new EvaluationCache(insights, remembered);
  return {
    examine: (linked: LinkedDependency, locked?: string) => {
      const lock = locked === undefined ? undefined : { lockfile: 'lock', version: locked, update: 'update' };
      return cache.evaluate(linked, lock, false, noUpdatePolicy);
    },
    learn(name: string) {
      changes++;
      facts.set(name, { state: 'unknown', at: changes });
    },
    looks() {
      const since = looked;
      looked = 0;
      return since;
    },
  };
}

function linked(name: string, range: string, start = 0): LinkedDependency {
  const span = { start, end: start + range.length };
  const key = { system: 'NPM', name } as const;
  const dependency = { key, name, nameSpan: span, requirement: { kind: 'none' }, scope: 'runtime' } as const;
  return { dependency, uri: 'file:///package.json', key, span, requirement: { kind: 'text', text: range, via: [] } };
}

test('what was found out is found in another place of the text, too', () => {
  const { examine, looks } = setUp();
  const first = examine(linked('a', '1.0.0', 10));
  assert.ok(looks() > 0);
  const moved = linked('a', '1.0.0', 20);
  const second = examine(moved);
  assert.equal(looks(), 0);
  assert.equal(second.evaluated.linked, moved);
  assert.equal(second.wanted, first.wanted);
});

test('an answer makes anew only what it concerns', () => {
  const { examine, learn } = setUp();
  const [a, b] = [linked('a', '1.0.0'), linked('b', '1.0.0')];
  const before = [examine(a), examine(b)];
  learn('a');
  const after = [examine(a), examine(b)];
  assert.equal(after[0]?.evaluated.version?.state ?? after[0]?.evaluated.resolution.kind, 'pending');
  assert.notEqual(after[0]?.wanted, before[0]?.wanted);
  assert.equal(after[1]?.wanted, before[1]?.wanted);
});

test('another range, another lock and no lock are other questions', () => {
  const { examine } = setUp();
  const versions = [
    examine(linked('a', '1.0.0')),
    examine(linked('a', '1.0.1')),
    examine(linked('a', '^1.0.0'), '1.2.0'),
    examine(linked('a', '^1.0.0'), '1.3.0'),
    examine(linked('a', '^1.0.0')),
  ].map(({ evaluated: { resolution } }) => (resolution.kind === 'version' ? resolution.version : resolution.kind));
  assert.deepEqual(versions, ['1.0.0', '1.0.1', '1.2.0', '1.3.0', 'pending']);
});

test('a name asked for in many ways stays quick, and right', () => {
  const { examine } = setUp();
  for (let round = 0; round < 2; round++) {
    for (let patch = 0; patch < 2000; patch++) {
      const { resolution } = examine(linked('a', `1.0.${patch}`)).evaluated;
      assert.equal(resolution.kind === 'version' && resolution.version, `1.0.${patch}`);
    }
  }
});

test('what was looked at last is still known where there is more than is remembered, and the oldest is forgotten', () => {
  const { examine, looks } = setUp(100);
  const all = Array.from({ length: 110 }, (_, at) => linked(`package-${at}`, '1.0.0'));
  const looksAt = (from: number, to: number): number => {
    for (const it of all.slice(from, to)) examine(it);
    return looks();
  };
  assert.ok(looksAt(0, 110) > 0);
  assert.equal(looksAt(100, 110), 0);
  assert.equal(looksAt(60, 90), 0);
  assert.ok(looksAt(0, 1) > 0);
});
