import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluateDependency } from '../../../server/src/engine/analysis/evaluate/dependency.ts';
import { findingsIn } from '../../../server/src/engine/analysis/findings.ts';
import { verdictOf } from '../../../server/src/engine/analysis/verdict.ts';
import type { LinkedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import type { Insight } from '../../../server/src/engine/model/facts.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { knowingNothing } from '../../harness/knowing-nothing.ts';

/* A service may find that a version is malware which it has no facts of: it was withdrawn at once. */

const at = { span: { start: 0, end: 5 }, text: '1.0.1', encode: (it: string) => it };
const linked: LinkedDependency = {
  dependency: {
    id: '0',
    system: 'NPM',
    name: 'stolen',
    nameSpan: at.span,
    requirement: { kind: 'literal', at },
    scope: 'runtime',
  } as unknown as LinkedDependency['dependency'],
  uri: 'file:///package.json',
  key: { system: 'NPM', name: 'stolen' },
  requirement: { kind: 'text', text: '1.0.1', place: { uri: 'file:///package.json', at }, via: [] },
  span: at.span,
};

function evaluated(version: Insight<never>) {
  const insights = knowingNothing({
    version: () => version,
    advisory: (id) => ({ state: 'ready', value: { id, url: '', title: 'Malicious', aliases: [] }, at: 0 }),
  });
  return evaluateDependency(linked, undefined, insights, false).evaluated;
}

test('a version that the service does not know and finds to be malware is malicious', () => {
  const found = evaluated({ state: 'unknown', at: 0, isMalicious: true });
  assert.equal(verdictOf(found).isMalicious, true);
  const findings = findingsIn([found], readSettings({}));
  assert.deepEqual(
    findings.map((it) => [it.code, it.severity]),
    [['malicious', 'error']],
  );
});

test('one that it just does not know is not', () => {
  const found = evaluated({ state: 'unknown', at: 0 });
  assert.equal(verdictOf(found).isMalicious, false);
  assert.deepEqual(findingsIn([found], readSettings({})), []);
});
