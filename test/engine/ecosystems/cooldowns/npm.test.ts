import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cooldownOf } from '../../../../server/src/engine/analysis/evaluate/cooldown.ts';
import { cooldownReaders } from '../../../../server/src/engine/ecosystems/cooldowns.ts';
import type { CooldownLimit, CooldownRule } from '../../../../server/src/engine/model/registries/cooldown.ts';

const DAY = 24 * 3_600_000;
const age = (days: number): CooldownLimit => ({ kind: 'age', age: days * DAY });
const date = (text: string): CooldownLimit => ({ kind: 'date', before: Date.parse(text) });
const unclear = (text: string): CooldownLimit => ({ kind: 'unclear', text });

/** What the readers of a file say. */
function rulesIn(name: string, text: string): CooldownRule[] {
  return cooldownReaders.filter((it) => it.names.includes(name)).flatMap((it) => it.read({ name, text }, 'NPM'));
}

/*
 * Sources: npm 12 `@npmcli/config/lib/definitions` (min-release-age in days, before any date of JavaScript); pnpm 12 and
 * 11 `getPublishedByPolicy` (minutes); yarn 4.18 `npmMinimalAgeGate` (DURATION, unit m); bun 1.4 and deno 2.9, tried.
 */
const limits: readonly (readonly [string, string, CooldownLimit | undefined])[] = [
  ['.npmrc', 'min-release-age=7', age(7)],
  ['.npmrc', 'min-release-age = 0.5', age(0.5)],
  ['.npmrc', 'min-release-age=0', age(0)],
  ['.npmrc', 'min-release-age=null', undefined],
  ['.npmrc', 'min-release-age=', undefined],
  ['.npmrc', '# min-release-age=7', undefined],
  ['.npmrc', 'min-release-age=soon', unclear('“soon”')],
  ['.npmrc', 'min-release-age=$' + '{DAYS}', unclear('“$' + '{DAYS}”')],
  ['.npmrc', 'before=2026-01-31', date('2026-01-31')],
  ['.npmrc', 'before=2026-01-31T12:00:00.000Z', date('2026-01-31T12:00:00Z')],
  ['.npmrc', 'before=yesterday', unclear('“yesterday”')],
  ['.npmrc', 'minimum-release-age=1440', age(1)],
  ['NPM_CONFIG_MIN_RELEASE_AGE', '7', age(7)],
  ['NPM_CONFIG_BEFORE', '2026-01-31', date('2026-01-31')],
  ['pnpm-workspace.yaml', 'minimumReleaseAge: 10080', age(7)],
  ['pnpm-workspace.yaml', 'packages: [a]\n', undefined],
  ['pnpm-workspace.yaml', 'minimumReleaseAge: 7 days', unclear('“7 days”')],
  ['pnpm-workspace.yaml', 'minimumReleaseAge: [', unclear('“…”')],
  ['PNPM_CONFIG_MINIMUM_RELEASE_AGE', '1440', age(1)],
  ['.yarnrc.yml', 'npmMinimalAgeGate: 4320', age(3)],
  ['.yarnrc.yml', 'npmMinimalAgeGate: 3d', age(3)],
  ['.yarnrc.yml', "npmMinimalAgeGate: '1w'", age(7)],
  ['.yarnrc.yml', 'npmMinimalAgeGate: 36h', age(1.5)],
  ['.yarnrc.yml', 'npmMinimalAgeGate: 3 days', unclear('“3 days”')],
  ['YARN_NPM_MINIMAL_AGE_GATE', '3d', age(3)],
  ['bunfig.toml', '[install]\nminimumReleaseAge = 259200', age(3)],
  ['bunfig.toml', '[install]\nminimumReleaseAge = "3d"', unclear('“3d”')],
  ['deno.json', '{ "minimumDependencyAge": "P2D" }', age(2)],
  ['deno.json', '{ "minimumDependencyAge": 1440 }', age(1)],
  ['deno.json', '{ "minimumDependencyAge": "1440" }', age(1)],
  ['deno.json', '{ "minimumDependencyAge": "2026-01-31T00:00:00Z" }', date('2026-01-31T00:00:00Z')],
  ['deno.json', '{ "minimumDependencyAge": { "age": "PT12H", "exclude": ["npm:a"] } }', age(0.5)],
  ['deno.json', '{ "minimumDependencyAge": "P1Y" }', unclear('“P1Y”')],
  ['deno.json', '{ "tasks": {} }', undefined],
];

for (const [name, text, limit] of limits) {
  test(`${name}: ${text}`, () => {
    assert.deepEqual(
      rulesIn(name, text).map((it) => it.limit),
      limit ? [limit] : [],
    );
  });
}

/** A file, and the packages and versions that it excepts, and others that it does not. */
const exceptions: readonly (readonly [string, string, free: readonly string[], held: readonly string[]])[] = [
  [
    '.npmrc',
    'min-release-age=7\nmin-release-age-exclude[]=@acme/*\nmin-release-age-exclude[]=left,right',
    ['@acme/a', 'left', 'right'],
    ['@acme', '@other/a', 'left-pad'],
  ],
  // One that is negated is no exception, and neither is what only minimatch understands.
  ['.npmrc', 'min-release-age=7\nmin-release-age-exclude[]=!a\nmin-release-age-exclude[]={b,c}', [], ['a', 'b', 'c']],
  ['.npmrc', 'min-release-age=7\nmin-release-age-exclude[]=*', ['a'], ['@acme/a']],
  [
    'pnpm-workspace.yaml',
    'minimumReleaseAge: 10080\nminimumReleaseAgeExclude:\n  - "@acme/*"\n  - a@1.0.0 || 2.0.0\n  - b',
    ['@acme/a', 'a@1.0.0', 'a@2.0.0', 'b'],
    ['a@1.5.0', 'c'],
  ],
  [
    '.yarnrc.yml',
    'npmMinimalAgeGate: 7d\nnpmPreapprovedPackages: ["@acme/*", a@^1.0.0, "b@npm:^2.0.0"]',
    ['@acme/a', 'a@1.5.0'],
    ['a@2.0.0', 'b@1.0.0', 'b@2.1.0', '@acme'],
  ],
  [
    '.yarnrc.yml',
    'npmMinimalAgeGate: 7d\nnpmScopes:\n  acme:\n    npmMinimalAgeGate: 0\n  strict:\n    npmMinimalAgeGate: 30d',
    ['@acme/a'],
    ['b', '@strict/a'],
  ],
  [
    'bunfig.toml',
    '[install]\nminimumReleaseAge = 604800\nminimumReleaseAgeExcludes = ["a", "@acme/*"]',
    ['a'],
    ['@acme/a', 'ab'],
  ],
  [
    'deno.json',
    '{ "minimumDependencyAge": { "age": "P7D", "exclude": ["npm:a", "npm:@acme/*", "jsr:b"] } }',
    ['a', '@acme/b'],
    ['b'],
  ],
];

test('the exceptions of each manager are excepted, and nothing else', () => {
  const now = Date.UTC(2026, 0, 10);
  for (const [name, text, free, held] of exceptions) {
    const rules = rulesIn(name, text).map((it) => ({ ...it, system: 'NPM' as const }));
    const isHeld = (packageAndVersion: string): boolean => {
      const at = packageAndVersion.indexOf('@', 1);
      const [id, version] =
        at < 0 ? [packageAndVersion, '1.0.0'] : [packageAndVersion.slice(0, at), packageAndVersion.slice(at + 1)];
      return cooldownOf({ now, rules }, { system: 'NPM', name: id }).heldBack(version, now - DAY) !== undefined;
    };
    for (const it of free) assert.equal(isHeld(it), false, `${it} is free in ${text}`);
    for (const it of held) assert.equal(isHeld(it), true, `${it} is held back in ${text}`);
  }
});

test('the setting that keeps a version back for the longest time is named', () => {
  const rules = [...rulesIn('.npmrc', 'min-release-age=2\nbefore=2026-01-05')];
  const { heldBack } = cooldownOf({ now: Date.UTC(2026, 0, 10), rules }, { system: 'NPM', name: 'a' });
  assert.equal(heldBack('1.0.0', Date.UTC(2026, 0, 9))?.rule.key, 'before');
  assert.equal(heldBack('1.0.0', undefined), undefined);
});
