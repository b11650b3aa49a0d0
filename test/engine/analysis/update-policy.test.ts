import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cooldownOf } from '../../../server/src/engine/analysis/evaluate/cooldown.ts';
import { updatePolicyOf } from '../../../server/src/engine/analysis/evaluate/update-policy.ts';
import type { Project } from '../../../server/src/engine/model/project.ts';
import type { CooldownRule } from '../../../server/src/engine/model/registries/cooldown.ts';
import { effectiveProject } from '../../../server/src/engine/policy/ignores.ts';
import { readProjectFile } from '../../../server/src/engine/policy/project-file.ts';

const now = Date.UTC(2026, 0, 10, 12, 34);
const { project } = readProjectFile(
  'file:///.package-insights.json',
  `{ "cooldownDays": 3,
     "ignores": [{ "id": "a", "reason": "r", "until": "2026-01-10" }, { "id": "b", "reason": "r", "until": "2026-01-09" }],
     "licenses": { "deny": ["MIT"], "runtimeOnly": true, "exceptions": [{ "package": "x", "allow": true, "reason": "r" }] } }`,
);

test('the longer cooldown counts, and ends at full hours', () => {
  assert.deepEqual(lastDates(project, 7), [Date.UTC(2026, 0, 3, 12), 'packageInsights.cooldownDays']);
  assert.deepEqual(lastDates(project, 0), [Date.UTC(2026, 0, 7, 12), 'cooldownDays']);
  assert.equal(lastDates(undefined, 0), undefined);
});

test('three days apply where no cooldown is configured, and 0 is a choice', () => {
  assert.deepEqual(lastDates(undefined, undefined), [Date.UTC(2026, 0, 7, 12), 'packageInsights.cooldownDays']);
  assert.deepEqual(lastDates(project, undefined), [Date.UTC(2026, 0, 7, 12), 'cooldownDays']);
  const own = { ...project, cooldownDays: 0 };
  assert.equal(lastDates(own, undefined), undefined);
  const rule = { key: 'min-release-age', from: '.npmrc', system: 'NPM', limit: { kind: 'age', age: 0 } } as const;
  assert.equal(lastDates(undefined, undefined, [rule]), undefined);
  // Of another system.
  assert.notEqual(lastDates(undefined, undefined, [{ ...rule, system: 'PYPI' }]), undefined);
});

/** The last moment at which a version could be published that is old enough now, and whose setting that is. */
function lastDates(of: Project | undefined, cooldownDays: number | undefined, rules: readonly CooldownRule[] = []) {
  const { cooldown } = updatePolicyOf(of, { cooldownDays }, now, rules);
  const { heldBack } = cooldownOf(cooldown, { system: 'NPM', name: 'a' });
  const held = heldBack('1.0.0', now);
  if (!held || !cooldown || held.limit.kind !== 'age') return undefined;
  const last = cooldown.now - held.limit.age;
  assert.equal(heldBack('1.0.0', last), undefined);
  assert.notEqual(heldBack('1.0.0', last + 1), undefined);
  return [last, held.rule.key];
}

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
