import { byText } from '../../base/text.ts';
import { directoryOf, pathOf, relativeTo, upwardFrom } from '../../base/uri.ts';
import { formatOf, manifestFormats, patternOf } from '../../ecosystems/manifest-formats.ts';
import { pathPatterns } from '../../git/path-patterns.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import { type Files, textOf, UnlistedFolders, withListings } from '../../model/ports.ts';
import { projectFileName } from '../../model/project.ts';
import { readProjectFile } from '../../policy/project-file.ts';
import { disabledBy } from './disabled-systems.ts';
import { type FindFolderManifests, MAX_MANIFESTS } from './folder-manifests.ts';

/** Files that are looked at in one search, including those whose content is not a manifest. */
const MAX_FOUND = 20_000;
/** Files that are read at a time. */
const MAX_CONCURRENT = 50;

/** The paths of all manifests, without lockfiles and BOMs, which repeat what manifests declare. */
const manifestPaths = manifestFormats
  .flatMap((it) => (it.record === undefined ? [`(?:${it.files.source})`] : []))
  .join('|');

/**
 * Finds manifests through the port of files, where there is no disk. An editor's file system lists what is in the
 * repository, so no `.gitignore` is read. Folders of packages and of built files are skipped.
 */
export function findManifestsThrough(all: Files): FindFolderManifests {
  return async (folders, isTrusted, disabled, namesFor = () => []) => {
    const files = withListings(all);
    const found = new Set<string>();
    const unlisted: string[] = [];
    for (const it of folders) {
      const own = patternOf(namesFor(it));
      // Some formats do not distinguish the case of their names. `formatOf` decides.
      const paths = new RegExp(own === '' ? manifestPaths : `${manifestPaths}|${own}`, 'i');
      const uris = await files.find(it, paths, MAX_FOUND).catch((error: unknown) => {
        if (!(error instanceof UnlistedFolders)) throw error;
        unlisted.push(...error.folders);
        return error.found;
      });
      for (const uri of uris) found.add(uri);
    }
    const formatAt = (uri: string): ManifestFormat | undefined => formatOf(pathOf(uri), namesFor(uri));
    const candidates = [...found].filter((it) => formatAt(it)?.record === undefined).sort(byText);
    const excludes = createExcludes(files, folders);
    const manifests: string[] = [];
    const closed = [...unlisted];
    const excludedBy = new Map<string, number>();
    const base = commonDirectory(folders);
    for (let from = 0; from < candidates.length; from += MAX_CONCURRENT) {
      const some = candidates.slice(from, from + MAX_CONCURRENT);
      const states = await Promise.all(some.map((uri) => stateOf(uri, formatAt(uri), files)));
      for (const [at, uri] of some.entries()) {
        const state = states[at];
        if (state === 'other') continue;
        const by = disabledBy(formatAt(uri), disabled) ?? (isTrusted ? await excludes(uri) : undefined);
        if (by !== undefined) excludedBy.set(by, (excludedBy.get(by) ?? 0) + 1);
        else if (state === 'closed') closed.push(uri);
        else manifests.push(uri);
      }
    }
    return {
      base,
      manifests: manifests.slice(0, MAX_MANIFESTS),
      left: Math.max(0, manifests.length - MAX_MANIFESTS),
      closed,
      excluded: 0,
      aside: [],
      excludedBy: [...excludedBy].map(([by, count]) => ({ by: relativeTo(base, by) ?? by, count })),
    };
  };
}

/** `other`: its content does not fit its name, or it was deleted in the meantime. */
async function stateOf(
  uri: string,
  format: ManifestFormat | undefined,
  files: Files,
): Promise<'manifest' | 'closed' | 'other'> {
  const begins = format?.begins;
  if (begins === undefined) return 'manifest';
  const found = await (files.tryRead ?? files.read)(uri);
  if (found === undefined) return 'other';
  if (typeof found !== 'string') return 'closed';
  return begins.test(found) ? 'manifest' : 'other';
}

/** Reports the project file that excludes a manifest. */
function createExcludes(files: Files, folders: readonly string[]): (uri: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<(path: string) => boolean>>();
  async function matcherIn(directory: string): Promise<(path: string) => boolean> {
    const uri = directory + projectFileName;
    const text = textOf(await (files.tryRead ?? files.read)(uri));
    const patterns = text === undefined ? [] : readProjectFile(uri, text).project.exclude;
    return patterns.length === 0 ? () => false : pathPatterns(patterns);
  }
  return async (uri) => {
    for (const directory of upwardFrom(directoryOf(uri))) {
      if (!folders.some((it) => relativeTo(it, directory) !== undefined)) return undefined;
      const matching = known.get(directory) ?? matcherIn(directory);
      known.set(directory, matching);
      if ((await matching)(relativeTo(directory, uri) ?? '')) return directory + projectFileName;
    }
    return undefined;
  };
}

/** The nearest common directory; the first folder if they are on several file systems. */
function commonDirectory(folders: readonly string[]): string {
  const [first = ''] = folders;
  for (const it of upwardFrom(first)) {
    if (folders.every((folder) => relativeTo(it, folder) !== undefined)) return it;
  }
  return first;
}
