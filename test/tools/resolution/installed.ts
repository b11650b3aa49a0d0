import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { type NodeClient, nodeEnvironment, nodeProgram, run, writeFiles } from '../clients/programs.ts';
import { type ResolutionProject, registryHost } from './projects.ts';

/** What a project has in the end. A member of the workspace has its directory in the place of a version. */
export interface Resolved {
  /** By manifest and name: `alpha@1.0.0`, `packages/a`. */
  readonly direct: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By manifest and name: everything that it requires, and so on, without peers. */
  readonly brought: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** The packages of the registry, each once. */
  readonly all: readonly string[];
}

export interface Installed extends Resolved {
  readonly lockfile: { readonly name: string; readonly text: string };
}

const lockfiles: Readonly<Record<NodeClient, string>> = {
  npm: 'package-lock.json',
  pnpm: 'pnpm-lock.yaml',
  yarn: 'yarn.lock',
  classic: 'yarn.lock',
  bun: 'bun.lock',
  deno: 'deno.lock',
};

const options: Readonly<Record<NodeClient, readonly string[]>> = {
  npm: ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--allow-remote=all'],
  pnpm: ['install', '--no-frozen-lockfile', '--ignore-scripts'],
  yarn: ['install', '--mode=skip-build'],
  classic: ['install', '--ignore-scripts', '--non-interactive', '--no-progress'],
  bun: ['install', '--ignore-scripts', '--no-progress'],
  deno: ['install', '--node-modules-dir=auto'],
};

/** Has the client install a project; a text where it refuses. */
export async function install(
  project: ResolutionProject,
  registry: string,
  programs: string,
): Promise<Installed | string> {
  const { client, files } = project;
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'resolution-')));
  try {
    const directory = join(root, 'project');
    const home = join(root, 'home');
    mkdirSync(home);
    const local = Object.entries(files).map(([path, text]) => [path, text.replaceAll(registryHost, registry)] as const);
    writeFiles(directory, Object.fromEntries(local));
    if (client === 'yarn') writeFiles(directory, { 'yarn.lock': '' });
    // Otherwise a package finds what it does not require.
    if (client === 'pnpm')
      writeFiles(directory, {
        'pnpm-workspace.yaml': `hoist: false\npmOnFail: ignore\n${files['pnpm-workspace.yaml'] ?? ''}`,
      });
    const { ok, output } = await run([...nodeProgram(client, programs), ...options[client]], directory, {
      ...nodeEnvironment(home, registry),
      CI: '',
      YARN_NODE_LINKER: 'node-modules',
      PNPM_CONFIG_STORE_DIR: join(home, 'store'),
      BUN_INSTALL_CACHE_DIR: join(home, 'bun'),
      YARN_CACHE_FOLDER: join(home, 'yarn'),
    });
    const name = lockfiles[client];
    if (!ok) return output;
    if (!existsSync(join(directory, name))) return `no ${name}\n${output}`;
    const text = readFileSync(join(directory, name), 'utf8')
      .replaceAll(registry, registryHost)
      .replaceAll(encodeURIComponent(registry), encodeURIComponent(registryHost));
    const installed = readInstalled(directory, project);
    if (client === 'deno') readImports(files, text, installed);
    return { lockfile: { name, text }, ...installed };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** What deno.json imports is in no `node_modules`, or only by chance: `brought` has nothing of it. */
function readImports(
  files: Readonly<Record<string, string>>,
  lockfile: string,
  { direct, brought }: ReturnType<typeof readInstalled>,
): void {
  const { specifiers } = JSON.parse(lockfile) as { readonly specifiers?: Readonly<Record<string, string>> };
  const { imports = {} }: Manifest = JSON.parse(files['deno.json'] ?? '{}');
  const own: Record<string, string> = {};
  for (const [name, specifier] of Object.entries(imports)) {
    const version = specifiers?.[specifier]?.replace(/_.*$/, '');
    if (version !== undefined) own[name] = `${name}@${version}`;
  }
  direct['deno.json'] = own;
  brought['deno.json'] = {};
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly imports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>;
}

const ownGroups = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'imports'] as const;

function readInstalled(
  project: string,
  { client, manifests, files, extensions }: ResolutionProject,
): Resolved & { readonly direct: Record<string, object>; readonly brought: Record<string, object> } {
  const known = new Map<string, Manifest>();
  const manifestIn = (directory: string): Manifest => {
    const found = known.get(directory) ?? JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    known.set(directory, found);
    return found;
  };
  const requiredBy = (directory: string): string[] => {
    const {
      name = '',
      dependencies,
      optionalDependencies,
      peerDependencies,
      peerDependenciesMeta = {},
    } = manifestIn(directory);
    // deno.lock has peers among the other dependencies.
    const peers =
      client === 'deno' ? Object.keys(peerDependencies ?? {}).filter((it) => !(it in peerDependenciesMeta)) : [];
    return [...Object.keys({ ...extensions[name], ...dependencies, ...optionalDependencies }), ...peers];
  };
  const isMember = (directory: string): boolean => !relative(project, directory).split(sep).includes('node_modules');
  const idOf = (directory: string): string => {
    if (isMember(directory)) return relative(project, directory).replaceAll(sep, '/');
    const { name, version } = manifestIn(directory);
    return `${name}@${version}`;
  };
  const find = (from: string, name: string): string | undefined => {
    for (let at = from; at.startsWith(project); at = dirname(at)) {
      const directory = join(at, 'node_modules', name);
      if (existsSync(join(directory, 'package.json'))) return realpathSync(directory);
    }
    return undefined;
  };
  const direct: Record<string, Record<string, string>> = {};
  const brought: Record<string, Record<string, readonly string[]>> = {};
  for (const path of manifests) {
    const manifest: Manifest = JSON.parse(files[path] ?? '{}');
    const versions: Record<string, string> = {};
    const below: Record<string, readonly string[]> = {};
    // Deno does not install the optional ones of a project.
    const groups = ownGroups.filter((it) => client !== 'deno' || it !== 'optionalDependencies');
    for (const name of groups.flatMap((it) => Object.keys(manifest[it] ?? {}))) {
      const directory = find(dirname(join(project, path)), name);
      if (directory === undefined) continue;
      versions[name] = idOf(directory);
      below[name] = [
        ...new Set(
          around(directory, requiredBy, find)
            .filter((it) => !isMember(it))
            .map(idOf),
        ),
      ].sort();
    }
    direct[path] = versions;
    brought[path] = below;
  }
  return { direct, brought, all: [...new Set(packagesIn(project).map(idOf))].sort() };
}

/** A package and what it requires, and so on. */
function around(
  first: string,
  requiredBy: (directory: string) => readonly string[],
  find: (from: string, name: string) => string | undefined,
): readonly string[] {
  const found = new Set([first]);
  for (const directory of found) {
    for (const name of requiredBy(directory)) {
      const next = find(directory, name);
      if (next !== undefined) found.add(next);
    }
  }
  return [...found];
}

/** The directories in `node_modules` that are packages and no links. */
function packagesIn(directory: string): string[] {
  const found: string[] = [];
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (!lstatSync(path).isDirectory()) continue;
    const parent = directory.split(sep).at(-1) ?? '';
    const isPackage =
      parent === 'node_modules' || (parent.startsWith('@') && dirname(directory).endsWith('node_modules'));
    if (isPackage && existsSync(join(path, 'package.json'))) found.push(path);
    found.push(...packagesIn(path));
  }
  return found;
}
