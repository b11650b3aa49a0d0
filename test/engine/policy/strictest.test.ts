import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProjectFile } from '../../../server/src/engine/policy/project-file.ts';
import { projectSchema } from '../../../server/src/engine/policy/project-schema.ts';
import { type LooseMember, noProject, strictest } from '../../../server/src/engine/policy/strictest.ts';

const read = (file: object | undefined) =>
  file === undefined
    ? { ...noProject, uri: 'file:///w/.package-insights.json' }
    : readProjectFile('file:///w/.package-insights.json', JSON.stringify(file)).project;

const ignore = (more: object) => ({ ignores: [{ id: 'GHSA-1', reason: 'r', ...more }] });
const allowing = (more: object) => ({ licenses: { exceptions: [{ package: 'a', reason: 'r', ...more }] } });

/** A member, before and after a change: the change has no effect. */
const loose: readonly (readonly [LooseMember, before: object | undefined, after: object | undefined])[] = [
  ['ignores', undefined, ignore({})],
  ['ignores', {}, ignore({ package: 'lodash' })],
  ['ignores', ignore({ package: 'lodash' }), ignore({})],
  ['ignores', ignore({ package: 'lodash' }), ignore({ package: 'express' })],
  ['ignores', ignore({ until: '2026-01-01' }), ignore({})],
  ['ignores', ignore({ until: '2026-01-01' }), ignore({ until: '2026-01-02' })],
  ['private', { private: ['npm/@acme/*'] }, {}],
  ['private', { private: ['npm/@acme/*'] }, undefined],
  ['licenses', { licenses: { deny: ['GPL-3.0-only'] } }, undefined],
  ['licenses', { licenses: { deny: ['GPL-3.0-only'] } }, { licenses: {} }],
  ['licenses', { licenses: { review: ['MPL-2.0'] } }, { licenses: {} }],
  ['licenses', { licenses: { allow: ['MIT'] } }, { licenses: { allow: ['MIT', 'GPL-3.0-only'] } }],
  ['licenses', { licenses: { allow: ['MIT'] } }, { licenses: { allow: ['GPL-3.0-only'] } }],
  ['licenses', { licenses: { allow: ['MIT'] } }, { licenses: {} }],
  ['licenses', { licenses: { unknown: 'deny' } }, { licenses: { unknown: 'allow' } }],
  ['licenses', { licenses: {} }, { licenses: { unknown: 'allow' } }],
  ['licenses', { licenses: {} }, { licenses: { runtimeOnly: true } }],
  ['licenses', { licenses: {} }, allowing({ allow: true })],
  ['licenses', allowing({ licenses: ['MIT'] }), allowing({ licenses: ['MIT', 'GPL-3.0-only'] })],
  ['licenses', allowing({ licenses: ['MIT'] }), allowing({ allow: true })],
  ['severity', { severity: { deprecated: 'error' } }, {}],
  ['severity', { severity: { deprecated: 'error' } }, { severity: { deprecated: 'warning' } }],
  ['cooldownDays', { cooldownDays: 7 }, { cooldownDays: 1 }],
  ['allowPrivate', undefined, { allowPrivate: true }],
  ['exclude', { exclude: ['/examples/'] }, { exclude: ['/examples/', '/'] }],
  ['failOn', { failOn: ['license'] }, undefined],
  ['unratedCountsAs', undefined, { unratedCountsAs: 'medium' }],
  ['unratedCountsAs', { unratedCountsAs: 'critical' }, { unratedCountsAs: 'high' }],
  ['unratedCountsAs', { unratedCountsAs: 'critical' }, undefined],
];

for (const [member, before, after] of loose) {
  test(`${member} is not loosened: ${JSON.stringify(before)} → ${JSON.stringify(after)}`, () => {
    const { project, loosened } = strictest(read(before), read(after));
    assert.deepEqual(loosened, [member]);
    const { uri: _, privatePackages, ...rest } = project;
    const { uri: __, privatePackages: former, ...base } = read(before);
    assert.deepEqual(
      privatePackages.map((it) => it.pattern),
      former.map((it) => it.pattern),
    );
    // An entry that was there and is replaced by another one is gone: that is no loosening.
    const isReplaced = JSON.stringify(after)?.includes('express') === true;
    assert.deepEqual(rest, { ...base, ...(isReplaced && { ignores: [] }) });
  });
}

test('what a change tightens applies', () => {
  const tight = {
    ignores: [{ id: 'GHSA-1', package: 'lodash', until: '2026-01-01', reason: 'another' }],
    private: ['npm/@acme/*', 'npm/@more/*'],
    licenses: { allow: ['MIT'], deny: ['GPL-3.0-only'], review: ['MPL-2.0'], unknown: 'deny' },
    severity: { deprecated: 'error' },
    cooldownDays: 9,
    exclude: [],
    failOn: ['license', 'deprecated'],
    unratedCountsAs: 'critical',
  };
  const before = read({
    ignores: [{ id: 'GHSA-1', reason: 'r' }],
    private: ['npm/@acme/*'],
    licenses: { allow: ['MIT', 'ISC'], unknown: 'allow', runtimeOnly: true },
    severity: { deprecated: 'warning' },
    cooldownDays: 7,
    allowPrivate: true,
    exclude: ['/examples/'],
    failOn: ['license'],
  });
  const { project, loosened } = strictest(before, read(tight));
  assert.deepEqual(loosened, []);
  assert.deepEqual(project, read(tight));
});

test('every member of the schema is judged', () => {
  const members = Object.keys(projectSchema.properties);
  assert.deepEqual(
    members.filter((it) => it !== '$schema').sort(),
    [...new Set(loose.map(([member]) => member))].sort(),
  );
});
