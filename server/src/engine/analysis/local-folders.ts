import { directoryOf, relativeTo, resolveUri } from '../base/uri.ts';
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

/**
 * The hidden folders of some manifests that the text of another one names, in a script for example.
 *
 *     "postinstall": "npm ci --prefix .tools"
 */
export function hiddenFoldersIn(
  { uri, texts }: Pick<Snapshot, 'uri' | 'texts'>,
  manifests: readonly string[],
): readonly string[] {
  const text = texts.get(uri) ?? '';
  return [...new Set(manifests.map(directoryOf))].filter((folder) => {
    const path = relativeTo(directoryOf(uri), folder)?.replace(/\/$/, '') ?? '';
    if (!/(?:^|\/)\./.test(path)) return false;
    const at = text.indexOf(path);
    return at >= 0 && new RegExp(`(?<![\\w.])${path.replace(/[^\w/-]/g, '\\$&')}(?![\\w-])`).test(text);
  });
}
