import { placeInLockfile } from '../../../server/src/engine/analysis/brought.ts';
import { graphReader } from '../../../server/src/engine/analysis/graphs.ts';
import { pypi } from '../../../server/src/engine/ecosystems/python/versions.ts';
import type { EvaluatedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import type { LockedGraph } from '../../../server/src/engine/model/graph/locked-graph.ts';
import { openLab } from '../../harness/lab.ts';
import { canonical, type Locked } from './python-clients.ts';
import { indexHost, type PythonProject } from './python-projects.ts';

/** What a client said of a project. */
export interface Recorded extends Locked {
  readonly seed: number;
}

interface Comparison {
  /** Equal ones, and all. */
  readonly withLockfile: readonly number[];
  readonly without: readonly number[];
  readonly graph: readonly number[];
  readonly notes: readonly string[];
  /** Of a project that the client refuses: the engine says for some dependency that there is no version. */
  readonly isForeseen: boolean;
}

/** Holds what the engine says of a project with and without its lockfile against what the client did. */
export async function compareWith(project: PythonProject, locked: Locked | string): Promise<Comparison> {
  const notes: string[] = [];
  const without = await answersTo(project);
  if (typeof locked === 'string') {
    const isForeseen = [...without.direct].some(([name, it]) => it === 'no-match' || isYanked(project, name, it));
    return { withLockfile: [0, 0], without: [0, 0], graph: [0, 0], notes, isForeseen };
  }
  const active = new Set(project.active.map(canonical));
  const compare = (what: string, said: ReadonlyMap<string, string>): number[] => {
    let [equal, all] = [0, 0];
    for (const [name, ours] of said) {
      const theirs = locked.versions[name];
      if (theirs === undefined || !active.has(name)) continue;
      all++;
      if (theirs.some((it) => pypi.compare(it, ours) === 0)) equal++;
      else notes.push(`${what} ${name}: ${theirs.join(' ')} is locked, we say ${ours}`);
    }
    return [equal, all];
  };
  const predicted = compare('without', without.direct);
  if (locked.lockfile === undefined)
    return { withLockfile: [0, 0], without: predicted, graph: [0, 0], notes, isForeseen: false };
  const withLockfile = await answersTo(project, locked.lockfile);
  const graph = [0, 0];
  for (const [root, ours] of withLockfile.brought) {
    const name = root.replace(/\[.*/, '');
    if (locked.versions[name] === undefined || !active.has(name)) continue;
    const theirs = required(project, locked, root).join(' ');
    graph[1] = (graph[1] ?? 0) + 1;
    if (theirs === ours.join(' ')) graph[0] = (graph[0] ?? 0) + 1;
    else notes.push(`brought by ${root}: ${theirs} is locked, we say ${ours.join(' ')}`);
  }
  const found = compare('with lockfile', withLockfile.direct);
  return { withLockfile: found, without: predicted, graph, notes, isForeseen: false };
}

interface Answers {
  readonly direct: ReadonlyMap<string, string>;
  /** By name, with the extra: `name@version` of everything below. */
  readonly brought: ReadonlyMap<string, readonly string[]>;
}

const rules = /^(?:build|constraint|override)-?(?:constraint|dependencies|system)/;

async function answersTo(
  { universe, files, manifest, client }: PythonProject,
  lockfile?: Locked['lockfile'],
): Promise<Answers> {
  const catalog = Object.fromEntries(
    Object.entries(universe).map(([name, versions]) => {
      const usable = Object.keys(versions).filter((it) => !versions[it]?.isYanked);
      const best = pypi.pick('', usable.length > 0 ? usable : Object.keys(versions));
      const entries = Object.entries(versions).map(([version, { isYanked }]) => [
        pypi.canonical(version),
        { ...(isYanked && { deprecated: 'yanked' }), ...(version === best && { isDefault: true }) },
      ]);
      return [`PYPI ${canonical(name)}`, { versions: Object.fromEntries(entries) }];
    }),
  );
  const texts = new Map(Object.entries(files));
  if (lockfile) texts.set(lockfile.name, lockfile.text);
  const lab = await openLab(texts, catalog, { publicRegistries: [new URL(indexHost).host] });
  try {
    const snapshot = await lab.settled(manifest);
    const direct = new Map<string, string>();
    const brought = new Map<string, readonly string[]>();
    const graphOf = graphReader(undefined);
    const narrowing = new Set(snapshot.chain.constraints.map((it) => it.uri));
    const all = [snapshot, ...snapshot.included.filter((it) => !narrowing.has(it.uri))].flatMap(
      (it) => it.dependencies,
    );
    for (const it of all) {
      const { dependency, key } = it.linked;
      if (rules.test(dependency.group ?? '') || dependency.scope === 'build') continue;
      direct.set(key.name, saidOf(it));
      const place = lockfile && placeInLockfile({ uri: snapshot.uri, lockfiles: snapshot.lockfiles, graphOf }, it);
      // Pipenv records no requirements; what an extra of a line of requirements brings is one with its package.
      if (!place || place.nodes.length === 0) continue;
      const extras = client === 'pip-tools' ? '' : (dependency.extras ?? []).map((one) => `[${one}]`).join('');
      brought.set(`${key.name}${extras}`, namesBelow(place.graph, place.nodes));
    }
    return { direct, brought };
  } finally {
    await lab.close();
  }
}

function saidOf({ resolution }: EvaluatedDependency): string {
  return resolution.kind === 'version' ? resolution.version : resolution.kind;
}

export function namesBelow({ nodes, firstEdge, targets }: LockedGraph, from: readonly number[]): string[] {
  const found = new Set(from);
  for (const node of found)
    for (let edge = firstEdge[node] ?? 0; edge < (firstEdge[node + 1] ?? 0); edge++) found.add(targets[edge] ?? 0);
  for (const it of from) found.delete(it);
  const own = new Set(from.map((it) => nodes[it]?.name));
  const names = [...found].filter((it) => !own.has(nodes[it]?.name));
  return [...new Set(names.map((it) => `${nodes[it]?.name}@${nodes[it]?.version}`))].sort();
}

const requirement = /^([\w.-]+?)\s*((?:[=<>!~][^;]*)?)(?:;\s*(.*))?$/;

interface Edge {
  readonly name: string;
  readonly range: string;
  readonly marker: string;
}

function edgesOf({ universe }: PythonProject, name: string, version: string): Edge[] {
  const found = Object.entries(universe).find(([it]) => canonical(it) === name)?.[1] ?? {};
  const release = Object.entries(found).find(([it]) => pypi.compare(it, version) === 0)?.[1];
  return (release?.requires ?? []).map((it) => {
    const [, to = '', range = '', marker = ''] = requirement.exec(it) ?? [];
    return { name: canonical(to), range: range.trim(), marker };
  });
}

/** What only withdrawn versions satisfy is shown as one of them, with its finding. */
function isYanked({ universe }: PythonProject, name: string, version: string): boolean {
  const versions = Object.entries(universe).find(([it]) => canonical(it) === name)?.[1] ?? {};
  return Object.entries(versions).some(([it, release]) => release.isYanked && pypi.compare(it, version) === 0);
}

/** What a locked package requires, and so on, by the metadata of the index. */
function required(project: PythonProject, { versions }: Locked, root: string): string[] {
  const name = root.replace(/\[.*/, '');
  const isCompiled = project.client === 'pip-tools';
  const found = new Set<string>();
  const open = (versions[name] ?? []).map((version) => ({ name, version, hasExtra: root.includes('[') || isCompiled }));
  for (const at of open) {
    for (const edge of edgesOf(project, at.name, at.version)) {
      const isExtra = edge.marker.includes('extra');
      if (isExtra && !(at.hasExtra && isRequired(project, at.name))) continue;
      if (!isExtra && /3\.5/.test(edge.marker) && edge.marker.includes('<')) continue;
      if (isCompiled && edge.marker === "sys_platform == 'win32'") continue;
      for (const version of versions[edge.name] ?? []) {
        const id = `${edge.name}@${version}`;
        if (!found.has(id)) open.push({ name: edge.name, version, hasExtra: isCompiled });
        found.add(id);
      }
    }
  }
  return [...found].filter((it) => !it.startsWith(`${name}@`)).sort();
}

/** Whether the project requires the extra of a package. */
function isRequired({ files, client }: PythonProject, name: string): boolean {
  if (client !== 'pip-tools') return true;
  return Object.values(files).some((text) =>
    text.split('\n').some((it) => it.includes('[more]') && canonical(it.slice(0, it.indexOf('['))) === name),
  );
}
