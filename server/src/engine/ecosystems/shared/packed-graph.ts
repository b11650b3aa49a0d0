import type { GraphOfLockfile, LockedGraph, LockedNode } from '../../model/graph/locked-graph.ts';
import type { Lockfile } from '../../model/lockfile.ts';
import type { Dependency } from '../../model/manifest.ts';
import { directByVersion } from './graph-builder.ts';

/** A graph on its way from another thread: few large values, since each object costs time on both sides. */
export interface PackedGraph extends Omit<LockedGraph, 'nodes' | 'direct'> {
  /** By field of the nodes: the values of all of them, `''` for none, with a separator between them. */
  readonly columns: Readonly<Record<keyof LockedNode, string>>;
}

/** In no name, version or address. */
const SEPARATOR = '\0';
/** Nodes made between two pauses: some ms. */
const NODES_PER_TURN = 5000;

export function packGraph({ nodes, direct: _, ...graph }: LockedGraph): PackedGraph {
  const column = (field: keyof LockedNode): string =>
    nodes.map((it) => String(it[field] ?? '').replaceAll(SEPARATOR, '')).join(SEPARATOR);
  return {
    ...graph,
    columns: {
      name: column('name'),
      version: column('version'),
      source: column('source'),
      registry: column('registry'),
      condition: column('condition'),
      only: column('only'),
      hasInstallScript: column('hasInstallScript'),
      extra: column('extra'),
    },
  };
}

/** Yields after some ms of work. `lockfile` finds a direct dependency that the file does not record as one. */
export function* unpackGraph(
  { columns, ...graph }: PackedGraph,
  { locked }: Pick<Lockfile, 'locked'>,
): Generator<void, LockedGraph> {
  const values: Partial<Record<keyof LockedNode, readonly string[]>> = {};
  for (const field of Object.keys(columns) as (keyof LockedNode)[]) {
    values[field] = columns[field].split(SEPARATOR);
    yield;
  }
  const valueAt = (field: keyof LockedNode, at: number): string | undefined => values[field]?.[at] || undefined;
  const nodes: LockedNode[] = [];
  for (let at = 0; at < graph.releases.length; at++) {
    nodes.push({
      name: values.name?.[at] ?? '',
      version: values.version?.[at] ?? '',
      source: valueAt('source', at) as LockedNode['source'],
      registry: valueAt('registry', at),
      condition: valueAt('condition', at),
      only: valueAt('only', at) as LockedNode['only'],
      hasInstallScript: flags[valueAt('hasInstallScript', at) ?? ''],
      extra: valueAt('extra', at),
    });
    if (at % NODES_PER_TURN === NODES_PER_TURN - 1) yield;
  }
  const find = directByVersion(nodes, graph.importers, locked);
  return {
    ...graph,
    nodes,
    direct: (dependency, importer) => ofItsEnvironments(find(dependency, importer), dependency, nodes),
  };
}

const flags: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Where the condition of a dependency names environments of the lockfile, the nodes in those alone. */
function ofItsEnvironments(
  found: readonly number[],
  { condition = '' }: Dependency,
  nodes: readonly LockedNode[],
): readonly number[] {
  if (condition === '' || found.length < 2) return found;
  const lower = condition.toLowerCase();
  const named = found.filter((it) => lower.includes(`'${(nodes[it]?.condition ?? '\0').toLowerCase()}'`));
  return named.length > 0 ? named : found;
}

/** What the thread answers. */
export type PackedAnswer = PackedGraph | Extract<GraphOfLockfile, string>;
