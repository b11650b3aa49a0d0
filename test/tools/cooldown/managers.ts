import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeEnvironment, nodeProgram, run } from '../clients/programs.ts';
import { type CooldownProject, type ManagerName, manifestOf } from './projects.ts';

/** Where the programs are: installed by npm and pip into folders of their own. */
export interface Programs {
  /** A folder with `node_modules`. */
  readonly npm: string;
  /** A virtual environment of Python. */
  readonly python: string;
  /** The program. */
  readonly cargo: string;
}

/** Where a project names its index. */
const indexes: Readonly<Partial<Record<ManagerName, string>>> = {
  poetry: '[[tool.poetry.source]]\nname = "own"',
  pdm: '[[tool.pdm.source]]\nname = "pypi"',
};

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
    const isCargo = project.manager === 'cargo';
    mkdirSync(join(root, 'home/cargo'), { recursive: true });
    const index = indexes[project.manager];
    if (index !== undefined) appendFileSync(join(root, 'pyproject.toml'), `${index}\nurl = "${registry}/simple/"\n`);
    if (isCargo) {
      writeFileSync(join(root, 'lib.rs'), '');
      writeFileSync(
        join(root, 'home/cargo/config.toml'),
        `[source.crates-io]\nreplace-with = "own"\n[source.own]\nregistry = "sparse+${registry}/index/"\n`,
      );
    }
    if (project.manager === 'yarn') writeFileSync(join(root, 'yarn.lock'), '');
    return await run(commandOf(project, version, registry, programs), root, {
      ...nodeEnvironment(join(root, 'home'), registry),
      UV_DEFAULT_INDEX: `${registry}/simple/`,
      UV_CACHE_DIR: join(root, 'home', 'uv'),
      UV_PYTHON_DOWNLOADS: 'never',
      PIP_CONFIG_FILE: join(root, '.venv/pip.conf'),
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      POETRY_CACHE_DIR: join(root, 'home/poetry'),
      POETRY_VIRTUALENVS_CREATE: 'false',
      PDM_CACHE_DIR: join(root, 'home/pdm'),
      PDM_CHECK_UPDATE: 'false',
      PDM_PYTHON: join(programs.python, 'bin/python'),
      CARGO_HOME: join(root, 'home/cargo'),
      // Before 1.100, where the setting is stable.
      ...(isCargo && { RUSTC: 'rustc', __CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS: 'nightly' }),
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function commandOf(
  { manager, name }: CooldownProject,
  version: string,
  registry: string,
  { npm, python, cargo }: Programs,
): readonly [string, ...string[]] {
  const commands: Readonly<Record<ManagerName, readonly [string, ...string[]]>> = {
    npm: [...nodeProgram('npm', npm), 'install', '--package-lock-only', '--no-audit', '--no-fund'],
    pnpm: [...nodeProgram('pnpm', npm), 'install', '--lockfile-only', '--no-frozen-lockfile'],
    yarn: [...nodeProgram('yarn', npm), 'install', '--mode=skip-build'],
    bun: [...nodeProgram('bun', npm), 'install', '--lockfile-only', '--registry', registry],
    deno: [...nodeProgram('deno', npm), 'install', '--node-modules-dir=none'],
    uv: [join(python, 'bin/uv'), 'lock', '--python', join(python, 'bin/python')],
    pip: [
      join(python, 'bin/python'),
      ...['-m', 'pip', 'install', '--dry-run', '--no-deps', '--ignore-installed', '--no-cache-dir'],
      ...['--index-url', `${registry}/simple/`],
      `${name}==${version}`,
    ],
    poetry: [join(python, 'bin/poetry'), 'lock', '--no-interaction'],
    pdm: [join(python, 'bin/pdm'), 'lock'],
    cargo: [cargo, '-Zmin-publish-age', 'generate-lockfile'],
  };
  return commands[manager];
}
