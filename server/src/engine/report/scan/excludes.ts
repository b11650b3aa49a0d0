import { constants, open } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileUri } from '../../base/uri.ts';
import { formatOf } from '../../ecosystems/manifest-formats.ts';
import { decode } from '../../formats/text/decode.ts';
import { pathPatterns } from '../../git/path-patterns.ts';
import { projectFileName } from '../../model/project.ts';
import { MAX_PROJECT_FILE_LENGTH, readProjectFile } from '../../policy/project-file.ts';
import { type DisabledSystems, disabledBy, type NamesFor } from './disabled-systems.ts';

/** Which manifests are left out on request. */
export interface ExcludeOptions {
  /** Globs, relative to the working directory. */
  readonly patterns: readonly string[];
  /** The project file of all manifests, whose globs are relative to the working directory. */
  readonly projectFile?: string;
  /** The texts of project files, by URI, before a change, which excludes nothing more than they do. */
  readonly projectsBefore?: ReadonlyMap<string, string>;
  /** The systems whose manifests are left out, and what says so. */
  readonly disabled?: DisabledSystems;
  readonly namesFor?: NamesFor;
  /** Whether project files exclude manifests: not in a folder that the person does not trust, which could hide findings. */
  readonly isTrusted: boolean;
}

/** Reports what excludes a manifest: `--exclude`, or the path of a project file; undefined for nothing. */
export type ExcludedBy = (manifest: string, top: string) => Promise<string | undefined>;

type Matches = (path: string) => boolean;

/** @param directory the absolute path of the working directory */
export function createExcludes(
  { patterns, projectFile, projectsBefore, isTrusted, disabled, namesFor }: ExcludeOptions,
  directory: string,
): ExcludedBy {
  const byOption = matcherFor(patterns, directory);
  const known = new Map<string, Promise<Matches>>();
  const matcherIn = (file: string, top: string): Promise<Matches> => {
    const before = projectsBefore && excludesBefore(fileUri(file), projectsBefore);
    const reading =
      known.get(file) ??
      excludesIn(file).then((all) => matcherFor(before ? all.filter((it) => before.includes(it)) : all, top));
    known.set(file, reading);
    return reading;
  };
  return async (manifest, top) => {
    if (byOption(manifest)) return '--exclude';
    const off = disabledBy(formatOf(manifest.replaceAll(sep, '/'), namesFor?.(manifest)), disabled);
    if (off !== undefined) return off;
    if (!isTrusted) return undefined;
    const files: readonly (readonly [file: string, top: string])[] =
      projectFile === undefined
        ? foldersAbove(manifest, top).map((it) => [join(it, projectFileName), it] as const)
        : [[projectFile, directory]];
    for (const [file, from] of files) {
      if ((await matcherIn(file, from))(manifest)) return relative(directory, file).split(sep).join('/');
    }
    return undefined;
  };
}

function matcherFor(patterns: readonly string[], top: string): Matches {
  if (patterns.length === 0) return () => false;
  const matches = pathPatterns(patterns);
  return (path) => matches(relative(top, path).split(sep).join('/'));
}

function excludesBefore(uri: string, projects: ReadonlyMap<string, string>): readonly string[] {
  const text = projects.get(uri);
  return text === undefined ? [] : readProjectFile(uri, text).project.exclude;
}

/** The folders from that of a file up to the top. */
function foldersAbove(file: string, top: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(file); ; at = dirname(at)) {
    folders.push(at);
    if (at === top || at === dirname(at)) return folders;
  }
}

/** The globs of a project file; none where there is no plain file. Opening a pipe without a writer must not block. */
async function excludesIn(path: string): Promise<readonly string[]> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return [];
  try {
    const about = await file.stat();
    if (!about.isFile() || about.size > MAX_PROJECT_FILE_LENGTH) return [];
    return readProjectFile(fileUri(path), decode(await file.readFile()).text).project.exclude;
  } finally {
    await file.close();
  }
}
