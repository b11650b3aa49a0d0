import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluateDependency } from '../../../server/src/engine/analysis/evaluate/dependency.ts';
import { updatePolicyOf } from '../../../server/src/engine/analysis/evaluate/update-policy.ts';
import { verdictOf } from '../../../server/src/engine/analysis/verdict.ts';
import { readVersion } from '../../../server/src/engine/facts/service/read-answers.ts';
import type { LinkedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import { type Insight, listOf, type PackageFacts, type VersionFacts } from '../../../server/src/engine/model/facts.ts';
import type { VersionKey } from '../../../server/src/engine/model/keys.ts';
import type { Insights } from '../../../server/src/engine/model/ports.ts';

const key = { system: 'NPM', name: 'a' } as const;
const at = { span: { start: 0, end: 5 }, text: '1.0.0', encode: (it: string) => it };
const linked = {
  key,
  uri: 'file:///package.json',
  dependency: { name: 'a', system: 'NPM', scope: 'runtime' },
  requirement: { kind: 'text', text: '1.0.0', via: [], place: { uri: 'file:///package.json', at } },
  span: at.span,
} as unknown as LinkedDependency;
const now = Date.UTC(2026, 0, 10, 12);
const end = Date.UTC(2026, 0, 12);

/** 1.0.0 is in use; the service has 1.1.0 in its cooldown. */
function evaluate(isAffected: boolean) {
  const versions = ['1.0.0', '1.1.0'].map((version) => ({
    version,
    publishedAt: Date.UTC(2025, 0, 1),
    isDefault: version === '1.1.0',
    isDeprecated: false,
  }));
  const list = { key, versions: listOf(versions) } as Partial<PackageFacts> as PackageFacts;
  const version = ({ version }: VersionKey): Insight<VersionFacts> => {
    const facts = {
      key: { ...key, version },
      version,
      publishedAt: Date.UTC(2025, 0, 1),
      isDefault: version === '1.1.0',
      isDeprecated: false,
      advisories: isAffected && version === '1.0.0' ? ['GHSA-aaaa-bbbb-cccc'] : [],
      licenses: ['MIT'],
      licenseDetails: [],
      provenances: [],
      ...(version === '1.1.0' && { cooldownEnd: end }),
    };
    return { state: 'ready', value: facts as Partial<VersionFacts> as VersionFacts, at: 0 };
  };
  const insights = {
    version,
    package: () => ({ state: 'ready', value: list, at: 0 }),
    advisory: () => ({ state: 'unknown', at: 0 }),
  } as Partial<Insights> as Insights;
  const policy = updatePolicyOf(undefined, { cooldownDays: 0 }, now);
  return evaluateDependency(linked, undefined, insights, true, policy).evaluated;
}

test('a version that the service has in a cooldown is not suggested until that ends', () => {
  const evaluated = evaluate(false);
  assert.deepEqual(verdictOf(evaluated).targets, []);
  assert.equal(evaluated.heldBack?.version, '1.1.0');
  assert.deepEqual(evaluated.heldBack?.limit, { kind: 'until', end });
});

test('a fix does not wait for the cooldown of the service, and says its age', () => {
  const { recommended } = verdictOf(evaluate(true));
  assert.equal(recommended?.version, '1.1.0');
  assert.ok(recommended?.age !== undefined);
});

test('the end of a cooldown is read from an answer, and nothing from what is none', () => {
  const answer = (cooldown: unknown) =>
    readVersion({ versionKey: { system: 'NPM', name: 'a', version: '1.1.0' }, isDefault: true, cooldown });
  assert.equal(answer({ end: '2026-01-12T00:00:00Z', description: 'new' }).cooldownEnd, end);
  for (const it of [undefined, {}]) assert.equal(answer(it).cooldownEnd, undefined);
});
