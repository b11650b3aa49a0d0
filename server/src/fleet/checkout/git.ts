import { spawn } from 'node:child_process';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** The limits of one program. Chosen for the largest public repositories over a slow line. */
export const gitLimits = {
  /** In ms. */
  time: 10 * 60_000,
  /** What it may write to the disk, in bytes. */
  disk: 2 * 1024 * 1024 * 1024,
  /** How often that is measured, in ms. */
  interval: 500,
  /** Of its messages, in characters. */
  messages: 8_000,
} as const;

/** Runs git below one folder. */
export interface Git {
  /**
   * Runs a command to its end. Rejects with `GitError`.
   * @param input its standard input
   * @param read reads its standard output; without it the output is ignored
   */
  run<T>(args: readonly string[], options?: GitOptions<T>): Promise<T | undefined>;
}

export interface GitOptions<T> {
  readonly input?: string;
  readonly read?: (output: Readable) => Promise<T>;
}

/** The message is a clause for the person. */
export class GitError extends Error {
  /** Whether another try may succeed. */
  readonly isTransient: boolean;
  constructor(message: string, isTransient: boolean) {
    super(message);
    this.isTransient = isTransient;
  }
}

/** Variables that git, ssh and libcurl need. All others stay out: many of them name programs that git runs. */
const passedVariables = [
  ...['PATH', 'HOME', 'USER', 'TMPDIR', 'SSH_AUTH_SOCK', 'SYSTEMROOT'],
  ...['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'no_proxy', 'NO_PROXY', 'all_proxy', 'ALL_PROXY'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'],
] as const;

/** Settings that apply whatever a repository or a person has configured. Source: git-config. */
const settings: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.askPass': '',
  'core.gitProxy': '',
  'core.symlinks': 'false',
  'core.protectHFS': 'true',
  'core.protectNTFS': 'true',
  'credential.helper': '',
  'credential.interactive': 'false',
  'fetch.recurseSubmodules': 'false',
  'fetch.writeCommitGraph': 'false',
  'fetch.negotiationAlgorithm': 'noop',
  'filter.lfs.smudge': '',
  'filter.lfs.process': '',
  'filter.lfs.required': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'http.followRedirects': 'false',
  'protocol.version': '2',
  'submodule.recurse': 'false',
  'transfer.bundleURI': 'false',
  'transfer.credentialsInUrl': 'die',
  'log.showSignature': 'false',
};

/** Without questions, and only to hosts that are known. */
const ssh = [
  'ssh',
  ...['BatchMode=yes', 'StrictHostKeyChecking=yes', 'PermitLocalCommand=no'].map((it) => `-o${it}`),
  ...['ClearAllForwardings=yes', 'ForwardAgent=no', 'ForwardX11=no', 'ConnectTimeout=30'].map((it) => `-o${it}`),
].join(' ');

/**
 * git without the settings of a person, of the system, and of a repository; without hooks, filters, submodules, helpers
 * and questions.
 * @param directory what the program may fill; its size is limited
 * @param protocol the one that may be used: `https`, `ssh`, `file`
 */
export function createGit(
  directory: string,
  protocol: string,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Git {
  const passed = Object.fromEntries(passedVariables.map((it) => [it, environment[it]]));
  const env = {
    ...passed,
    LC_ALL: 'C',
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_ASKPASS: '',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_SSH_COMMAND: ssh,
    GIT_SSH_VARIANT: 'ssh',
    GIT_TERMINAL_PROMPT: '0',
  };
  const always = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return {
    async run(args, { input, read } = {}) {
      // In a group of its own, so that its helpers end with it.
      const child = spawn('git', [...always, ...args], {
        cwd: directory,
        env,
        detached: true,
        stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      });
      let ended: GitError | undefined;
      const end = (why: GitError): void => {
        ended ??= why;
        kill(child.pid);
      };
      const abort = (): void => end(new GitError('interrupted', true));
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
      const timer = setTimeout(() => end(new GitError('git took too long', true)), gitLimits.time);
      const watch = setInterval(async () => {
        const bytes = await sizeOf(directory, gitLimits.disk);
        if (bytes > gitLimits.disk) end(new GitError(`it has more than ${gitLimits.disk / 1024 ** 3} GiB`, false));
      }, gitLimits.interval);
      let messages = '';
      child.stderr?.setEncoding('utf8').on('data', (it: string) => {
        messages = (messages + it).slice(-gitLimits.messages);
      });
      // A program that has ended does not read.
      child.stdin?.on('error', () => {});
      child.stdin?.end(input);
      try {
        const exit = new Promise<number | null>((resolve, reject) => {
          child.once('error', (error: NodeJS.ErrnoException) =>
            reject(new GitError(error.code === 'ENOENT' ? 'git is not installed' : error.message, false)),
          );
          child.once('close', resolve);
        });
        const reading = child.stdout && read ? read(child.stdout) : child.stdout?.resume() && undefined;
        const [code, output] = await Promise.all([exit, reading]);
        if (ended) throw ended;
        if (code !== 0) throw errorFrom(messages);
        return output;
      } catch (error) {
        kill(child.pid);
        throw ended ?? error;
      } finally {
        clearTimeout(timer);
        clearInterval(watch);
        signal.removeEventListener('abort', abort);
      }
    },
  };
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Messages of git about what another try does not change. */
const permanent =
  /not found|does not exist|not appear to be a git repository|authentication failed|could not read username|permission denied|host key verification failed|transport '.*' not allowed|dubious ownership|invalid path|malformed|bad object|unable to update url base/i;

function errorFrom(messages: string): GitError {
  const lines = messages.split(/[\r\n]+/).filter((it) => it.trim() !== '');
  const said = lines.findLast((it) => /^(?:fatal|error):/.test(it)) ?? lines.at(-1) ?? 'git failed';
  return new GitError(`git: ${said.replace(/^(?:fatal|error):\s*/, '')}`, !permanent.test(messages));
}

/** The size of the files below a folder, or more than `most`. */
async function sizeOf(directory: string, most: number): Promise<number> {
  let bytes = 0;
  const queue = [directory];
  for (let next = queue.pop(); next !== undefined && bytes <= most; next = queue.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const it of entries) {
      const path = join(next, it.name);
      if (it.isDirectory()) queue.push(path);
      else bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
    }
  }
  return bytes;
}
