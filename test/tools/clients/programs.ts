import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type NodeClient = 'npm' | 'pnpm' | 'yarn' | 'classic' | 'bun' | 'deno';

/** In ms. */
const PATIENCE = 120_000;

/** How a client is started. @param folder with `node_modules` */
export function nodeProgram(client: NodeClient, folder: string): readonly [string, ...string[]] {
  const program = (path: string): string => join(folder, 'node_modules', path);
  const commands: Readonly<Record<NodeClient, readonly [string, ...string[]]>> = {
    npm: [process.execPath, program('npm/bin/npm-cli.js')],
    pnpm: [program('pnpm/pnpm')],
    yarn: [process.execPath, program('@yarnpkg/cli-dist/bin/yarn.js')],
    classic: [process.execPath, program('yarn/bin/yarn.js')],
    bun: [program('@oven/bun-linux-x64/bin/bun')],
    deno: [program('deno/deno')],
  };
  return commands[client];
}

/** Nothing but the registry is asked, and nothing is written outside of a folder. */
export function nodeEnvironment(home: string, registry: string): Readonly<Record<string, string>> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    npm_config_registry: registry,
    NPM_CONFIG_REGISTRY: registry,
    npm_config_cache: join(home, 'cache'),
    PNPM_CONFIG_REGISTRY: registry,
    YARN_REGISTRY: registry,
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_GLOBAL_CACHE: 'false',
    YARN_ENABLE_TELEMETRY: 'false',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    DENO_DIR: join(home, 'deno'),
    DENO_NO_UPDATE_CHECK: '1',
  };
}

export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

export function run(
  [command, ...args]: readonly [string, ...string[]],
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
