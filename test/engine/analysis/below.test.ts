import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchBrought } from '../../../server/src/engine/analysis/below/brought-releases.ts';
import { type BroughtRelease, KnownBelow } from '../../../server/src/engine/analysis/below/known-below.ts';
import { lockfileFormats } from '../../../server/src/engine/ecosystems/lockfile-formats.ts';
import type { AdvisoryFacts, Insight } from '../../../server/src/engine/model/facts.ts';
import { type Below, type PackageBelow, uncheckedCount } from '../../../server/src/engine/model/graph/below.ts';
import type { LockedGraph } from '../../../server/src/engine/model/graph/locked-graph.ts';
import type { ReleaseInsight } from '../../../server/src/engine/model/graph/releases.ts';

const sound: ReleaseInsight = { state: 'ready', advisories: [], isDeprecated: false };
const scores: Readonly<Record<string, number>> = { 'GHSA-qs': 7.5, 'GHSA-ms': 9.8, 'GHSA-own': 5 };

function graphOf(required: Readonly<Record<string, readonly string[]>>): LockedGraph {
  const packages = Object.fromEntries(
    Object.entries(required).map(([name, names]) => [
      `node_modules/${name}`,
      { version: '1.0.0', dependencies: Object.fromEntries(names.map((it) => [it, '*'])) },
    ]),
  );
  const format = lockfileFormats.find((it) => it.id === 'package-lock.json');
  const graph = format?.parse(JSON.stringify({ packages })).graph();
  assert.ok(graph && graph !== 'unrecorded');
  return graph;
}

const graph = graphOf({
  express: ['body', 'debug'],
  body: ['qs', 'private'],
  debug: ['ms'],
  qs: ['side'],
  side: ['express'],
  ms: [],
  private: [],
});

function advisory(id: string): Insight<AdvisoryFacts> {
  return { state: 'ready', value: { id, url: '', title: '', aliases: [], score: scores[id] ?? 1 }, at: 0 };
}

function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** What `express` brings where some packages have other facts than sound ones. */
function belowExpress(facts: Readonly<Record<string, ReleaseInsight | undefined>>): Below {
  const direct = graph.nodes.findIndex((it) => it.name === 'express');
  const brought = finish(searchBrought(graph, [{ nodes: [direct], version: '1.0.0' }]));
  const known = new KnownBelow(brought, 'package-lock.json', { advisory });
  const releases = brought.nodes.map((node): BroughtRelease => {
    const { name = '', version = '' } = graph.nodes[node] ?? {};
    const key = { system: 'NPM', name, version } as const;
    const insight = name in facts ? facts[name] : sound;
    return { key, release: insight && { key, insight } };
  });
  finish(known.update(releases));
  const [first] = brought.directs;
  const below = first && known.of(first);
  assert.ok(below);
  return below;
}

function pathTexts(below: Below, packages: readonly PackageBelow[]): string[] {
  return below.pathsTo(packages).map((path) => path.map((it) => graph.nodes[it]?.name).join(' → '));
}

test('affected packages come worst first, each with its shortest path', () => {
  const below = belowExpress({
    qs: { state: 'ready', advisories: ['GHSA-qs'], isDeprecated: true },
    ms: { state: 'ready', advisories: ['GHSA-ms', 'GHSA-own'], isDeprecated: false },
  });
  assert.equal(below.count, 6);
  assert.deepEqual(pathTexts(below, below.affected), ['express → debug → ms', 'express → body → qs']);
  assert.deepEqual(
    below.affected[0]?.advisories.map((it) => it.id),
    ['GHSA-ms', 'GHSA-own'],
  );
  assert.deepEqual(pathTexts(below, below.deprecated), ['express → body → qs']);
});

test('the direct dependency is not below itself, although a cycle leads back to it', () => {
  const below = belowExpress({ express: { state: 'ready', advisories: ['GHSA-own'], isDeprecated: false } });
  assert.deepEqual(below.affected, []);
});

test('what was not looked up, failed or is open is counted', () => {
  const below = belowExpress({
    private: undefined,
    qs: { state: 'failed', reason: 'connection refused' },
    ms: { state: 'unknown' },
    side: { state: 'pending' },
    body: { state: 'ready', advisories: [], isDeprecated: false, areAdvisoriesUnknown: true },
  });
  const reason = 'connection refused';
  assert.deepEqual(below.unchecked, { pending: 1, failed: 1, reason, withheld: 1, unknown: 1, listed: 1 });
  assert.equal(uncheckedCount(below.unchecked), 4);
});

test('a chain of 4,000 affected packages costs a bounded path and one object for each', () => {
  const length = 4000;
  const names = Array.from({ length }, (_, at) => `p${at}`);
  const chain = graphOf(Object.fromEntries(names.map((it, at) => [it, names.slice(at + 1, at + 2)])));
  const brought = finish(
    searchBrought(
      chain,
      [0, 1, 2].map((it) => ({ nodes: [it], version: '1.0.0' })),
    ),
  );
  const pending: Insight<AdvisoryFacts> = { state: 'pending' };
  const known = new KnownBelow(brought, 'package-lock.json', { advisory: () => pending });
  const releases = brought.nodes.map((node): BroughtRelease => {
    const key = { system: 'NPM', name: names[node] ?? '', version: '1.0.0' } as const;
    return { key, release: { key, insight: { state: 'ready', advisories: [`GHSA-${node}`], isDeprecated: true } } };
  });
  finish(known.update(releases));
  const [first, second] = brought.directs.map((it) => known.of(it));
  assert.ok(first && second);
  assert.equal(first.affected.length, length - 1);
  const last = first.affected.filter((it) => it.key.name === `p${length - 1}`);
  assert.ok(second.affected.includes(last[0] ?? assert.fail('it is affected')));
  assert.deepEqual(first.pathsTo(last), [
    [...Array(16).keys(), ...Array.from({ length: 16 }, (_, at) => length - 16 + at)],
  ]);
});
