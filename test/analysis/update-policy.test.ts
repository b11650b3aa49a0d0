import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updatePolicyOf } from '../../server/src/analysis/evaluate/update-policy.ts';
import { effectiveProject } from '../../server/src/policy/ignores.ts';
import { readProjectFile } from '../../server/src/policy/project-file.ts';

const now = Date.UTC(2026, 0, 10, 12, 34);
const { project } = readProjectFile(
  'file:///.package-insights.json',
  `{ "cooldownDays": 3,
     "ignores": [{ "id": "a", "reason": "r", "until": "2026-01-10" }, { "id": "b", "reason": "r", "until": "2026-01-09" }],
     "licenses": { "deny": ["MIT"], "runtimeOnly": true, "exceptions": [{ "package": "x", "allow": true, "reason": "r" }] } }`,
);

test('the longer cooldown counts, and ends at full hours', () => {
  const notAfter = (days: number): number => Date.UTC(2026, 0, 10 - days, 12);
  assert.deepEqual(updatePolicyOf(project, { cooldownDays: 7 }, now).cooldown, { days: 7, notAfter: notAfter(7) });
  assert.deepEqual(updatePolicyOf(project, { cooldownDays: 0 }, now).cooldown, { days: 3, notAfter: notAfter(3) });
  assert.equal(updatePolicyOf(undefined, { cooldownDays: 0 }, now).cooldown, undefined);
});

test('an ignore holds to the end of its last day', () => {
  assert.deepEqual(
    effectiveProject(project, now, true).ignores.map((it) => it.id),
    ['a'],
  );
});

test('in a folder without trust its project file hides nothing, and still denies', () => {
  const { ignores, licenses } = effectiveProject(project, now, false);
  assert.deepEqual(ignores, []);
  assert.deepEqual(licenses?.exceptions, []);
  assert.equal(licenses?.runtimeOnly, false);
  assert.deepEqual(licenses?.deny, ['MIT']);
});

test('what applies of a project file is the same object until the day or the trust changes', () => {
  const evening = Date.UTC(2026, 0, 10, 23, 59, 59, 999);
  const before = effectiveProject(project, evening, true);
  assert.equal(effectiveProject(project, now, true), before);
  assert.equal(before.ignores.length, 1);
  assert.equal(effectiveProject(project, evening + 1, true).ignores.length, 0);
  assert.equal(effectiveProject(project, evening, true).ignores.length, 1);
  assert.equal(effectiveProject(project, evening, false).ignores.length, 0);
});
