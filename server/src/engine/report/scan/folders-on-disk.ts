import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileUri } from '../../base/uri.ts';
import { findManifests } from './find-manifests.ts';
import { type FindFolderManifests, MAX_MANIFESTS } from './folder-manifests.ts';

/** The same search as in the terminal. */
export const findManifestsOnDisk: FindFolderManifests = async (folders, isTrusted, disabled, namesFor) => {
  const paths = folders.flatMap(pathsOf);
  const base = baseOf(paths);
  const exclude = { patterns: [], isTrusted, ...(disabled && { disabled }) };
  const found = await findManifests(paths, base, {
    withRecords: false,
    exclude,
    ...(namesFor && { namesFor: (path) => namesFor(fileUri(path)) }),
  });
  const { files, closed, excluded, aside, hidden, excludedBy } = found;
  const looked = files.slice(0, MAX_MANIFESTS);
  return {
    base: `${fileUri(base)}/`.replace(/\/\/$/, '/'),
    manifests: looked.map(fileUri),
    left: files.length - looked.length,
    closed: closed.map(fileUri),
    excluded,
    aside: aside.map(fileUri),
    hidden: hidden.map(fileUri),
    excludedBy,
  };
};

/** Empty for a folder on another machine, or with an invalid path. */
function pathsOf(folder: string): string[] {
  try {
    return [fileURLToPath(folder)];
  } catch {
    return [];
  }
}

/** The nearest common directory. */
function baseOf(paths: readonly string[]): string {
  const [first = sep, ...others] = paths.map((it) => it.replace(/(?<=.)[\\/]$/, ''));
  let base = first;
  while (!others.every((it) => it === base || it.startsWith(base.endsWith(sep) ? base : base + sep))) {
    if (base === dirname(base)) break;
    base = dirname(base);
  }
  return base;
}
