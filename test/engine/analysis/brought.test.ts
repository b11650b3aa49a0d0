import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countBrought,
  type DirectNodes,
  reachable,
  shortestPath,
} from '../../../server/src/engine/analysis/brought.ts';
import { lockfileFormats } from '../../../server/src/engine/ecosystems/lockfile-formats.ts';
import { packageJson } from '../../../server/src/engine/ecosystems/npm/package-json.ts';
import type { LockedGraph } from '../../../server/src/engine/model/graph/locked-graph.ts';
import type { Lockfile } from '../../../server/src/engine/model/lockfile.ts';

function lockfileOf(id: string, text: string): { lockfile: Lockfile; graph: LockedGraph } {
  const lockfile = lockfileFormats.find((it) => it.id === id)?.parse(text);
  const graph = lockfile?.graph();
  assert.ok(lockfile && graph && graph !== 'unrecorded');
  return { lockfile, graph };
}

/** A package-lock.json with everything in one place: `a: b c?` requires `b`, and `c` optionally. */
function graphOf(lines: string): LockedGraph {
  const packages: Record<string, unknown> = {};
  for (const line of lines.trim().split('\n')) {
    const [name = '', required = ''] = line.trim().split(':');
    const all = required.split(' ').filter((it) => it !== '');
    const group = (mark: string) =>
      Object.fromEntries(all.flatMap((it) => (it.endsWith(mark) ? [[it.slice(0, -1), '*']] : [])));
    packages[`node_modules/${name}`] = {
      version: '1.0.0',
      dependencies: Object.fromEntries(all.flatMap((it) => (/\w$/.test(it) ? [[it, '*']] : []))),
      optionalDependencies: group('?'),
      peerDependencies: group('^'),
      peerDependenciesMeta: Object.fromEntries(Object.keys(group('^')).map((it) => [it, { optional: true }])),
      devDependencies: group('!'),
    };
  }
  return lockfileOf('package-lock.json', JSON.stringify({ packages })).graph;
}

function nodeOf({ nodes }: LockedGraph, name: string): number {
  return nodes.findIndex((it) => it.name === name);
}

/** A direct dependency in the version of its first node. */
function direct(graph: LockedGraph, ...nodes: readonly number[]): DirectNodes {
  return { nodes, version: graph.nodes[nodes[0] ?? 0]?.version ?? '' };
}

const express = graphOf(`
  express: body qs debug?
  body: qs bytes
  qs: side
  side: qs
  bytes:
  debug: ms
  ms:
  tool: react^ express! bytes
  react:
`);

test('a direct dependency brings all packages below it, itself not counted', () => {
  const counts = countBrought(
    express,
    ['express', 'qs', 'tool', 'bytes'].map((it) => direct(express, nodeOf(express, it))),
  );
  // An optional peer and a development dependency are not brought.
  assert.deepEqual(counts, [6, 1, 1, 0]);
});

test('a dependency that is not locked has no count', () => {
  assert.deepEqual(countBrought(express, [direct(express), direct(express, nodeOf(express, 'qs'))]), ['unknown', 1]);
});

test('a version at several places is counted once', () => {
  const { graph } = lockfileOf(
    'package-lock.json',
    JSON.stringify({
      packages: {
        'node_modules/a': { version: '1.0.0', dependencies: { b: '*', c: '*' } },
        'node_modules/b': { version: '1.0.0', dependencies: { d: '*' } },
        'node_modules/b/node_modules/d': { version: '2.0.0', dependencies: { a: '*' } },
        'node_modules/c': { version: '1.0.0', dependencies: { d: '*' } },
        'node_modules/c/node_modules/d': { version: '2.0.0' },
        'node_modules/d': { version: '1.0.0' },
      },
    }),
  );
  assert.deepEqual(countBrought(graph, [direct(graph, nodeOf(graph, 'a'))]), [3]);
});

test('members of the workspace are not counted, but what they bring is', () => {
  const { graph } = lockfileOf(
    'package-lock.json',
    JSON.stringify({
      packages: {
        '': { dependencies: { member: '*' } },
        'node_modules/member': { resolved: 'packages/member', link: true },
        'node_modules/other': { resolved: 'packages/other', link: true },
        'node_modules/qs': { version: '1.0.0' },
        'packages/member': { version: '1.0.0', dependencies: { other: '*' } },
        'packages/other': { version: '1.0.0', dependencies: { qs: '*' } },
      },
    }),
  );
  assert.deepEqual(countBrought(graph, [direct(graph, nodeOf(graph, 'member'))]), [1]);
});

test('the shortest path leads from a direct dependency to the package', () => {
  const path = (from: string, to: string) =>
    shortestPath(express, [nodeOf(express, from)], (it) => express.nodes[it]?.name === to)
      ?.map((it) => express.nodes[it]?.name)
      .join(' → ');
  assert.equal(path('express', 'side'), 'express → qs → side');
  assert.equal(path('express', 'bytes'), 'express → body → bytes');
  assert.equal(path('qs', 'qs'), 'qs');
  assert.equal(path('qs', 'bytes'), undefined);
  assert.equal(path('tool', 'react'), undefined);
});

test('of several direct dependencies the nearest one has the path', () => {
  const directs = ['express', 'body'].map((it) => nodeOf(express, it));
  const path = shortestPath(express, directs, (it) => express.nodes[it]?.name === 'bytes');
  assert.deepEqual(
    path?.map((it) => express.nodes[it]?.name),
    ['body', 'bytes'],
  );
  assert.equal(reachable(express, directs).length, 7);
});

test('a direct dependency of a manifest is the node of the version that the lockfile gives it', () => {
  const { lockfile, graph } = lockfileOf(
    'package-lock.json',
    JSON.stringify({
      packages: {
        '': {},
        'node_modules/lodash': { version: '4.17.21' },
        'node_modules/old': { name: 'lodash', version: '3.10.1' },
        'packages/member': {},
        'packages/member/node_modules/lodash': { version: '5.0.0' },
      },
    }),
  );
  const text = '{ "dependencies": { "lodash": "*", "old": "npm:lodash@3", "absent": "1" } }';
  const versions = (importer: string) =>
    packageJson.parse(text).dependencies.map((it) => {
      const found = graph.direct(it, importer).map((node) => graph.nodes[node]?.version);
      assert.deepEqual(
        found,
        [lockfile.locked(it, importer)].filter((version) => version !== undefined),
      );
      return found;
    });
  assert.deepEqual(versions(''), [['4.17.21'], ['3.10.1'], []]);
  assert.deepEqual(versions('packages/member'), [['5.0.0'], ['3.10.1'], []]);
});

test('beyond the limit counts are unknown, not wrong', () => {
  const node = direct(express, nodeOf(express, 'express'));
  assert.deepEqual(countBrought(express, [node, node, node, node], 15), [6, 6, 'unknown', 'unknown']);
});
