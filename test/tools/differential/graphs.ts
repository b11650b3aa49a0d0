/*
 * Holds the graphs of lockfiles against what the package managers themselves print, over a project on disk:
 *
 *     node test/tools/differential/graphs.ts npm|pnpm|yarn|cargo|uv|poetry <directory>
 *
 * Not part of the tests: it needs the managers on the PATH. Two graphs are compared by released version: which packages
 * the manifest beside the lockfile requires, what each package requires, and how far each is from each direct dependency.
 * `yarn` is a later version: the first one prints no requirements.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countBrought } from '../../../server/src/analysis/brought.ts';
import { groupBy } from '../../../server/src/base/collections.ts';
import { lockfileFormats } from '../../../server/src/ecosystems/lockfile-formats.ts';
import { edgeKinds, type LockedGraph } from '../../../server/src/model/graph/locked-graph.ts';

/** What a tool says: by `name@version`, what a package requires. `''` is the manifest. */
type Edges = Map<string, Set<string>>;

/** The kinds of each of our edges, which the tools do not print. */
const kindsOf = new Map<string, Set<string>>();

interface Tool {
  readonly lockfile: string;
  readonly read: (directory: string) => Edges;
  /** Requirements that the tool does not print. */
  readonly leavesOut?: ReadonlySet<string>;
}

const tools: Readonly<Record<string, Tool>> = {
  npm: {
    lockfile: 'package-lock.json',
    read: readNpm,
  },
  pnpm: { lockfile: 'pnpm-lock.yaml', read: readPnpm },
  yarn: { lockfile: 'yarn.lock', read: readYarn },
  cargo: { lockfile: 'Cargo.lock', read: readCargo },
  uv: { lockfile: 'uv.lock', read: readUv },
  poetry: { lockfile: 'poetry.lock', read: readPoetry },
};

const [name = '', directory = '.'] = process.argv.slice(2);
const tool = tools[name];
if (!tool) throw new Error(`one of ${Object.keys(tools).join(', ')}`);
const format = lockfileFormats.find((it) => it.id === tool.lockfile);
const graph = format?.parse(readFileSync(join(directory, tool.lockfile), 'utf8')).graph();
if (graph === undefined || graph === 'unrecorded') throw new Error('no graph');
const theirs = tool.read(directory);
const ours = edgesOf(graph, [...(theirs.get('') ?? [])]);
compare(ours, theirs);
console.log(`${graph.nodes.length} nodes, ${graph.targets.length} edges${graph.isPartial ? ', partial' : ''}`);

/** Counts by the product itself, and by a search over the graph of the tool. */
const roots =
  graph.importers.get('') ??
  [...(theirs.get('') ?? [])].map((id) => ({
    name: id,
    node: graph.nodes.findIndex((_, node) => idOf(graph, node) === id),
  }));
const byName = groupBy(roots, (it) => it.name);
for (const [direct, all] of byName) {
  const nodes = all.map((it) => it.node);
  const [brought] = countBrought(graph, [nodes]);
  const own = new Set(nodes.flatMap((it) => [...distances(bringing(theirs), idOf(graph, it)).keys()]));
  for (const it of graph.nodes) if (it.source === 'workspace') own.delete(it.name);
  for (const it of nodes) own.delete(idOf(graph, it));
  if (brought !== own.size) console.log(`${direct}: brings ${brought}, by the tool ${own.size}`);
}
console.log(`${byName.size} direct dependencies counted`);

function run(cwd: string, command: string, ...args: string[]): string {
  try {
    return execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    // npm prints its tree and fails, where a peer is missing.
    if (error instanceof Error && 'stdout' in error && typeof error.stdout === 'string' && error.stdout !== '')
      return error.stdout;
    throw error;
  }
}

function idOf({ nodes }: LockedGraph, node: number): string {
  const { name = '', version = '', source } = nodes[node] ?? {};
  return source === 'workspace' ? name : `${name}@${version}`;
}

function edgesOf(it: LockedGraph, direct: readonly string[]): Edges {
  const all: Edges = new Map();
  for (const { node } of it.importers.get('') ?? []) add(all, '', idOf(it, node));
  // Without recorded roots those of the tool count: there the manifest has them.
  if (!it.importers.has('')) for (const root of direct) add(all, '', root);
  for (const [from] of it.nodes.entries()) {
    for (let edge = it.firstEdge[from] ?? 0; edge < (it.firstEdge[from + 1] ?? 0); edge++) {
      const to = idOf(it, it.targets[edge] ?? 0);
      add(all, idOf(it, from), to);
      add(kindsOf, `${idOf(it, from)} → ${to}`, edgeKinds[it.kinds[edge] ?? 0] ?? '');
    }
  }
  return all;
}

/** Without the requirements that bring nothing. */
function bringing(edges: Edges): Edges {
  const brings = (id: string): boolean => {
    const kinds = [...(kindsOf.get(id) ?? ['runtime'])];
    return kinds.some((it) => it !== 'dev' && it !== 'optionalPeer');
  };
  return new Map(
    Array.from(edges, ([from, all]) => [from, new Set([...all].filter((to) => brings(`${from} → ${to}`)))]),
  );
}

function add(edges: Edges, from: string, to: string): void {
  if (from === to) return;
  const known = edges.get(from);
  if (known) known.add(to);
  else edges.set(from, new Set([to]));
}

function distances(edges: Edges, from: string): Map<string, number> {
  const found = new Map([[from, 0]]);
  for (const [node, distance] of found) {
    for (const to of edges.get(node) ?? []) if (!found.has(to)) found.set(to, distance + 1);
  }
  return found;
}

function compare(own: Edges, other: Edges): void {
  const here = distances(own, '');
  const there = distances(other, '');
  const edges = (it: Edges, within: ReadonlyMap<string, number>) =>
    new Set([...it].flatMap(([from, all]) => (within.has(from) ? [...all].map((to) => `${from} → ${to}`) : [])));
  difference('packages', new Set(here.keys()), new Set(there.keys()));
  difference('requirements', edges(own, here), edges(other, there));
  const paths = (it: ReadonlyMap<string, number>) => new Set(Array.from(it, ([id, length]) => `${id} at ${length}`));
  difference('shortest paths', paths(here), paths(there));
}

function difference(what: string, own: ReadonlySet<string>, other: ReadonlySet<string>): void {
  const onlyHere = [...own].filter((it) => !other.has(it));
  const onlyThere = [...other].filter((it) => !own.has(it));
  console.log(
    `${what}: ${own.size} here, ${other.size} there, ${onlyHere.length} only here, ${onlyThere.length} only there`,
  );
  for (const it of onlyHere.slice(0, 15)) console.log(`  here:  ${it} ${[...(kindsOf.get(it) ?? [])]}`);
  for (const it of onlyThere.slice(0, 15)) console.log(`  there: ${it}`);
}

interface Tree {
  readonly name?: string;
  readonly from?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly extraneous?: boolean;
  readonly dependencies?: Readonly<Record<string, Tree>>;
  readonly devDependencies?: Readonly<Record<string, Tree>>;
  readonly optionalDependencies?: Readonly<Record<string, Tree>>;
}

/** `npm ls` prints an alias and a member under its own name; the lockfile says which is which. */
function readNpm(directory: string): Edges {
  const lock = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { name?: string; link?: boolean; dependencies?: object }>>;
  };
  const required = new Set(Object.keys(lock.packages['']?.dependencies ?? {}));
  const published = new Map<string, string>();
  const members = new Set<string>();
  for (const [place, { name, link }] of Object.entries(lock.packages)) {
    const key = place.replace(/^.*node_modules\//s, '');
    if (link) members.add(key);
    else if (name !== undefined && place.includes('node_modules/')) published.set(key, name);
  }
  const all: Edges = new Map();
  visit('', JSON.parse(run(directory, 'npm', 'ls', '--all', '--json', '--package-lock-only')) as Tree);
  return all;

  function visit(from: string, { dependencies = {} }: Tree): void {
    for (const [key, it] of Object.entries(dependencies)) {
      // Members are listed at the root, and what npm left behind where it lies, though nothing there requires them.
      if (it.version === undefined || it.extraneous) continue;
      if (from === '' && members.has(key) && !required.has(key)) continue;
      const id = members.has(key) ? key : `${published.get(key) ?? key}@${it.version}`;
      add(all, from, id);
      visit(id, it);
    }
  }
}

function readPnpm(directory: string): Edges {
  const all: Edges = new Map();
  const [root] = JSON.parse(
    run(directory, 'pnpm', 'list', '--depth', 'Infinity', '--json', '--lockfile-only'),
  ) as Tree[];
  if (root) visit('', root);
  return all;

  function visit(from: string, tree: Tree): void {
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = tree;
    for (const [key, it] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      const id = it.version?.startsWith('link:') ? key : `${it.from ?? key}@${it.version}`;
      add(all, from, id);
      visit(id, it);
    }
  }
}

/** `yarn info` of the later versions prints one object a line. */
function readYarn(directory: string): Edges {
  const all: Edges = new Map();
  const identity = (locator: string): string => {
    const [, scoped = '', reference = ''] = /^(@?[^@]+)@(.*)$/.exec(locator) ?? [];
    if (reference.includes('workspace:')) return scoped;
    return `${scoped}@${/(?:npm:|npm%3A)([^#&:]+)/.exec(reference)?.[1] ?? reference}`;
  };
  const root = (JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { name: string }).name;
  for (const line of run(directory, 'yarn', 'info', '-A', '-R', '--json').split('\n')) {
    if (line === '') continue;
    const it = JSON.parse(line) as { value: string; children: { Dependencies?: { locator: string }[] } };
    const from = identity(it.value);
    for (const { locator } of it.children.Dependencies ?? []) {
      add(all, from, identity(locator));
      if (from === root) add(all, '', identity(locator));
    }
  }
  return all;
}

/** Lines with their depth in front: `0app v0.1.0 (/path)`, `1clap v4.5.4`, `2anstream v0.6.14 (*)`. */
function readCargo(directory: string): Edges {
  const args = [
    '--target',
    'all',
    '--all-features',
    '--prefix',
    'depth',
    '--workspace',
    '--edges',
    'normal,build,dev',
    '--locked',
  ];
  return fromDepths(run(directory, 'cargo', 'tree', ...args), /^(\d+)(\S+) v(\S+)(.*)$/);
}

/** The projects at the first level are the manifest itself. */
function fromDepths(text: string, line: RegExp): Edges {
  const all: Edges = new Map();
  const path: string[] = [];
  for (const it of text.split('\n')) {
    const [, depth = '', crate = '', version = ''] = line.exec(it) ?? [];
    if (crate === '') continue;
    const level = Number(depth);
    const id = level === 0 ? '' : `${crate}@${version}`;
    path.length = level;
    if (level > 0) add(all, path.at(-1) ?? '', id);
    path.push(id);
  }
  return all;
}

/** Trees in lines: `├── flask v3.0.3`, `│   └── click v8.1.7 (*)`. */
function fromDrawing(text: string, line: RegExp): Edges {
  const numbered = text.split('\n').map((it) => {
    const begin = /^[\s│├└─|`-]*/.exec(it)?.[0].length ?? 0;
    return `${begin / 4}${it.slice(begin)}`;
  });
  return fromDepths(numbered.join('\n'), line);
}

function readUv(directory: string): Edges {
  const text = run(directory, 'uv', 'tree', '--frozen', '--universal', '--all-groups', '--depth', '255');
  return fromDrawing(text, /^(\d+)([\w.-]+)(?:\[[^\]]*\])? v(\S+)(.*)$/);
}

function readPoetry(directory: string): Edges {
  const all: Edges = new Map();
  const text = run(directory, 'poetry', 'show', '--tree', '--no-ansi');
  const version = new Map<string, string>();
  for (const it of run(directory, 'poetry', 'show', '--all', '--no-ansi').split('\n')) {
    const [, key = '', own = ''] = /^(\S+)\s+(?:\(!\)\s+)?(\S+)/.exec(it) ?? [];
    if (key) version.set(key, own);
  }
  const path: string[] = [];
  for (const it of text.split('\n')) {
    const begin = /^[\s│├└─|`-]*/.exec(it)?.[0].length ?? 0;
    const [, key = ''] = /^([\w.-]+)/.exec(it.slice(begin)) ?? [];
    if (key === '') continue;
    const id = `${key.toLowerCase().replace(/[-_.]+/g, '-')}@${version.get(key.toLowerCase().replace(/[-_.]+/g, '-'))}`;
    path.length = begin / 4;
    add(all, path.at(-1) ?? '', id);
    path.push(id);
  }
  return all;
}
