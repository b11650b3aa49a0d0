import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluateDependency } from '../../../server/src/engine/analysis/evaluate/dependency.ts';
import { planUpdates } from '../../../server/src/engine/analysis/update-plan.ts';
import { verdictOf } from '../../../server/src/engine/analysis/verdict.ts';
import type { EvaluatedDependency, LinkedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import { type Insight, listOf, type PackageFacts, type VersionFacts } from '../../../server/src/engine/model/facts.ts';
import type { VersionKey } from '../../../server/src/engine/model/keys.ts';
import type { Insights } from '../../../server/src/engine/model/ports.ts';
import type { Project } from '../../../server/src/engine/model/project.ts';
import { openLab } from '../../harness/lab.ts';

const key = { system: 'NPM', name: 'a' } as const;
const at = { span: { start: 0, end: 5 }, text: '1.0.0', encode: (it: string) => it };
const linked = {
  key,
  uri: 'file:///package.json',
  dependency: { name: 'a', system: 'NPM', scope: 'runtime' },
  requirement: { kind: 'text', text: '1.0.0', via: [], place: { uri: 'file:///package.json', at } },
  span: at.span,
} as unknown as LinkedDependency;
const licenses = {
  allow: [],
  deny: ['GPL-3.0-only'],
  review: [],
  unknown: 'review',
  exceptions: [],
  runtimeOnly: false,
} as const;
const now = Date.UTC(2026, 0, 1);
const dayMs = 24 * 3_600_000;

type State = 'affected' | 'sound' | 'denied' | 'failed';

/** Whether 1.0.0, which is affected, is said to have no fix. The last version is the default one. */
function isWithoutFix(versions: Readonly<Record<string, State>>, young: readonly string[] = []): boolean {
  return verdictOf(evaluate(versions, young)).isWithoutFix;
}

function evaluate(versions: Readonly<Record<string, State>>, young: readonly string[] = []): EvaluatedDependency {
  const known: Readonly<Record<string, State>> = { '1.0.0': 'affected', ...versions };
  const names = Object.keys(known);
  const list = {
    key,
    versions: listOf(
      names.map((version) => ({
        version,
        publishedAt: young.includes(version) ? now : 0,
        isDefault: version === names.at(-1),
        isDeprecated: false,
      })),
    ),
  } as Partial<PackageFacts> as PackageFacts;
  const factsOf = ({ version }: VersionKey): Insight<VersionFacts> => {
    const state = known[version];
    if (state === undefined || state === 'failed') return { state: 'failed', reason: 'no answer', at: 0 } as never;
    const facts = {
      key: { ...key, version },
      isDeprecated: false,
      advisories: state === 'affected' ? ['GHSA-aaaa-bbbb-cccc'] : [],
      licenses: [state === 'denied' ? 'GPL-3.0-only' : 'MIT'],
      licenseDetails: [],
      provenances: [],
    };
    return { state: 'ready', value: facts as Partial<VersionFacts> as VersionFacts, at: 0 };
  };
  const insights = {
    version: factsOf,
    package: () => ({ state: 'ready', value: list, at: 0 }),
    advisory: () => ({ state: 'unknown', at: 0 }),
  } as Partial<Insights> as Insights;
  const project = { uri: 'file:///.package-insights.json', ignores: [], licenses } as Partial<Project> as Project;
  const rule = { key: 'cooldownDays', limit: { kind: 'age', age: 7 * dayMs } } as const;
  const policy = { id: '', cooldown: { now, rules: [rule] }, project };
  const { evaluated } = evaluateDependency(linked, undefined, insights, false, policy);
  return { ...evaluated, project };
}

test('where each higher version is affected, there is no fix', () => {
  assert.equal(isWithoutFix({}), true);
  assert.equal(isWithoutFix({ '1.1.0': 'affected', '2.0.0': 'affected' }), true);
});

test('a higher version that was not checked may be a fix: in its cooldown, without an answer, or beyond those looked up', () => {
  assert.equal(isWithoutFix({ '1.1.0': 'affected', '3.0.0': 'sound', '2.0.0': 'affected' }, ['3.0.0']), false);
  assert.equal(isWithoutFix({ '1.1.0': 'failed', '2.0.0': 'affected' }), false);
  const many = Array.from({ length: 300 }, (_, index): [string, State] => [`1.0.${index + 1}`, 'affected']);
  assert.equal(isWithoutFix({ ...Object.fromEntries(many) }), false);
});

test('a fixed version whose license is denied is a fixed version', () => {
  assert.equal(isWithoutFix({ '1.1.0': 'denied', '2.0.0': 'affected' }), false);
});

test('a pre-release without problems is named where each stable version has one', () => {
  const verdict = verdictOf(evaluate({ '2.0.0-rc.1': 'sound', '1.1.0': 'affected' }));
  assert.equal(verdict.isWithoutFix, false);
  assert.deepEqual(verdict.unusualFix, { version: '2.0.0-rc.1', kind: 'pre-release' });
  assert.equal(verdict.recommended, undefined);
  assert.equal(isWithoutFix({ '2.0.0-rc.1': 'affected', '1.1.0': 'affected' }), true);
});

test('an update of everything says the same of what it leaves', () => {
  const reasonFor = (versions: Readonly<Record<string, State>>, young: readonly string[] = []) =>
    planUpdates([evaluate(versions, young)], 'safe', {
      version: () => ({ state: 'pending' }),
      package: () => ({ state: 'pending' }),
      advisory: () => ({ state: 'pending' }),
    }).left.map((it) => it.reason);
  assert.deepEqual(reasonFor({ '2.0.0': 'affected' }), ['no fixed version']);
  assert.deepEqual(reasonFor({ '1.1.0': 'failed', '2.0.0': 'affected' }), ['no version without problems is known']);
  assert.deepEqual(reasonFor({ '3.0.0': 'sound', '2.0.0': 'affected' }, ['3.0.0']), [
    'no version without problems is known',
  ]);
});

test('a definition has no fix if none of its packages has one', async () => {
  const pom = `<project>
  <properties><v>1.0</v></properties>
  <dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>\${v}</version></dependency></dependencies>
</project>`;
  const lab = await openLab(new Map([['pom.xml', pom]]), {
    'MAVEN g:a': { versions: ['1.0', '2.0'] },
    'advisory GHSA-aaaa-bbbb-cccc': { affected: [{ system: 'MAVEN', name: 'g:a', versions: ['1.0', '2.0'] }] },
  });
  try {
    const [definition] = (await lab.settled('pom.xml')).definitions;
    assert.equal(definition && verdictOf(definition).isWithoutFix, true);
  } finally {
    await lab.close();
  }
});
