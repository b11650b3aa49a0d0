import type { LockedGraph } from '../../../model/graph/locked-graph.ts';
import type { Lockfile } from '../../../model/lockfile.ts';
import type { TomlLock } from '../../shared/toml-lock.ts';
import { tablesGraph } from './tables-graph.ts';

/** uv's lockfile. The root of the workspace is one of its packages. */
export function uvGraph(text: string, { sourceOf, registryOf }: TomlLock, locked: Lockfile['locked']): LockedGraph {
  const { graph } = tablesGraph(
    text,
    {
      array: 'package',
      sourceOf(fields) {
        const origin = new Map([['source', fields.get('source')?.replace(/^["']|["']$/g, '') ?? '']]);
        const source = sourceOf(origin);
        const directory = projectDirectory(origin.get('source') ?? '');
        if (source === 'registry') return { registry: registryOf?.(origin) };
        return { source: source === 'none' ? 'workspace' : source, directory };
      },
    },
    locked,
  );
  return graph;
}

/**
 * The directory of a project in the workspace; undefined for a published package.
 *
 *     { editable = "packages/member" }    { virtual = "." }    editable+packages/member
 */
export function projectDirectory(source: string): string | undefined {
  const [, path, older] =
    /^(?:\{\s*(?:editable|virtual|directory)\s*=\s*["']([^"']*)|(?:editable|virtual|directory)\+(.*))/.exec(source) ??
    [];
  return (path ?? older)?.replace(/^\.\/?/, '').replace(/\/$/, '');
}
