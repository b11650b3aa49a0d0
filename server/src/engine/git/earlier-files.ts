import { execFile } from 'node:child_process';
import { dirname } from 'node:path';

/** In bytes. The paths of the largest public repositories take some 60 MB. */
const MAX_OUTPUT = 256 * 1024 * 1024;
/** In ms. Local commands take far less. */
const MAX_TIME = 60_000;

/** A commit to look for. */
export interface Revision {
  /** As `git rev-parse` takes it: `refs/remotes/origin/main`. */
  readonly name: string;
  /** It means something only if this is the commit that is checked out. */
  readonly ifHead?: string;
}

/** Some files of a commit, by their paths. */
export interface EarlierFiles {
  readonly commit: string;
  readonly texts: ReadonlyMap<string, Buffer>;
}

/**
 * Reads files as they were where a change began: at the common ancestor of HEAD and of the first revision that the
 * repository has; at that revision itself in a shallow clone.
 * @param isWanted by the path from the root of the repository, with `/`
 * @param environment of this process
 * @returns undefined if the repository has no such revision, or git cannot be used
 */
export async function filesBefore(
  repository: string,
  revisions: readonly Revision[],
  isWanted: (path: string) => boolean,
  environment: Environment,
): Promise<EarlierFiles | undefined> {
  const git = (...args: readonly string[]): Promise<Buffer> => runGit(repository, args, environment);
  const commitOf = async (name: string): Promise<string | undefined> => {
    const found = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`).catch(() => '');
    return found.toString().trim() || undefined;
  };
  try {
    const head = await commitOf('HEAD');
    for (const { name, ifHead } of revisions) {
      const tip = ifHead === undefined || ifHead === head ? await commitOf(name) : undefined;
      if (tip === undefined) continue;
      const common = await git('merge-base', tip, 'HEAD').catch(() => undefined);
      const commit = common?.toString().trim() || tip;
      const listed = await git('ls-tree', '-r', '-z', '--full-tree', '--name-only', commit);
      const paths = listed.toString().split('\0').filter(isWanted);
      const texts = await Promise.all(paths.map((it) => git('cat-file', 'blob', `${commit}:${it}`)));
      return { commit, texts: new Map(paths.map((it, at) => [it, texts[at] ?? Buffer.alloc(0)])) };
    }
  } catch {
    // git is not installed, or refuses a repository of another user.
  }
  return undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that git needs. All others stay out: some name another repository or programs that git runs. */
const passedVariables = ['PATH', 'HOME', 'USERPROFILE', 'SYSTEMROOT', 'TMPDIR'] as const;

/** Only reads objects that are there: nothing is fetched, written, asked or replaced. */
function runGit(repository: string, args: readonly string[], environment: Environment): Promise<Buffer> {
  const passed = {
    ...Object.fromEntries(passedVariables.map((it) => [it, environment[it]])),
    GIT_NO_LAZY_FETCH: '1',
    // Older versions of git ask a place of missing objects nevertheless, which may be a program.
    GIT_ALLOW_PROTOCOL: '',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      ['-C', repository, ...args],
      {
        // Windows looks for programs in the current folder first, which may contain a stranger's.
        cwd: dirname(process.execPath),
        env: passed,
        encoding: 'buffer',
        maxBuffer: MAX_OUTPUT,
        timeout: MAX_TIME,
        windowsHide: true,
      },
      (error, output) => (error ? reject(error) : resolve(output)),
    );
  });
}
