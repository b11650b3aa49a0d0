import { constants, open, readdir } from 'node:fs/promises';
import { devNull, homedir } from 'node:os';
import { dirname, isAbsolute, join, posix, sep, win32 } from 'node:path';
import type { Unreadable } from '../engine/base/unreadable.ts';
import { settingsFilesIn } from '../engine/ecosystems/maven/repositories.ts';
import { readIni } from '../engine/ecosystems/shared/registry-address.ts';
import { decode } from '../engine/formats/text/decode.ts';
import { isOfWorkspace, workspacePlaces } from '../engine/git/whose-path.ts';
import type { ReadMachine, RegistrySource } from '../engine/model/registry.ts';
import type { System } from '../engine/model/system.ts';
import { systemClock } from './clock.ts';
import { unreadableAt } from './files.ts';
import { type MachinePlace, MachineRoots } from './machine-roots.ts';

/** The part of a machine that its settings depend on. */
export interface Machine {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

export function thisMachine(): Machine {
  return { environment: process.env, platform: process.platform, home: homedir() };
}

/**
 * Reads registry settings from the environment and the well-known files of this machine.
 * @param folders URIs of the open folders: a file in them, or in their repositories, is the workspace's
 */
export function machineRegistries(folders: () => readonly string[], machine = thisMachine()): ReadMachine {
  const { environment, platform, home } = machine;
  let variables: ReturnType<typeof variablesOf> | undefined;
  let places: ReturnType<typeof machinePlaces> | undefined;
  return remembered(folders, async (system, open) => {
    // Many variables are read for them: with the first manifest, not at the start.
    variables ??= variablesOf(environment);
    places ??= machinePlaces(environment, platform, home);
    return { variables: variables[system], files: await readAll(places[system], open, machine) };
  });
}

/**
 * In ms. Editors do not report changes outside of their folders, and a person who types causes several reads a second.
 */
const MAX_AGE = 5000;

/** Remembers what was read for a system while the same folders are open. */
export function remembered<T>(
  folders: () => readonly string[],
  read: (system: System, folders: readonly string[]) => Promise<T>,
): (system: System) => Promise<T> {
  const known = new Map<System, { readonly at: number; readonly open: string; readonly answer: Promise<T> }>();
  return (system) => {
    const open = folders();
    const before = known.get(system);
    const isSame = before?.open === open.join('\n');
    if (before && isSame && Math.abs(systemClock.now() - before.at) < MAX_AGE) return before.answer;
    const answer = read(system, open);
    known.set(system, { at: systemClock.now(), open: open.join('\n'), answer });
    return answer;
  };
}

async function readAll(
  places: readonly MachinePlace[],
  folders: readonly string[],
  { environment, home }: Machine,
): Promise<RegistrySource[]> {
  const found = await Promise.all(
    places.map(async (it) => (await machinePaths(it.path)).map((path) => ({ ...it, path }))),
  );
  // What the person names, too, is not only found.
  const all = found.flat();
  const known = new Set(all.flatMap((it) => (it.foundIn ? [] : it.path)));
  const distinct = all.filter((it) => !it.foundIn || !known.has(it.path));
  const first = await readEach(distinct, folders, home);
  for (const it of distinct) known.add(it.path);
  const further = first.flatMap(({ name, text, foundIn }) =>
    name === '.npmrc'
      ? namedInNpmrc(text, home, environment).map((it) => ({ ...it, ...(foundIn && { foundIn }) }))
      : [],
  );
  const others = further.filter((it) => !known.has(it.path));
  return [...first, ...(await readEach(others, folders, home))];
}

/** The further settings files that an `.npmrc` names. Those below another prefix are read, too. */
export function namedInNpmrc(
  text: string,
  home: string,
  environment: Readonly<NodeJS.ProcessEnv>,
): readonly MachinePlace[] {
  return readIni(text).flatMap(({ section, key, value }): MachinePlace[] => {
    if (section !== '' || !/^(?:prefix|(?:user|global)config|npmrc-auth-file)$/.test(key) || value === '') return [];
    const path = value
      .replace(/\$\{(\w+)\}/g, (whole, name: string) => environment[name] ?? whole)
      .replace(/^~(?=[\\/])/, home);
    return isAbsolute(path) ? [{ name: '.npmrc', path: key === 'prefix' ? join(path, 'etc', 'npmrc') : path }] : [];
  });
}

/**
 * Reads settings files that the machine names; those that do not exist are left out.
 * @param folders URIs of the open folders
 */
export async function readEach(
  places: readonly MachinePlace[],
  folders: readonly string[],
  home: string,
): Promise<RegistrySource[]> {
  // A person names the null device to disable settings.
  const texts = await Promise.all(places.map((it) => (it.path === devNull ? undefined : readMachineFile(it.path))));
  const there = places.flatMap((it, at) => {
    const read = texts[at];
    // PATH keeps folders of programs that are gone.
    const isGone = typeof read === 'object' && read.why === 'dangling' && it.foundIn === 'PATH';
    return read === undefined || isGone ? [] : [{ ...it, read }];
  });
  if (there.length === 0) return [];
  const workspace = await workspacePlaces(folders);
  return Promise.all(
    there.map(async ({ name, path, foundIn, read }): Promise<RegistrySource> => {
      const label = home !== '' && path.startsWith(home) ? `~${path.slice(home.length).replaceAll('\\', '/')}` : path;
      const lies = foundIn ?? ((await isOfWorkspace(path, workspace)) ? 'workspace' : undefined);
      const source = { name, label, ...(lies && { foundIn: lies }) };
      return typeof read === 'string' ? { ...source, text: read } : { ...source, text: '', unreadable: read };
    }),
  );
}

/** Directories of PATH that are searched. Real ones have about ten. */
const MAX_ON_PATH = 50;

/** The variables that configure registries, keep young versions back or allow pre-releases. npm ignores the case of its own. */
const variableNames = {
  GO: /^(?:GOPRIVATE|GONOPROXY|GONOSUMDB|GOPROXY)$/,
  NPM: /^(?:p?npm_config_registry|YARN_REGISTRY|YARN_NPM_(?:REGISTRY_SERVER|MINIMAL_AGE_GATE)|BUN_CONFIG_REGISTRY|YARN_RC_FILENAME|npm_config_(?:before|min_release_age)|p?npm_config_minimum_release_age)$/i,
  CARGO: /^CARGO_REGISTR(?:IES_\w+_INDEX|(?:IES_CRATES_IO|Y_GLOBAL)_MIN_PUBLISH_AGE)$/,
  MAVEN: /^(?:MAVEN_(?:ARGS|OPTS)|ORG_GRADLE_PROJECT_.+)$/i,
  PYPI: /^(?:PIP_(?:(?:EXTRA_)?INDEX|PYPI)_URL|PIP_(?:UPLOADED_PRIOR_TO|PRE|ALL_RELEASES|ONLY_FINAL)|UV_(?:EXCLUDE_NEWER|PRERELEASE)|UV_(?:(?:DEFAULT|EXTRA)_)?INDEX(?:_URL)?|(?:PIP|UV)_(?:NO_INDEX|FIND_LINKS)|PDM_PYPI_URL|PIPENV_PYPI_MIRROR|POETRY_SOLVER_MIN_RELEASE_AGE)$/,
  NUGET: /^$/,
} as const satisfies Record<System, RegExp>;

/** The variables by system. Their names are in upper case, as readers expect. */
export function variablesOf(environment: Readonly<NodeJS.ProcessEnv>): Record<System, readonly RegistrySource[]> {
  const of = (system: System): RegistrySource[] =>
    Object.entries(environment).flatMap(([name, text = '']) =>
      variableNames[system].test(name) && text !== '' ? [{ name: name.toUpperCase(), label: name, text }] : [],
    );
  // npm accepts each of its settings as a variable, including the registry of a scope.
  const scopes = Object.entries(environment).flatMap(([name, text = '']): RegistrySource[] => {
    const [, setting] = /^p?npm_config_(@.+:registry)$/i.exec(name) ?? [];
    return setting === undefined ? [] : [{ name: '.npmrc', label: name, text: `${setting.toLowerCase()}=${text}` }];
  });
  return {
    GO: of('GO'),
    NPM: [...scopes, ...of('NPM')],
    CARGO: of('CARGO'),
    MAVEN: of('MAVEN'),
    PYPI: of('PYPI'),
    NUGET: [],
  };
}

/** The user and machine settings of the tools, the strongest first. No workspace adds to them. */
export function machinePlaces(
  environment: Readonly<NodeJS.ProcessEnv>,
  platform: NodeJS.Platform,
  home: string,
): Record<System, readonly MachinePlace[]> {
  const roots = new MachineRoots(environment, platform, home);
  return {
    NPM: npmPlaces(roots),
    PYPI: pythonPlaces(roots),
    NUGET: nugetPlaces(roots),
    MAVEN: mavenPlaces(roots),
    CARGO: ['config.toml', 'config'].flatMap((it) => roots.at(roots.cargo, it)),
    GO: goPlaces(roots),
  };
}

function file(paths: readonly string[], name: string): MachinePlace[] {
  return paths.map((path) => ({ name, path }));
}

function npmPlaces(roots: MachineRoots): MachinePlace[] {
  const { homes, isWindows } = roots;
  const prefixes = [
    ...roots.of('npm_config_prefix', 'PREFIX'),
    ...(isWindows ? roots.below(roots.of('APPDATA'), 'npm') : ['/usr', '/usr/local', '/opt/homebrew']),
    ...versionsOfNode(roots),
  ];
  const pnpm = isWindows
    ? roots.below(roots.of('LOCALAPPDATA'), 'pnpm', 'config')
    : [
        ...roots.below([...roots.of('XDG_CONFIG_HOME'), ...roots.dotConfig], 'pnpm'),
        ...roots.below(homes, 'Library', 'Preferences', 'pnpm'),
      ];
  return [
    ...file(roots.of('npm_config_userconfig', 'pnpm_config_userconfig', 'pnpm_config_npmrc_auth_file'), '.npmrc'),
    ...file(
      roots.of('YARN_RC_FILENAME').flatMap((it) => roots.below(homes, it)),
      '.yarnrc.yml',
    ),
    ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml'].flatMap((it) => roots.at(homes, it)),
    ...roots.at(roots.of('XDG_CONFIG_HOME'), '.bunfig.toml'),
    ...file(roots.of('npm_config_globalconfig', 'pnpm_config_globalconfig'), '.npmrc'),
    ...file([...new Set(roots.below(prefixes, 'etc', 'npmrc'))], '.npmrc'),
    ...file(roots.below(onPath(roots), 'etc', 'npmrc'), '.npmrc').map((it) => ({ ...it, foundIn: 'PATH' as const })),
    ...file([...roots.below(pnpm, 'rc'), ...roots.below(pnpm, 'auth.ini')], '.npmrc'),
    ...file(roots.below(pnpm, 'config.yaml'), 'pnpm-workspace.yaml'),
    ...(isWindows ? [] : file(['/etc/npmrc'], '.npmrc')),
  ];
}

/** Each version of Node has its own global npmrc, and the version in use is unknown. */
function versionsOfNode({ isWindows, homes, of, below }: MachineRoots): string[] {
  if (isWindows) return [];
  return [
    ...below([...of('NVM_DIR'), ...below(homes, '.nvm')], 'versions', 'node', '*'),
    ...below([...of('VOLTA_HOME'), ...below(homes, '.volta')], 'tools', 'image', 'node', '*'),
    ...below([...of('ASDF_DATA_DIR'), ...below(homes, '.asdf')], 'installs', 'nodejs', '*'),
    ...below([...of('MISE_DATA_DIR'), ...below(homes, '.local', 'share', 'mise')], 'installs', 'node', '*'),
    ...below(
      [
        ...of('FNM_DIR'),
        ...below(homes, '.local', 'share', 'fnm'),
        ...below(homes, '.fnm'),
        ...below(homes, 'Library', 'Application Support', 'fnm'),
      ],
      'node-versions',
      '*',
      'installation',
    ),
    ...below([...of('NODENV_ROOT'), ...below(homes, '.nodenv')], 'versions', '*'),
  ];
}

/**
 * The prefix of a Node on the path is the directory above that of its program. A workspace may be on the path, too: an
 * activated environment.
 */
function onPath({ isWindows, of, below }: MachineRoots): string[] {
  if (isWindows) return [];
  const folders = of('PATH').flatMap((it) => it.split(':').filter((folder) => /^\/.+\/bin\/?$/.test(folder)));
  return below(folders.slice(0, MAX_ON_PATH), '..');
}

function pythonPlaces({ isWindows, homes, config, dotConfig, shared, everyone, of, at, below }: MachineRoots) {
  const pip = isWindows ? 'pip.ini' : 'pip.conf';
  const pdm = isWindows ? below(of('LOCALAPPDATA'), 'pdm', 'pdm') : below([...config, ...dotConfig], 'pdm');
  const poetry = [...of('POETRY_CONFIG_DIR'), ...below(config, 'pypoetry')];
  return [
    ...file(of('PIP_CONFIG_FILE'), pip),
    ...file(of('UV_CONFIG_FILE'), 'uv.toml'),
    ...file(of('PDM_CONFIG_FILE'), 'pdm.toml'),
    ...at(of('VIRTUAL_ENV'), pip),
    ...at([...of('PIXI_HOME'), ...below(homes, '.pixi')], 'config.toml'),
    ...at([...config, ...dotConfig, ...shared], 'config.toml', 'pixi'),
    ...at([...config, ...dotConfig], pip, 'pip'),
    ...at(homes, pip, isWindows ? 'pip' : '.pip'),
    ...at([...config, ...dotConfig], 'uv.toml', 'uv'),
    ...file(below([...pdm, ...below(everyone, 'pdm')], 'config.toml'), 'pdm.toml'),
    ...file(below(poetry, 'config.toml'), 'poetry.toml'),
    ...(isWindows ? at(shared, pip, 'pip') : [...at(shared, pip), ...at(everyone, pip, 'pip')]),
    ...at([...shared, ...everyone], 'uv.toml', 'uv'),
  ];
}

function nugetPlaces({ isWindows, homes, config, dotConfig, of, at, below }: MachineRoots): MachinePlace[] {
  // Besides the user's own file, installers may add further ones for the user and for the machine.
  const ofUser = isWindows
    ? below(config, 'NuGet')
    : [...below(homes, '.nuget'), ...below(homes, '.nuget', 'NuGet'), ...below(dotConfig, 'NuGet')];
  const ofMachine = isWindows
    ? below(of('ProgramFiles(x86)'), 'NuGet', 'Config')
    : [
        ...below(of('NUGET_COMMON_APPLICATION_DATA'), 'NuGet', 'Config'),
        '/etc/opt/NuGet/Config',
        '/Library/Application Support/NuGet/Config',
      ];
  return [
    ...at(isWindows ? config : homes, 'NuGet.Config', ...(isWindows ? ['NuGet'] : ['.nuget', 'NuGet'])),
    ...(isWindows ? [] : at(dotConfig, 'NuGet.Config', 'NuGet')),
    ...file([...below(ofUser, 'config', '*.config'), ...below(ofMachine, '*.config')], 'nuget.config'),
  ];
}

function mavenPlaces({ isWindows, homes, of, at, below }: MachineRoots): MachinePlace[] {
  const { isAbsolute } = isWindows ? win32 : posix;
  const gradle = [...of('GRADLE_USER_HOME'), ...below(homes, '.gradle')];
  const named = ['MAVEN_ARGS', 'MAVEN_OPTS'].flatMap((name) =>
    of(name).flatMap((text) => settingsFilesIn({ name, text })),
  );
  return [
    ...file(named.filter(isAbsolute), 'settings.xml'),
    ...at(homes, 'settings.xml', '.m2'),
    ...at(of('MAVEN_HOME', 'M2_HOME'), 'settings.xml', 'conf'),
    ...['init.gradle', 'init.gradle.kts', 'gradle.properties'].flatMap((it) => at(gradle, it)),
  ];
}

function goPlaces({ isWindows, config, of, at, below }: MachineRoots): MachinePlace[] {
  const programs = isWindows
    ? below(of('ProgramFiles'), 'Go')
    : ['/usr/local/go', '/usr/lib/go', '/usr/lib/golang', '/opt/homebrew/opt/go/libexec', '/snap/go/current'];
  return [
    ...file(
      of('GOENV').filter((it) => it !== 'off'),
      'env',
    ),
    ...at(config, 'env', 'go'),
    ...at([...of('GOROOT'), ...programs], 'go.env'),
  ];
}

/** In bytes. Settings files of tools are a few kilobytes. */
const MAX_BYTES = 1024 * 1024;

/** Entries that an asterisk matches; the last by name, so the newest versions are among them. */
const MAX_EXPANDED = 50;

/** Expands an asterisk: `~/.nvm/versions/node/*` + `/etc/npmrc`, `~/.nuget/config/*.config`. */
export async function machinePaths(path: string): Promise<readonly string[]> {
  const at = path.indexOf('*');
  if (at < 0) return [path];
  const directory = dirname(`${path.slice(0, at)}x`);
  const [ending = '', ...rest] = path.slice(at + 1).split(sep);
  const entries = await readdir(directory).catch(() => []);
  const found = entries.filter((it) => it.endsWith(ending)).sort();
  return found.slice(-MAX_EXPANDED).map((it) => [directory, it, ...rest].join(sep));
}

/**
 * Reads a settings file that the machine names. Links are followed wherever they lead: people keep such files in their
 * own repositories. Undefined where it does not exist, not even as a link to nothing.
 */
export async function readMachineFile(path: string): Promise<string | Unreadable | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const about = await file.stat();
      if (!about.isFile()) return { why: 'no file' };
      return about.size <= MAX_BYTES ? decode(await file.readFile()).text : { why: 'too large' };
    } finally {
      await file.close();
    }
  } catch (error) {
    return unreadableAt(path, error);
  }
}
