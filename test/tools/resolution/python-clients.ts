import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { indexHost, type PythonClient, type PythonProject } from './python-projects.ts';

/** In ms. */
const PATIENCE = 120_000;

/** What a client has locked or would install. */
export interface Locked {
  /** Absent where the client writes none. */
  readonly lockfile?: { readonly name: string; readonly text: string };
  /** By canonical name. Several where they are for different environments. */
  readonly versions: Readonly<Record<string, readonly string[]>>;
}

export const canonical = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

/**
 * Has the client lock or resolve a project; a text where it refuses.
 * @param programs a folder with a virtual environment for each client, by its name
 */
export async function lock(project: PythonProject, index: string, programs: string): Promise<Locked | string> {
  const { client, files, manifest } = project;
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'resolution-')));
  try {
    const [folder, home] = [join(root, 'project'), join(root, 'home')];
    mkdirSync(home);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text.replaceAll(indexHost, index));
    }
    const program = (name: string): string => join(programs, client, 'bin', name);
    const name = lockfileOf(client, manifest);
    const commands: Readonly<Record<PythonClient, readonly string[]>> = {
      pip: [
        ...[program('python'), '-m', 'pip', 'install', '--dry-run', '--ignore-installed', '--quiet', '--no-cache-dir'],
        ...['--report', join(root, 'report.json'), '-r', manifest],
      ],
      'pip-tools': [program('pip-compile'), '--quiet', '--no-emit-index-url', '--no-emit-find-links', manifest],
      uv: [program('uv'), 'lock', '--no-progress', '--python', program('python')],
      poetry: [program('poetry'), 'lock', '--no-interaction'],
      pdm: [program('pdm'), 'lock', '--quiet'],
      pipenv: [program('pipenv'), 'lock', '--quiet', '--python', program('python')],
    };
    const env = environment(home, index, program('python'));
    const { ok, output } = await run(commands[client], folder, env);
    if (!ok) return output;
    if (client === 'pip') return { versions: reported(readFileSync(join(root, 'report.json'), 'utf8')) };
    if (!existsSync(join(folder, name))) return `no ${name}\n${output}`;
    const text = readFileSync(join(folder, name), 'utf8').replaceAll(index, indexHost);
    return { lockfile: { name, text }, versions: versionsIn(client, text) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function lockfileOf(client: PythonClient, manifest: string): string {
  const names = { uv: 'uv.lock', poetry: 'poetry.lock', pdm: 'pdm.lock', pipenv: 'Pipfile.lock' };
  return client in names ? names[client as keyof typeof names] : manifest.replace(/\.in$/, '.txt');
}

function environment(home: string, index: string, python: string): Readonly<Record<string, string>> {
  return {
    PATH: `${dirname(python)}:/usr/bin:/bin`,
    HOME: home,
    LANG: 'C.UTF-8',
    PIP_CONFIG_FILE: '/dev/null',
    PIP_INDEX_URL: `${index}/simple/`,
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    UV_DEFAULT_INDEX: `${index}/simple/`,
    UV_CACHE_DIR: join(home, 'uv'),
    UV_PYTHON_DOWNLOADS: 'never',
    UV_NO_WRAP: '1',
    PDM_PYPI_URL: `${index}/simple`,
    PDM_CHECK_UPDATE: 'false',
    PDM_IGNORE_SAVED_PYTHON: '1',
    POETRY_CACHE_DIR: join(home, 'poetry'),
    POETRY_VIRTUALENVS_CREATE: 'false',
    POETRY_KEYRING_ENABLED: 'false',
    PIPENV_CACHE_DIR: join(home, 'pipenv'),
    PIPENV_VENV_IN_PROJECT: '1',
    PIPENV_NOSPIN: '1',
    VIRTUAL_ENV: dirname(dirname(python)),
  };
}

function run(
  [command = '', ...args]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly ok: boolean; readonly output: string }> {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: PATIENCE });
    let output = '';
    for (const it of [child.stdout, child.stderr]) it.on('data', (data) => (output += data));
    child.on('error', (error) => done({ ok: false, output: String(error) }));
    child.on('close', (code) => done({ ok: code === 0, output }));
  });
}

function reported(text: string): Record<string, string[]> {
  const report = JSON.parse(text) as { readonly install: { metadata: { name: string; version: string } }[] };
  return grouped(report.install.map(({ metadata }) => [metadata.name, metadata.version]));
}

/** Without the readers of the engine. */
function versionsIn(client: PythonClient, text: string): Record<string, string[]> {
  switch (client) {
    case 'pipenv': {
      const lock = JSON.parse(text) as Record<string, Record<string, { version?: string; file?: string }>>;
      const all = [...Object.entries(lock['default'] ?? {}), ...Object.entries(lock['develop'] ?? {})];
      return grouped(all.map(([name, it]) => [name, it.version?.slice(2) ?? versionAt(it.file ?? '')]));
    }
    case 'pip-tools':
      return grouped(
        [...text.matchAll(/^([\w.-]+)(?:\[.*?\])?(?:==(\S+)| @ (\S+))/gm)].map(
          ([, name = '', version, address = '']) => [name, version ?? versionAt(address)],
        ),
      );
    default:
      return grouped(
        text.split(/^\[\[package\]\]$/m).flatMap((it) => {
          const [, name] = /^name = "(.*)"$/m.exec(it) ?? [];
          const [, version = ''] = /^version = "(.*)"$/m.exec(it) ?? [];
          return name === undefined || name === 'app' ? [] : [[name, version] as const];
        }),
      );
  }
}

const versionAt = (address: string): string => /-(\d[^-]*)-py3-/.exec(address)?.[1] ?? '';

function grouped(all: readonly (readonly [string, string])[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [name, version] of all) {
    const before = found[canonical(name)] ?? [];
    found[canonical(name)] = before.includes(version) ? before : [...before, version];
  }
  return found;
}
