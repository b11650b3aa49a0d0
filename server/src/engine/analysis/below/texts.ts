import type { LockedGraph } from '../../model/graph/locked-graph.ts';
import type { VersionKey } from '../../model/keys.ts';

/** Names of a path that are shown. The first two and the last are enough to find the way. */
const MAX_STEPS = 5;

/** `qs 6.11.0` */
export function releaseText({ name, version }: Pick<VersionKey, 'name' | 'version'>): string {
  return `${name} ${version}`;
}

/**
 * The way from a direct dependency to what it brings: `express → body-parser → qs 6.11.0`.
 * @param path its nodes
 * @param name the direct dependency, as its manifest names it
 */
export function pathText({ nodes }: Pick<LockedGraph, 'nodes'>, path: readonly number[], name: string): string {
  const between = path.slice(1, -1).map((it) => nodes[it]?.name ?? '');
  const room = MAX_STEPS - 2;
  const shown = between.length <= room ? between : [...between.slice(0, room - 2), '…', ...between.slice(-1)];
  const target = nodes[path.at(-1) ?? 0];
  return [name, ...shown, ...(target ? [releaseText(target).trim()] : [])].join(' → ');
}
