import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { countBrought, shortestPath } from '../../../server/src/engine/analysis/brought.ts';
import { lockfileFormats } from '../../../server/src/engine/ecosystems/lockfile-formats.ts';
import type { LockedGraph } from '../../../server/src/engine/model/graph/locked-graph.ts';
import { median, type Row } from './table.ts';
import { manyPackages } from './texts.ts';

/** Requirements of each package, as many as real ones have on average. */
const REQUIREMENTS = 4;
/** Direct dependencies of the manifest. */
const DIRECT = 200;

/** What the direct dependencies of a lockfile of 20,000 packages bring: the graph, the counts, one path. */
export function graphs(): Row[] {
  const names = manyPackages(20_000);
  return Object.entries(lockfiles).flatMap(([id, write]): Row[] => {
    const text = write(names);
    const parse = lockfileFormats.find((it) => it.id === id)?.parse;
    if (parse === undefined) throw new Error(`no format reads ${id}`);
    const read = (): LockedGraph => {
      const graph = parse(text).graph();
      if (graph === 'unrecorded' || graph.nodes.length < names.length) throw new Error(`${id} has no graph`);
      return graph;
    };
    const own = clocked(read);
    const before = heapUsed();
    const graph = read();
    const memory = heapUsed() - before;
    const directs = Array.from({ length: DIRECT }, (_, index) => ({
      nodes: [index],
      version: graph.nodes[index]?.version ?? '',
    }));
    const counts = clocked(() => countBrought(graph, directs));
    const path = clocked(() => shortestPath(graph, [0], (it) => it === graph.nodes.length - 1));
    const floor = id.endsWith('.json')
      ? { floor: clocked(() => JSON.parse(text)), against: 'JSON.parse' }
      : { floor: clocked(() => text.split('\n').map((it) => it.trim())), against: 'split and trim its lines' };
    return [
      { what: `${id}, 20,000 packages: graph`, unit: 'ms', value: own, ...floor },
      { what: '  memory of it', unit: 'MB', value: memory / 2 ** 20 },
      { what: `  counts of ${DIRECT} direct dependencies`, unit: 'ms', value: counts },
      { what: '  one shortest path', unit: 'ms', value: path },
    ];
  });
}

/** Packages further down, and one above, so that there are cycles. */
function requiredBy(index: number, names: readonly string[]): string[] {
  const all = [index - 7];
  for (let number = 1; number < REQUIREMENTS; number++) all.push(index + number * 5 + ((index * number) % 11));
  return all.flatMap((it) => names[it] ?? []);
}

const lockfiles: Readonly<Record<string, (names: readonly string[]) => string>> = {
  'package-lock.json': (names) => {
    const packages = names.map((it, index) => {
      const dependencies = Object.fromEntries(requiredBy(index, names).map((required) => [required, '^1.2.3']));
      const resolved = `https://registry.example/${it}/-/${it}-1.2.3.tgz`;
      return [`node_modules/${it}`, { version: '1.2.3', resolved, integrity: 'sha512-AAAAAAAA==', dependencies }];
    });
    const dependencies = Object.fromEntries(names.slice(0, DIRECT).map((it) => [it, '^1.2.3']));
    return JSON.stringify(
      { lockfileVersion: 3, packages: { '': { dependencies }, ...Object.fromEntries(packages) } },
      null,
      2,
    );
  },
  'pnpm-lock.yaml': (names) => {
    const importer = names
      .slice(0, DIRECT)
      .map((it) => `      ${it}:\n        specifier: ^1.2.3\n        version: 1.2.3\n`);
    const packages = names.map((it) => `  ${it}@1.2.3:\n    resolution: {integrity: sha512-AAAAAAAA==}\n\n`);
    const snapshots = names.map((it, index) => {
      const required = requiredBy(index, names).map((name) => `      ${name}: 1.2.3\n`);
      return `  ${it}@1.2.3:\n    dependencies:\n${required.join('')}\n`;
    });
    return `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n${importer.join('')}\npackages:\n\n${packages.join('')}snapshots:\n\n${snapshots.join('')}`;
  },
  'uv.lock': (names) => {
    const packages = names.map((it, index) => {
      const required = requiredBy(index, names).map((name) => `    { name = "${name}" },\n`);
      return `[[package]]\nname = "${it}"\nversion = "1.2.3"\nsource = { registry = "https://registry.example/simple" }\ndependencies = [\n${required.join('')}]\n\n`;
    });
    return `version = 1\n\n${packages.join('')}`;
  },
};

function clocked(call: () => unknown): number {
  const figures: number[] = [];
  for (let time = 0; time < 7; time++) {
    const began = performance.now();
    call();
    figures.push(performance.now() - began);
  }
  return median(figures);
}

/** In bytes, after a collection. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  const { heapUsed: own, arrayBuffers } = process.memoryUsage();
  return own + arrayBuffers;
}
