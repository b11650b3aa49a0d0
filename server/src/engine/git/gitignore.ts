import { constants, open } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore from 'ignore';

/** The ignore rules of git for files and directories. */
export interface GitIgnore {
  has(path: string, isDirectory: boolean): boolean;
  /** Adds the rules of a directory's own `.gitignore`. */
  within(directory: string): Promise<GitIgnore>;
}

/**
 * Reads the `.gitignore` files from the root of the repository down to a directory. If they ignore the directory
 * itself, which was an argument, the rules above it do not apply.
 */
export async function loadGitIgnore(directory: string, repository: string | undefined): Promise<GitIgnore> {
  const above: string[] = [];
  if (repository !== undefined) {
    for (let at = directory; at !== repository && at !== dirname(at); at = dirname(at)) above.unshift(dirname(at));
  }
  let ignored: GitIgnore = layers([]);
  for (const [at, it] of above.entries()) {
    ignored = await ignored.within(it);
    if (ignored.has(above[at + 1] ?? directory, true)) return layers([]);
  }
  return ignored;
}

interface Layer {
  readonly directory: string;
  readonly rules: ReturnType<typeof ignore>;
}

function layers(all: readonly Layer[]): GitIgnore {
  return {
    has(path, isDirectory) {
      // The nearest file with a matching rule decides.
      for (const { directory, rules } of all.toReversed()) {
        const inside = relative(directory, path).split(sep).join('/');
        if (inside === '' || !ignore.isPathValid(inside)) continue;
        const { ignored, unignored } = rules.test(isDirectory ? `${inside}/` : inside);
        if (ignored || unignored) return ignored;
      }
      return false;
    },
    async within(directory) {
      const text = await rulesIn(join(directory, '.gitignore'));
      return text.trim() === '' ? this : layers([...all, { directory, rules: ignore().add(text) }]);
    },
  };
}

/** In bytes. Handwritten `.gitignore` files are a few kilobytes; a larger file is not one. */
const MAX_BYTES = 1024 * 1024;

/** The text of a plain file; `''` where there is none. Opening a pipe without a writer must not block. */
async function rulesIn(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return '';
  try {
    const about = await file.stat();
    return about.isFile() && about.size <= MAX_BYTES ? await file.readFile('utf8') : '';
  } finally {
    await file.close();
  }
}
