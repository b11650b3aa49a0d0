import { readFile, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileUri } from '../../base/uri.ts';
import { isCooldownFile } from '../../ecosystems/cooldowns.ts';
import { decode } from '../../formats/text/decode.ts';
import { filesBefore, type Revision } from '../../git/earlier-files.ts';
import { createFormerTexts, headOf } from '../../git/former-files.ts';
import { repositoryAbove } from '../../git/git-directory.ts';
import { createTrackedFiles } from '../../git/git-index.ts';
import type { Files } from '../../model/ports.ts';
import { projectFileName } from '../../model/project.ts';

/** What stood in the files of a repository that decide about findings, where a change of it began. */
export interface ChangeBase {
  /** The texts of all project files by URI, and of the settings files that may have a cooldown. */
  readonly projects: ReadonlyMap<string, string>;
  /** The text of another file; undefined if it did not exist. */
  text(path: string): string | undefined;
  /** The texts that any file may have had there; in another repository those of its last commit. */
  readonly former: NonNullable<Files['former']>;
}

/**
 * @param directory a folder in the repository
 * @param others absolute paths of further files in it
 * @param environment of this process
 * @returns undefined if the repository has none of the revisions
 */
export async function readChangeBase(
  directory: string,
  revisions: readonly Revision[],
  others: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ChangeBase | undefined> {
  const repository = await repositoryAbove(directory);
  if (repository === undefined) return undefined;
  const pathOf = (absolute: string): string => relative(repository, absolute).split(sep).join('/');
  const tracked = await createTrackedFiles()(repository);
  const real = await Promise.all(others.map((it) => realpath(it).catch(() => it)));
  // A file that the repository does not track is no part of its change.
  const untracked = [...new Set([...others, ...real])].filter((it) => !tracked.has(pathOf(it)));
  const named = new Set([...others, ...real].map(pathOf));
  const isWanted = (it: string): boolean =>
    named.has(it) || `/${it}`.endsWith(`/${projectFileName}`) || isCooldownFile(`/${it}`);
  const files = await filesBefore(repository, revisions, isWanted, environment);
  if (files === undefined) return undefined;
  const { commit } = files;
  const here = await realpath(repository);
  const former = createFormerTexts(
    (it) => decode(it).text,
    async (it) => (it === here ? { id: commit } : headOf(it)),
  );
  const texts = new Map([...files.texts].map(([path, bytes]) => [path, decode(bytes).text]));
  for (const it of untracked) {
    const bytes = await readFile(it).catch(() => undefined);
    if (bytes) texts.set(pathOf(it), decode(bytes).text);
  }
  const absolute = (path: string): string => join(repository, ...path.split('/'));
  return {
    // One that a command line names may have another name.
    projects: new Map([...texts].map(([path, text]) => [fileUri(absolute(path)), text])),
    text: (path) => texts.get(pathOf(path)),
    former: async (uri, isLike) => (uri.startsWith('file:') ? former(fileURLToPath(uri), isLike) : undefined),
  };
}
