import { directoryOf, nameOf, pathOf } from '../../base/uri.ts';
import { readCargoConfig } from '../../ecosystems/cargo/cargo-config.ts';
import { pluginMarker } from '../../ecosystems/gradle/values.ts';
import { formatOf } from '../../ecosystems/manifest-formats.ts';
import { pom } from '../../ecosystems/maven/pom.ts';
import { packageId } from '../../model/keys.ts';
import type { Manifest, ManifestFormat } from '../../model/manifest.ts';

const npm = ['pnpm-workspace.yaml', 'package.json', 'deno.json', 'deno.jsonc'] as const;
const gradle = ['settings.gradle', 'settings.gradle.kts'] as const;

/**
 * The files, in some directory above, that list the projects of a workspace, by the format of who asks. Requirements and a
 * Pipfile have no workspace, but may say where a project lies.
 */
const roots: Readonly<Record<string, readonly string[]>> = {
  'package.json': npm,
  'deno.json': npm,
  'pnpm-workspace.yaml': ['pnpm-workspace.yaml'],
  '.yarnrc.yml': ['package.json'],
  'pyproject.toml': ['pyproject.toml', 'Pipfile'],
  'setup.cfg': ['Pipfile'],
  'setup.py': ['Pipfile'],
  Pipfile: [],
  'requirements.txt': [],
  'Cargo.toml': ['Cargo.toml', '.cargo/config.toml', '.cargo/config'],
  'go.mod': ['go.work'],
  'pom.xml': ['pom.xml'],
  'build.gradle': gradle,
  'libs.versions.toml': gradle,
  'gradle.lockfile': gradle,
  'verification-metadata.xml': gradle,
};

/** A bill of materials lists what is made in the workspaces around it, of whatever system. */
const allRoots = [...new Set(Object.values(roots).flat())];

/** The names of roots above who asks; undefined where nothing that it asks for may be made in the same workspace. */
export function rootFileNames({ id, record }: ManifestFormat): readonly string[] | undefined {
  return record === 'sbom' ? allRoots : roots[id];
}

/** Whether it asks for members of whatever workspaces lie around it, without being one: bills of materials, yarn's catalogs. */
export function usesAllWorkspacesAbove({ id, record }: ManifestFormat): boolean {
  return record === 'sbom' || id === '.yarnrc.yml';
}

const cargoConfig = /\/\.cargo\/config(?:\.toml)?$/;
const gradleSettings = /\/settings\.gradle(?:\.kts)?$/;
/** Those of Python say of one project what it is called. */
const projectFile = /\/(?:setup\.(?:cfg|py)|gradle\.properties|[^/]+\.(?:xml|pom))$/i;

/** A change of these may be one of a project or a root. */
export function mayBeProject(uri: string): boolean {
  const path = pathOf(uri);
  const format = formatOf(path);
  return (format !== undefined && roots[format.id] !== undefined) || cargoConfig.test(path) || projectFile.test(path);
}

/** Whether a root counts for all that lies below it, and not for its members alone. */
export function appliesToAllBelow(root: string): boolean {
  return cargoConfig.test(pathOf(root)) || gradleSettings.test(pathOf(root));
}

/** The names of the files that a member has, by the root that lists its directory. */
export function memberFilePattern(root: string): RegExp {
  const name = nameOf(root);
  if (gradleSettings.test(pathOf(root))) return /\.gradle(?:\.kts)?$/;
  if (name === 'pyproject.toml') return /\/pyproject\.toml$/;
  return name === 'Cargo.toml' ? /\/Cargo\.toml$/ : /\/(?:package\.json|deno\.jsonc?)$/;
}

/** The files, in the directory of a project that pip installs, that may say its name. */
export const pipProjectFileNames: readonly string[] = ['pyproject.toml', 'setup.cfg', 'setup.py'];

/** No package has a longer name. */
const MAX_NAME_LENGTH = 1000;

/** What a file says of itself and of others: of each only this is kept. */
export interface ProjectInfo extends Pick<Manifest, 'modules' | 'packages' | 'projects' | 'coordinates'> {
  /** What it calls itself, and what it takes the place of, by `packageId`. */
  readonly names: readonly string[];
  /** Set where the text is not understood as a whole: it may say more. */
  readonly isBroken?: true;
}

/** Parses a file, which may have been parsed before. */
export type ParseManifest = (uri: string, format: ManifestFormat, text: string) => Manifest;

/** @param as the format of a file that another one includes, which may have any name */
export function readProjectInfo(uri: string, text: string, parse: ParseManifest, as?: ManifestFormat): ProjectInfo {
  const path = pathOf(uri);
  // What Cargo's configuration includes may have any name.
  const isIncluded = as === undefined && path.endsWith('.toml') && formatOf(path) === undefined;
  if (cargoConfig.test(path) || isIncluded) {
    const { modules, makes } = readCargoConfig(text);
    return { names: packageIds('CARGO', makes), ...(modules && { modules }) };
  }
  // Maven's modules may be files of any name.
  const format = as ?? formatOf(path) ?? pom;
  const { identity, makes = [], problems, ...said } = parse(uri, format, text);
  const { modules, packages, projects, coordinates } = gradleSettings.test(path) ? withImplicitFiles(uri, said) : said;
  const plugin = pluginScript.exec(path)?.[1];
  const own = plugin === undefined ? identity : pluginMarker(plugin.replaceAll('/', '.'));
  return {
    names: packageIds(format.system, own === undefined ? makes : [own, ...makes]),
    // Whoever writes a file anew empties it first.
    ...((problems.length > 0 || text.trim() === '') && { isBroken: true }),
    ...(modules && { modules }),
    ...(packages && { packages }),
    ...(projects && { projects }),
    ...(coordinates && { coordinates }),
  };
}

/** What a file says in two states of it. */
export function mergeProjectInfo(a: ProjectInfo, b: ProjectInfo): ProjectInfo {
  const all = <T>(...lists: readonly (readonly T[] | undefined)[]): T[] => [
    ...new Set(lists.flatMap((it) => it ?? [])),
  ];
  return {
    names: all(a.names, b.names),
    modules: all(a.modules, b.modules),
    packages: all(a.packages, b.packages),
    projects: all(a.projects, b.projects),
    coordinates: {
      groups: all(a.coordinates?.groups, b.coordinates?.groups),
      names: all(a.coordinates?.names, b.coordinates?.names),
    },
  };
}

/** The names of Gradle's modules, by `packageId`. */
export function gradleModuleIds(groups: readonly string[], names: readonly string[]): string[] {
  return groups.flatMap((group) =>
    packageIds(
      'MAVEN',
      names.map((it) => `${group}:${it}`),
    ),
  );
}

function packageIds(system: ManifestFormat['system'], names: readonly string[] = []): string[] {
  if (system === 'any') return [];
  return names.filter((it) => it.length <= MAX_NAME_LENGTH).map((name) => packageId({ system, name }));
}

/** Where the scripts lie that a build applies as plugins, which may say the group of the projects that apply them. */
const pluginScripts = 'src/main/{groovy,kotlin}{,/*,/*/*}';
/** Projects of a build that makes nothing but such plugins. Real ones have a few. */
const MAX_PLUGIN_PROJECTS = 10;
/** Such a plugin is called as its file, in the package that the directory stands for. */
const pluginScript = /\/src\/main\/(?:groovy|kotlin)\/(.*)\.gradle(?:\.kts)?$/;

/** What a build needs not name: its own script and properties, and the build of its own plugins. */
const implicitFiles: readonly string[] = [
  'build.gradle',
  'build.gradle.kts',
  'gradle.properties',
  'buildSrc/build.gradle',
  'buildSrc/build.gradle.kts',
];

/** The project at the root of a build, which is called as its directory where its settings do not say otherwise. */
function withImplicitFiles(uri: string, said: Partial<Manifest>): Partial<Manifest> {
  const { groups = [], names = [] } = said.coordinates ?? {};
  const directories = (end: string): string[] =>
    (said.modules ?? []).filter((it) => it.endsWith(end)).map((it) => it.slice(0, -end.length));
  const projects = directories('/build.gradle');
  const places = [
    'buildSrc',
    ...directories('/settings.gradle'),
    ...(projects.length <= MAX_PLUGIN_PROJECTS ? projects : []),
  ];
  return {
    packages: places.map((it) => `${it}/${pluginScripts}`),
    modules: [...implicitFiles, ...(said.modules ?? [])],
    coordinates: { groups, names: [nameOf(directoryOf(uri).slice(0, -1)), ...names] },
  };
}
