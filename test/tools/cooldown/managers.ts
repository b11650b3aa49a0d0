import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CooldownProject, type ManagerName, manifestOf } from './projects.ts';

/** In ms. */
const PATIENCE = 120_000;

/** Where the programs are: installed by npm and pip into folders of their own. */
export interface Programs {
  /** A folder with `node_modules`. */
  readonly npm: string;
  /** A virtual environment of Python. */
  readonly python: string;
}

/** Has the manager resolve the project with its dependency in a version; false where it refuses. */
export async function accepts(
  project: CooldownProject,
  version: string,
  registry: string,
  programs: Programs,
): Promise<{ readonly ok: boolean; readonly output: string }> {
  const root = mkdtempSync(join(tmpdir(), 'cooldown-'));
  try {
    for (const [path, text] of [...Object.entries(project.files), manifestOf(project, version)]) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      // A scope has a registry of its own in yarn.
      writeFileSync(join(root, path), text.replace('  acme:\n', `  acme:\n    npmRegistryServer: ${registry}\n`));
    }
    mkdirSync(join(root, 'home'));
    if (project.manager === 'yarn') writeFileSync(join(root, 'yarn.lock'), '');
    const [command, ...args] = commandOf(project, version, registry, programs);
    return await run(command, args, root, {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: join(root, 'home'),
      npm_config_registry: registry,
      NPM_CONFIG_REGISTRY: registry,
      npm_config_cache: join(root, 'home', 'cache'),
      PNPM_CONFIG_REGISTRY: registry,
      YARN_NPM_REGISTRY_SERVER: registry,
      YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
      YARN_ENABLE_GLOBAL_CACHE: 'false',
      YARN_ENABLE_TELEMETRY: 'false',
      YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
      DENO_DIR: join(root, 'home', 'deno'),
      DENO_NO_UPDATE_CHECK: '1',
      UV_DEFAULT_INDEX: `${registry}/simple/`,
      UV_CACHE_DIR: join(root, 'home', 'uv'),
      UV_PYTHON_DOWNLOADS: 'never',
      PIP_CONFIG_FILE: join(root, '.venv/pip.conf'),
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function commandOf(
  { manager, name }: CooldownProject,
  version: string,
  registry: string,
  { npm, python }: Programs,
): readonly [string, ...string[]] {
  const program = (path: string): string => join(npm, 'node_modules', path);
  const node = process.execPath;
  const commands: Readonly<Record<ManagerName, readonly [string, ...string[]]>> = {
    npm: [node, program('npm/bin/npm-cli.js'), 'install', '--package-lock-only', '--no-audit', '--no-fund'],
    pnpm: [program('pnpm/pnpm'), 'install', '--lockfile-only', '--no-frozen-lockfile'],
    yarn: [node, program('@yarnpkg/cli-dist/bin/yarn.js'), 'install', '--mode=skip-build'],
    bun: [program('@oven/bun-linux-x64/bin/bun'), 'install', '--lockfile-only', '--registry', registry],
    deno: [program('deno/deno'), 'install', '--node-modules-dir=none'],
    uv: [join(python, 'bin/uv'), 'lock', '--python', join(python, 'bin/python')],
    pip: [
      join(python, 'bin/python'),
      ...['-m', 'pip', 'install', '--dry-run', '--no-deps', '--ignore-installed', '--no-cache-dir'],
      ...['--index-url', `${registry}/simple/`],
      `${name}==${version}`,
    ],
  };
  return commands[manager];
}

function run(
  command: string,
  args: readonly string[],
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
