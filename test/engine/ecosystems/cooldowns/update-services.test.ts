import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cooldownOf } from '../../../../server/src/engine/analysis/evaluate/cooldown.ts';
import { dependabotCooldown } from '../../../../server/src/engine/ecosystems/shared/dependabot.ts';
import { renovateCooldown } from '../../../../server/src/engine/ecosystems/shared/renovate.ts';
import type { CooldownReader, CooldownRule } from '../../../../server/src/engine/model/registries/cooldown.ts';
import type { System } from '../../../../server/src/engine/model/system.ts';

const DAY = 24 * 3_600_000;
const now = Date.UTC(2026, 0, 31);

/** How many days old a version must be; undefined if no rule is for the package. */
function daysOf(
  { read }: CooldownReader,
  text: string,
  name: string,
  { to = '1.0.1', system = 'NPM' as System, directory = '' } = {},
): number | undefined {
  const rules = read({ name: '', text, directory }, system).map((it): CooldownRule => ({ ...it, system }));
  assert.ok(rules.every((it) => it.refuses === undefined));
  if (rules.length === 0) return undefined;
  const { heldBack } = cooldownOf({ now, rules }, { system, name });
  return Array.from({ length: 100 }, (_, days) => days).find((days) => !heldBack(to, now - days * DAY, '1.0.0'));
}

/* Source: the options reference of Dependabot, `cooldown`, and `package-ecosystem`. */
const dependabot = `version: 2
updates:
  - package-ecosystem: npm
    directory: /
    cooldown: { default-days: 5, semver-major-days: 30, semver-patch-days: 2, exclude: ["@acme/*", left] }
  - package-ecosystem: "pip"
    directory: "/tools"
    cooldown:
      default-days: 9
      include: ["django*"]
  - package-ecosystem: github-actions
    directory: /
    cooldown: { default-days: 60 }
  - package-ecosystem: cargo
    directory: /
`;

test('the cooldown of Dependabot counts for its ecosystem and directory, by step, with its lists', () => {
  const days = (name: string, more = {}) => daysOf(dependabotCooldown, dependabot, name, more);
  assert.deepEqual(
    ['1.0.1', '1.1.0', '2.0.0'].map((to) => days('a', { to })),
    [2, 5, 30],
  );
  assert.equal(days('@acme/a'), 0);
  assert.equal(days('left'), 0);
  assert.equal(days('a', { system: 'CARGO' }), undefined);
  assert.equal(days('a', { system: 'GO' }), undefined);
  assert.equal(days('django-x', { system: 'PYPI' }), undefined);
  assert.equal(days('django-x', { system: 'PYPI', directory: 'tools' }), 9);
  assert.equal(days('django-x', { system: 'PYPI', directory: 'tools/a' }), 9);
  assert.equal(days('flask', { system: 'PYPI', directory: 'tools' }), 0);
  assert.equal(days('a', { directory: 'packages/a' }), 2);
});

test('a file of Dependabot that cannot be read may mean any cooldown', () => {
  const [rule] = dependabotCooldown.read({ name: '', text: 'cooldown: [' }, 'NPM');
  assert.equal(rule?.limit.kind, 'unclear');
  assert.equal(daysOf(dependabotCooldown, 'version: 2\nupdates: [', 'a'), undefined);
});

/* Source: the documentation of Renovate, `minimumReleaseAge`, `packageRules`, `matchPackageNames`. */
test('the cooldown of Renovate is that of the last rule that matches', () => {
  const config = `{
    // A comment
    extends: ['config:recommended'],
    minimumReleaseAge: '7 days',
    "packageRules": [
      { "matchPackageNames": ["@acme/**", "left"], "minimumReleaseAge": null },
      { "matchUpdateTypes": ["major"], "minimumReleaseAge": "1 month" },
      { "matchManagers": ["pep621"], "minimumReleaseAge": "2 days" },
      { "matchDatasources": ["npm"], "matchPackageNames": ["slow"], "minimumReleaseAge": "2 weeks", },
    ],
  }`;
  const days = (name: string, more = {}) => daysOf(renovateCooldown, config, name, more);
  assert.equal(days('a'), 7);
  assert.equal(days('a', { to: '2.0.0' }), 30);
  assert.equal(days('@acme/a'), 0);
  assert.equal(days('left'), 0);
  assert.equal(days('slow'), 14);
  assert.equal(days('a', { system: 'PYPI' }), 2);
  assert.equal(days('a', { system: 'GO' }), 7);
});

test('what is not understood of Renovate makes the cooldown longer, and never shorter', () => {
  const days = (rule: object, more = {}) =>
    daysOf(renovateCooldown, JSON.stringify({ minimumReleaseAge: '7 days', packageRules: [rule], ...more }), 'a');
  assert.equal(days({ matchDepTypes: ['devDependencies'], minimumReleaseAge: '0 days' }), 7);
  assert.equal(days({ matchDepTypes: ['devDependencies'], minimumReleaseAge: '9 days' }), 9);
  assert.equal(days({ matchPackageNames: ['/^a/'], minimumReleaseAge: '0 days' }), 7);
  assert.equal(days({ matchPackageNames: ['!b'], minimumReleaseAge: '0 days' }), 7);
  assert.equal(days({}, { npm: { minimumReleaseAge: '1 day' } }), 1);
  assert.equal(daysOf(renovateCooldown, '{ "extends": ["config:recommended"] }', 'a'), undefined);
  assert.equal(
    renovateCooldown.read({ name: '', text: '{ "minimumReleaseAge": "soon" }' }, 'NPM')[0]?.limit.kind,
    'unclear',
  );
  assert.equal(
    renovateCooldown.read({ name: '', text: '{ "minimumReleaseAge": [ }' }, 'NPM')[0]?.limit.kind,
    'unclear',
  );
});

test('the presets of Renovate with a cooldown count for their datasource, before the rules of the file', () => {
  const days = (config: object, system: System = 'NPM', name = 'a') =>
    daysOf(renovateCooldown, JSON.stringify(config), name, { system });
  assert.equal(days({ extends: ['config:best-practices'] }), 3);
  assert.equal(days({ extends: ['config:best-practices'] }, 'PYPI'), undefined);
  assert.equal(days({ extends: ['config:recommended', 'security:minimumReleaseAgeNpm'] }), 3);
  assert.equal(days({ extends: ['npm:unpublishSafe'] }), 3);
  assert.equal(days({ extends: ['security:minimumReleaseAgeCrates'] }, 'CARGO'), 3);
  assert.equal(days({ extends: ['config:recommended'] }), undefined);
  assert.equal(days({ extends: ['config:best-practices'], ignorePresets: ['config:best-practices'] }), undefined);
  const rules = [{ matchDatasources: ['npm'], minimumReleaseAge: '10 days' }];
  assert.equal(days({ extends: ['config:best-practices'], packageRules: rules }), 10);
  const own = [{ matchPackageNames: ['own'], minimumReleaseAge: null }];
  assert.equal(days({ extends: ['config:best-practices'], packageRules: own }, 'NPM', 'own'), 0);
  assert.equal(days({ extends: ['config:best-practices'], packageRules: own }), 3);
});
