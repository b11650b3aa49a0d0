import { directoryOf, resolveUri } from '../base/uri.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * The folders that a manifest takes packages from, with their final slash.
 *
 *     "a": "file:lib/a"        a = { path = "lib/a" }        use ./lib/a
 */
export function localFoldersOf({ chain, texts }: Pick<Snapshot, 'chain' | 'texts'>): readonly string[] {
  return [...chain.files.slice(0, 1), ...chain.included].flatMap(({ uri, manifest }) => {
    const written = manifest.dependencies.flatMap(({ requirement }) =>
      requirement.kind === 'source' && requirement.source === 'path'
        ? [texts.get(uri)?.slice(requirement.span.start, requirement.span.end) ?? '']
        : [],
    );
    const paths = written.map((it) => it.replace(/^["']?(?:file|link|portal|workspace):|["'/]+$|^["']/g, ''));
    return [...paths, ...(manifest.members ?? [])]
      .filter((it) => it !== '')
      .map((it) => resolveUri(directoryOf(uri), `${it.replaceAll('\\', '/')}/`));
  });
}
