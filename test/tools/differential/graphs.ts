/*
 * Holds the graphs of lockfiles against the trees that the package managers themselves print, over a project on disk:
 *
 *     node test/tools/differential/graphs.ts npm|pnpm|yarn|cargo|uv|poetry <directory>
 *
 * Not part of the tests: it needs the managers on the PATH. For each manifest: which packages it requires; for each of
 * these, which versions of packages it brings, and how far away each is. `yarn` is a later version: the first one prints no
 * requirements.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bringing, GraphSearch } from '../../../server/src/engine/analysis/brought.ts';
import { addTo } from '../../../server/src/engine/base/collections.ts';
import { lockfileFormats } from '../../../server/src/engine/ecosystems/lockfile-formats.ts';
import { manifestFormats } from '../../../server/src/engine/ecosystems/manifest-formats.ts';
import { edgeKinds, type LockedGraph } from '../../../server/src/engine/model/graph/locked-graph.ts';

/** A tree as a tool prints it. An id is a place: a tool may install a version of a package at several. */
interface Tree {
  /** By id: what it requires. */
  readonly edges: Map<string, Set<string>>;
  /** By the directory of a manifest, or the name of a member: the ids of what it requires itself. */
  readonly roots: Map<string, Set<string>>;
  /** By id: `name@version`, or the name of a member. */
  readonly releases: Map<string, string>;
}

interface Tool {
  readonly lockfile: string;
  readonly manifest: string;
  readonly read: (directory: string) => Tree;
  /** The name that the tree has for a manifest, by its directory. */
  readonly nameOf?: (directory: string) => (importer: string) => string;
}

const tools: Readonly<Record<string, Tool>> = {
  npm: { lockfile: 'package-lock.json', manifest: 'package.json', read: readNpm },
  pnpm: { lockfile: 'pnpm-lock.yaml', manifest: 'package.json', read: readPnpm },
  yarn: { lockfile: 'yarn.lock', manifest: 'package.json', read: readYarn },
  cargo: { lockfile: 'Cargo.lock', manifest: 'Cargo.toml', read: readCargo },
  uv: { lockfile: 'uv.lock', manifest: 'pyproject.toml', read: readUv, nameOf: uvProjects },
  poetry: { lockfile: 'poetry.lock', manifest: 'pyproject.toml', read: readPoetry },
};

const [name = '', directory = '.'] = process.argv.slice(2);
const tool = tools[name];
if (!tool) throw new Error(`one of ${Object.keys(tools).join(', ')}`);
const format = lockfileFormats.find((it) => it.id === tool.lockfile);
const graph = format?.parse(readFileSync(join(directory, tool.lockfile), 'utf8')).graph();
if (graph === undefined || graph === 'unrecorded') throw new Error('no graph');
const theirs = tool.read(directory);
compare(graph, theirs);

/** What one direct dependency brings, by release: how far away it is. Its own releases are at 0. */
type Distances = ReadonlyMap<string, number>;

function compare(own: LockedGraph, other: Tree): void {
  const totals = { manifests: 0, directs: 0, different: 0, packages: new Set<string>() };
  const causes = new Map<string, number>();
  const brings = bringingIn(own);
  for (const [importer, directs] of ownRoots(own)) {
    const ids = other.roots.get(importer) ?? new Set();
    totals.manifests++;
    const here = new Map<string, number[]>();
    for (const node of directs) addTo(here, releaseOf(own, node), node);
    const there = new Map<string, string[]>();
    for (const id of ids) addTo(there, other.releases.get(id) ?? id, id);
    for (const it of here.keys()) if (!there.has(it)) count(`${importer}: only here requires ${it}`);
    for (const it of there.keys()) if (!here.has(it)) count(`${importer}: only there requires ${it}`);
    for (const [direct, nodes] of here) {
      const ends = there.get(direct);
      if (ends === undefined) continue;
      totals.directs++;
      const mine = ownDistances(own, nodes);
      const their = distances(other, ends, brings);
      for (const it of mine.keys()) totals.packages.add(it);
      const before = causes.size;
      for (const [it, far] of mine) if (!their.has(it)) count(`only here: ${it} (at ${far} of ${direct})`, it);
      for (const [it, far] of their) if (!mine.has(it)) count(`only there: ${it} (at ${far} of ${direct})`, it);
      for (const [it, far] of mine) {
        const theirFar = their.get(it) ?? far;
        if (theirFar !== far) count(`${direct} → ${it}: at ${far} here, at ${theirFar} there`);
      }
      if (causes.size > before) totals.different++;
    }
  }
  const { manifests, directs, different, packages } = totals;
  console.log(
    `${own.nodes.length} nodes, ${own.targets.length} edges${own.isPartial ? ', partial' : ''}; ${manifests} manifests, ` +
      `${directs} direct dependencies, ${packages.size} versions of packages: ${different} direct dependencies differ`,
  );
  for (const it of [...causes.keys()].slice(0, 40)) console.log(`  ${it}`);
  if (causes.size > 40) console.log(`  … ${causes.size} in all`);

  function count(what: string, key = what): void {
    if (!causes.has(what)) causes.set(what, key.length);
  }
}

/** The nodes that each manifest requires itself: as the lockfile records them, else by the manifest. */
function ownRoots(own: LockedGraph): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const named = tool?.nameOf?.(directory) ?? ((it: string) => it);
  for (const [importer, roots] of own.importers)
    found.set(
      named(importer),
      roots.map((it) => it.node),
    );
  if (found.size > 0) return found;
  for (const [importer, ids] of theirs.roots) {
    // Members are no findings of a manifest: their own manifests have them.
    for (const id of ids) if (theirs.roots.has(id) || !/@\d/.test(id)) ids.delete(id);
    const text = readFileSync(join(directory, importer, tool?.manifest ?? ''), 'utf8');
    const parsed = manifestFormats.find((it) => it.id === tool?.manifest)?.parse(text);
    const nodes = parsed?.dependencies.flatMap((it) => own.direct(it, importer)) ?? [];
    found.set(importer, [...new Set(nodes)]);
  }
  return found;
}

function releaseOf({ nodes }: LockedGraph, node: number): string {
  const { name: own = '', version = '', source } = nodes[node] ?? {};
  return source === 'workspace' ? own : `${own}@${version}`;
}

function ownDistances(own: LockedGraph, nodes: readonly number[]): Distances {
  const parents = new Int32Array(own.nodes.length).fill(-1);
  const found = new Map<string, number>();
  const far = new Map<number, number>();
  for (const node of new GraphSearch(own).from(nodes, parents)) {
    const distance = nodes.includes(node) ? 0 : (far.get(parents[node] ?? -1) ?? 0) + 1;
    far.set(node, distance);
    const release = releaseOf(own, node);
    if (!found.has(release)) found.set(release, distance);
  }
  return found;
}

function distances(
  { edges, releases }: Tree,
  from: readonly string[],
  brings: (from: string, to: string) => boolean,
): Distances {
  const far = new Map(from.map((it) => [it, 0]));
  const found = new Map<string, number>();
  for (const [id, distance] of far) {
    const release = releases.get(id) ?? id;
    if (!found.has(release)) found.set(release, distance);
    for (const to of edges.get(id) ?? []) {
      if (!far.has(to) && brings(release, releases.get(to) ?? to)) far.set(to, distance + 1);
    }
  }
  return found;
}

/** The tools do not print why a package requires another one: what brings nothing is left out by our kinds. */
function bringingIn(own: LockedGraph): (from: string, to: string) => boolean {
  const known = new Map<string, boolean>();
  for (const from of own.nodes.keys()) {
    for (let edge = own.firstEdge[from] ?? 0; edge < (own.firstEdge[from + 1] ?? 0); edge++) {
      const id = `${releaseOf(own, from)} → ${releaseOf(own, own.targets[edge] ?? 0)}`;
      const kind = edgeKinds[own.kinds[edge] ?? 0];
      known.set(id, known.get(id) === true || (kind !== undefined && bringing.has(kind)));
    }
  }
  return (from, to) => known.get(`${from} → ${to}`) ?? true;
}

function emptyTree(): Tree {
  return { edges: new Map(), roots: new Map(), releases: new Map() };
}

function add(to: Map<string, Set<string>>, from: string, id: string): void {
  const known = to.get(from);
  if (known) known.add(id);
  else to.set(from, new Set([id]));
}

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

interface NpmTree {
  readonly name?: string;
  readonly version?: string;
  readonly path?: string;
  readonly extraneous?: boolean;
  readonly dependencies?: Readonly<Record<string, NpmTree>>;
}

/** Members and what npm left behind are listed at the root, though nothing there requires them. */
function readNpm(cwd: string): Tree {
  const { packages } = JSON.parse(readFileSync(join(cwd, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Readonly<Record<string, object>> & { link?: boolean; resolved?: string }>>;
  };
  const tree = emptyTree();
  const places = new Map<string, string>();
  for (const [place, { link, resolved }] of Object.entries(packages)) {
    if (link && resolved !== undefined) places.set(place, resolved);
    if (!place.includes('node_modules/')) tree.roots.set(place, new Set());
  }
  visit('', JSON.parse(run(cwd, 'npm', 'ls', '--all', '--json', '--long', '--package-lock-only')) as NpmTree);
  return tree;

  function visit(from: string, { dependencies = {} }: NpmTree): void {
    for (const [key, it] of Object.entries(dependencies)) {
      if (it.version === undefined || it.extraneous || it.path === undefined) continue;
      const place = relative(cwd, it.path);
      const id = places.get(place) ?? place;
      if (from === '' && places.has(place) && !isRequired(key)) {
        visit(id, it);
        continue;
      }
      const isMember = tree.roots.has(id);
      tree.releases.set(id, isMember ? (it.name ?? key) : `${it.name ?? key}@${it.version}`);
      add(tree.roots.has(from) ? tree.roots : tree.edges, from, id);
      // Development dependencies of a member are among its own; the kinds leave them out further up.
      if (tree.roots.has(from)) add(tree.edges, from, id);
      visit(id, it);
    }
  }

  function isRequired(key: string): boolean {
    const root = packages[''] ?? {};
    return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].some(
      (group) => key in (root[group] ?? {}),
    );
  }
}

interface PnpmTree {
  readonly name?: string;
  readonly from?: string;
  readonly version?: string;
  readonly path?: string;
  readonly dependencies?: Readonly<Record<string, PnpmTree>>;
  readonly devDependencies?: Readonly<Record<string, PnpmTree>>;
  readonly optionalDependencies?: Readonly<Record<string, PnpmTree>>;
}

function readPnpm(cwd: string): Tree {
  const tree = emptyTree();
  const args = ['list', '--recursive', '--depth', 'Infinity', '--json', '--lockfile-only'];
  const projects = JSON.parse(run(cwd, 'pnpm', ...args)) as PnpmTree[];
  const members = new Map(projects.map((it) => [relative(cwd, it.path ?? ''), it.name ?? '']));
  for (const it of projects) visit(relative(cwd, it.path ?? ''), it, tree.roots);
  return tree;

  function visit(from: string, it: PnpmTree, into = tree.edges): void {
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = it;
    for (const [key, to] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      const path = to.path ?? '';
      const place = path.startsWith('/') ? relative(cwd, path) : path;
      const isMember = to.version?.startsWith('link:') === true;
      tree.releases.set(place, isMember ? (members.get(place) ?? key) : `${to.from ?? key}@${to.version}`);
      add(into, from, place);
      if (into === tree.roots && members.has(from)) add(tree.edges, from, place);
      visit(place, to);
    }
  }
}

/** `yarn info` of the later versions prints one object a line. */
function readYarn(cwd: string): Tree {
  const tree = emptyTree();
  for (const line of run(cwd, 'yarn', 'info', '-A', '-R', '--json').split('\n')) {
    if (line === '') continue;
    const it = JSON.parse(line) as { value: string; children: { Dependencies?: { locator: string }[] } };
    const from = idOf(it.value);
    const directoryOfMember = /workspace:(.*)$/.exec(it.value)?.[1];
    for (const { locator } of it.children.Dependencies ?? []) {
      add(tree.edges, from, idOf(locator));
      if (directoryOfMember !== undefined)
        add(tree.roots, directoryOfMember === '.' ? '' : directoryOfMember, idOf(locator));
    }
  }
  return tree;

  function idOf(locator: string): string {
    const [, own = '', reference = ''] = /^(@?[^@]+)@(.*)$/.exec(locator) ?? [];
    const member = /workspace:(.*)$/.exec(reference)?.[1];
    // With other peers it is an instance of its own, which requires the same.
    const id = member === undefined ? locator.replace(/virtual:[^#]*#/, '') : `${own}@workspace:${member}`;
    const version = /(?:::version=|npm:|npm%3A)([^#&:]+)/.exec(reference)?.[1];
    tree.releases.set(id, member === undefined ? `${own}@${version ?? reference}` : own);
    return id;
  }
}

/** Lines with their depth in front: `0app v0.1.0 (/path)`, `1clap v4.5.4`, `2anstream v0.6.14 (*)`. */
function readCargo(cwd: string): Tree {
  const flags = ['--target', 'all', '--all-features', '--prefix', 'depth', '--workspace', '--locked'];
  const text = run(cwd, 'cargo', 'tree', ...flags, '--edges', 'normal,build,dev');
  const tree = emptyTree();
  const members = new Map<string, string>();
  const lines = text.split('\n').map((it) => /^(\d+)(\S+) v(\S+)(.*)$/.exec(it) ?? []);
  for (const [, depth, crate = '', , rest = ''] of lines) {
    const path = /\((\/[^)]*)\)/.exec(rest)?.[1];
    if (depth === '0' && path !== undefined) members.set(crate, relative(cwd, path));
  }
  const path: string[] = [];
  for (const [, depth = '', crate = '', version = ''] of lines) {
    if (crate === '') continue;
    const isMember = members.has(crate);
    const id = isMember ? crate : `${crate}@${version}`;
    path.length = Number(depth);
    const from = path.at(-1);
    if (from !== undefined) {
      add(tree.edges, from, id);
      const member = members.get(from);
      if (member !== undefined) add(tree.roots, member, id);
    }
    path.push(id);
  }
  return tree;
}

/** Trees in lines: `├── flask v3.0.3`, `│   └── click v8.1.7 (*)`. */
function* drawn(text: string): Iterable<{ readonly level: number; readonly line: string }> {
  for (const it of text.split('\n')) {
    const begin = /^[\s│├└─|`-]*/.exec(it)?.[0].length ?? 0;
    if (it.length > begin) yield { level: begin / 4, line: it.slice(begin) };
  }
}

/** A package with extras is a package of its own. */
function readUv(cwd: string): Tree {
  const tree = emptyTree();
  const text = run(cwd, 'uv', 'tree', '--frozen', '--universal', '--all-groups', '--depth', '255', '--no-dedupe');
  const members = new Set<string>();
  for (const { level, line } of drawn(text)) if (level === 0) members.add(line.split(' ')[0] ?? '');
  const path: string[] = [];
  for (const { level, line } of drawn(text)) {
    const [, own = '', extras = '', version = ''] = /^([\w.-]+)(\[[^\]]*\])?(?: v(\S+))?/.exec(line) ?? [];
    const id = members.has(own) ? own : `${own}${extras}@${version}`;
    tree.releases.set(id, members.has(own) ? own : `${own}@${version}`);
    path.length = level;
    const from = path.at(-1);
    // What a group or an extra of a member requires, others do not get.
    const isOwn = from !== undefined && members.has(from);
    if (isOwn) add(tree.roots, from, id);
    if (from !== undefined && !(isOwn && /\((?:group|extra):/.test(line))) add(tree.edges, from, id);
    path.push(id);
  }
  return tree;
}

function uvProjects(cwd: string): (importer: string) => string {
  const names = new Map<string, string>();
  const text = readFileSync(join(cwd, 'uv.lock'), 'utf8');
  const project = /^name = "([^"]+)"\n(?:version = .*\n)?source = \{ (?:editable|virtual|directory) = "([^"]*)" \}/gm;
  for (const [, own = '', place = ''] of text.matchAll(project)) names.set(place === '.' ? '' : place, own);
  return (importer) => names.get(importer) ?? importer;
}

/** It prints a tree of each direct dependency, without extras. */
function readPoetry(cwd: string): Tree {
  const tree = emptyTree();
  const versions = new Map<string, string>();
  for (const it of run(cwd, 'poetry', 'show', '--all', '--no-ansi').split('\n')) {
    const [, key = '', own = ''] = /^(\S+)\s+(?:\(!\)\s+)?(\S+)/.exec(it) ?? [];
    if (key) versions.set(key, own);
  }
  const path: string[] = [];
  for (const { level, line } of drawn(run(cwd, 'poetry', 'show', '--tree', '--no-ansi'))) {
    const own = (/^([\w.-]+)/.exec(line)?.[1] ?? '').toLowerCase().replace(/[-_.]+/g, '-');
    const id = `${own}@${versions.get(own)}`;
    path.length = level;
    const from = path.at(-1);
    if (from === undefined) add(tree.roots, '', id);
    else add(tree.edges, from, id);
    path.push(id);
  }
  return tree;
}

if (!existsSync(join(directory, tool.manifest))) console.log(`no ${tool.manifest} beside it`);
