import type { GraphOfLockfile } from '../../../model/graph/locked-graph.ts';
import type { Lockfile } from '../../../model/lockfile.ts';
import type { TomlLock } from '../../shared/toml-lock.ts';
import { tablesGraph } from './tables-graph.ts';

/** The lockfile of PEP 751. Tools may leave out what packages require, as pip and uv do. */
export function pylockGraph(
  text: string,
  { sourceOf, registryOf }: TomlLock,
  locked: Lockfile['locked'],
): GraphOfLockfile {
  const { graph, hasRequirements } = tablesGraph(
    text,
    {
      array: 'packages',
      sourceOf(fields) {
        // `archive.url = …`, `archive = { … }` and the table `[packages.archive]` are the same.
        const origin = new Map<string, string>();
        for (const [key, value] of fields) {
          origin.set(key.replace(/\..*$/s, ''), '');
          origin.set(key, value.replace(/^["']|["']$/g, ''));
        }
        const source = sourceOf(origin);
        return source === 'registry'
          ? { registry: registryOf?.(origin) }
          : { source: source === 'none' ? 'path' : source };
      },
    },
    locked,
  );
  return hasRequirements ? graph : 'unrecorded';
}
