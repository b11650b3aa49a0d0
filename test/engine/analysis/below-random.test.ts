import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchBrought } from '../../../server/src/engine/analysis/below/brought-releases.ts';
import { type BroughtRelease, KnownBelow } from '../../../server/src/engine/analysis/below/known-below.ts';
import { lockfileFormats } from '../../../server/src/engine/ecosystems/lockfile-formats.ts';
import type { AdvisoryFacts, Insight } from '../../../server/src/engine/model/facts.ts';
import type { ReleaseInsight } from '../../../server/src/engine/model/graph/releases.ts';
import { type Random, randomFrom } from '../../tools/soak/random.ts';

/* What random graphs bring, against a plain search over names. */

const ROUNDS = 150;
const format = lockfileFormats.find((it) => it.id === 'package-lock.json');

function advisory(id: string): Insight<AdvisoryFacts> {
  return { state: 'ready', value: { id, url: '', title: '', aliases: [], score: Number(id.slice(5)) }, at: 0 };
}

function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function factsOf({ below, chance }: Random): ReleaseInsight | undefined {
  if (chance(0.6)) return { state: 'ready', advisories: [], isDeprecated: false };
  if (chance(0.4)) return { state: 'ready', advisories: [`GHSA-${below(10) + 1}`], isDeprecated: chance(0.3) };
  const others = [
    undefined,
    { state: 'pending' },
    { state: 'unknown' },
    { state: 'failed', reason: 'refused' },
  ] as const;
  return others[below(others.length)];
}

/** The number of steps to each name. */
function distances(from: string, required: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const found = new Map([[from, 0]]);
  for (const [name, steps] of found) {
    for (const it of required.get(name) ?? []) if (!found.has(it)) found.set(it, steps + 1);
  }
  return found;
}

test('what is affected, how near it is, and what was not checked are as a plain search finds them', () => {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = randomFrom(seed);
    const names = Array.from({ length: 1 + random.below(seed * 2) }, (_, at) => `p${at}`);
    const required = new Map(
      names.map((it) => [
        it,
        Array.from({ length: random.below(4) }, () => random.of(names)).filter((to) => to !== it),
      ]),
    );
    const packages = Object.fromEntries(
      [...required].map(([name, all]) => [
        `node_modules/${name}`,
        { version: '1.0.0', dependencies: Object.fromEntries(all.map((it) => [it, '*'])) },
      ]),
    );
    const graph = format?.parse(JSON.stringify({ lockfileVersion: 3, packages })).graph();
    assert.ok(graph && graph !== 'unrecorded');
    const directs = names
      .slice(0, 5)
      .map((name) => ({ nodes: [graph.nodes.findIndex((it) => it.name === name)], version: '1.0.0' }));
    const brought = finish(searchBrought(graph, directs));
    const known = new KnownBelow(brought, 'package-lock.json', { advisory });
    // The facts change, and what is known follows.
    for (let time = 0; time < 2; time++) {
      const facts = new Map(names.map((it) => [it, factsOf(random)]));
      const releases = brought.nodes.map((node): BroughtRelease => {
        const { name = '', version = '' } = graph.nodes[node] ?? {};
        const key = { system: 'NPM', name, version } as const;
        const insight = facts.get(name);
        return { key, release: insight && { key, insight } };
      });
      finish(known.update(releases));
      for (const [at, direct] of brought.directs.entries()) {
        const below = known.of(direct);
        const steps = distances(names[at] ?? '', required);
        steps.delete(names[at] ?? '');
        const states = [...steps.keys()].map((it) => facts.get(it)?.state);
        const count = (state: string | undefined): number => states.filter((it) => it === state).length;
        assert.equal(below?.count, steps.size, `seed ${seed}`);
        const { pending, failed, withheld, unknown } = below?.unchecked ?? {};
        assert.deepEqual(
          { pending, failed, withheld, unknown },
          { pending: count('pending'), failed: count('failed'), withheld: count(undefined), unknown: count('unknown') },
          `seed ${seed}`,
        );
        const affected = [...steps].flatMap(([name, length]) => {
          const insight = facts.get(name);
          return insight?.state === 'ready' && insight.advisories[0]
            ? [{ name, length: length + 1, score: Number(insight.advisories[0].slice(5)) }]
            : [];
        });
        const paths = below?.pathsTo(below.affected);
        const found = below?.affected.map(({ key, advisories: [worst] }, at) => ({
          name: key.name,
          length: paths?.[at]?.length,
          score: Number(worst?.id.slice(5)),
        }));
        const plain = affected.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
        assert.deepEqual(found, plain, `seed ${seed}`);
      }
    }
  }
});
