import { directoryOf, nameOf, pathOf } from '../../base/uri.ts';
import { readCargoConfig } from '../../ecosystems/cargo/cargo-config.ts';
import { catalogWords } from '../../ecosystems/gradle/build-uses.ts';
import { catalogIds, pluginMarker } from '../../ecosystems/gradle/values.ts';
import { versionCatalog } from '../../ecosystems/gradle/version-catalog.ts';
import { formatOf } from '../../ecosystems/manifest-formats.ts';
import { pom } from '../../ecosystems/maven/pom.ts';
import { type Properties, propertiesIn } from '../../ecosystems/nuget/project-name.ts';
import { canonicalName, packageId } from '../../model/keys.ts';
import type { Manifest, ManifestFormat } from '../../model/manifest.ts';
import type { Claim } from '../../model/manifest-chain.ts';

const npm = ['pnpm-workspace.yaml', 'package.json', 'deno.json', 'deno.jsonc'] as const;
const gradle = ['settings.gradle', 'settings.gradle.kts'] as const;

/**
 * The files in a directory above that list the projects of a workspace, by manifest format. Requirements and a Pipfile
 * have no workspace, but may locate projects.
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
  // A solution may have any name.
  csproj: [],
  msbuild: [],
  'Directory.Packages.props': [],
  'Directory.Build.props': [],
  'packages.config': [],
};

/** Beside a root, where a workspace of npm's packages says how it takes its members. */
export const memberSettings: ReadonlyMap<string, string> = new Map([
  ['package.json', '.yarnrc.yml'],
  ['pnpm-workspace.yaml', 'pnpm-workspace.yaml'],
]);

/** An SBOM lists members of the workspaces around it, of any system. */
const allRoots = [...new Set(Object.values(roots).flat())];

/** The names of root files for a format; undefined if its dependencies cannot be workspace members. */
export function rootFileNames({ id, record }: ManifestFormat): readonly string[] | undefined {
  return record === 'sbom' ? allRoots : roots[id];
}

/** Whether a manifest uses the members of all workspaces above without being a member: SBOMs, yarn's catalogs. */
export function usesAllWorkspacesAbove({ id, record }: ManifestFormat): boolean {
  return record === 'sbom' || id === '.yarnrc.yml';
}

const cargoConfig = /\/\.cargo\/config(?:\.toml)?$/;
/** The files that list the projects of .NET, of any name. */
export const solutionFile = /\/[^/]+\.slnx?$/i;
const msbuildProject = /\/([^/]+)\.[a-z]*proj$/i;
/** What MSBuild reads before each project below it. */
export const buildPropsFile = 'Directory.Build.props';
const buildProps = /\/Directory\.Build\.props$/i;
const gradleSettings = /\/settings\.gradle(?:\.kts)?$/;
/** Files that declare the name of a single project. */
const projectFile = /\/(?:setup\.(?:cfg|py)|gradle\.properties|[^/]+\.(?:xml|pom))$/i;

/** Whether a change of the file may concern a project or a root. */
export function mayBeProject(uri: string): boolean {
  const path = pathOf(uri);
  const format = formatOf(path);
  return (format !== undefined && roots[format.id] !== undefined) || cargoConfig.test(path) || projectFile.test(path);
}

/** Whether a root applies to everything below it, not only to its members. */
export function appliesToAllBelow(root: string): boolean {
  return [cargoConfig, gradleSettings, solutionFile].some((it) => it.test(pathOf(root)));
}

/** The project files of a member, by the root that lists its directory. */
export function memberFilePattern(root: string): RegExp {
  const name = nameOf(root);
  if (gradleSettings.test(pathOf(root))) return /\.gradle(?:\.kts)?$/;
  if (name === 'pyproject.toml') return /\/pyproject\.toml$/;
  if (name.endsWith('.xml')) return /\/pom\.xml$/;
  return name === 'Cargo.toml' ? /\/Cargo\.toml$/ : /\/(?:package\.json|deno\.jsonc?)$/;
}

/** The files that may declare the name of a project that pip installs. */
export const pipProjectFileNames: readonly string[] = ['pyproject.toml', 'setup.cfg', 'setup.py'];

/** In characters. No package has a longer name. */
const MAX_NAME_LENGTH = 1000;

/** The part of a manifest that is kept for finding workspace members. */
export interface ProjectInfo
  extends Pick<
    Manifest,
    'modules' | 'packages' | 'projects' | 'coordinates' | 'inferred' | 'takesMembers' | 'pluginAliases'
  > {
  /** The properties that the name of a package of .NET is made of; with the name of the file for a project without one. */
  readonly assembly?: { readonly file?: string; readonly properties: Properties };
  /** The group of a project of Maven. */
  readonly group?: string;
  /** The packages that it builds or replaces. */
  readonly names: readonly MemberName[];
  /** The plugins of a catalog, by their aliases. */
  readonly plugins?: ReadonlyMap<string, string>;
  /** What a script of Gradle may take from catalogs. */
  readonly words?: ReturnType<typeof catalogWords>;
  /** Set if the text has syntax problems: it may declare more. */
  readonly isBroken?: true;
}

/** A package by its `packageId`, and what is said of it. */
export type MemberName = readonly [id: string, claim: Claim];

/** Parses a file, or returns the earlier result. */
export type ParseManifest = (uri: string, format: ManifestFormat, text: string) => Manifest;

/** @param as the format of a file that another one includes, which may have any name */
export function readProjectInfo(uri: string, text: string, parse: ParseManifest, as?: ManifestFormat): ProjectInfo {
  const path = pathOf(uri);
  // Files included by Cargo's configuration may have any name.
  const isIncluded = as === undefined && path.endsWith('.toml') && formatOf(path) === undefined;
  if (cargoConfig.test(path) || isIncluded) {
    const { modules, makes } = readCargoConfig(text);
    return { names: packageIds('CARGO', makes).map((it) => [it, { isPatch: true }]), ...(modules && { modules }) };
  }
  if (solutionFile.test(path)) return { names: [], modules: projectsOfSolution(text) };
  // Maven's modules may be files of any name.
  const format = as ?? formatOf(path) ?? pom;
  const { identity, makes = [], takes = [], problems, version, fields, client, ...said } = parse(uri, format, text);
  const { modules, packages, projects, coordinates } = gradleSettings.test(path) ? withImplicitFiles(uri, said) : said;
  const plugin = pluginScript.exec(path)?.[1];
  const own = plugin === undefined ? identity : pluginMarker(plugin.replaceAll('/', '.'));
  const isDotnet = format.system === 'NUGET' && identity === undefined;
  const file = isDotnet ? msbuildProject.exec(path)?.[1] : undefined;
  const properties = file !== undefined || buildProps.test(path) ? propertiesIn(said) : undefined;
  const claim: Claim = {
    ...(version !== undefined && { version }),
    ...(format.system === 'CARGO' && { needs: 'path' as const }),
  };
  return {
    names: [
      ...packageIds(format.system, own === undefined ? [] : [own]).map((it) => [it, claim] as const),
      ...makes.flatMap((name) => {
        const named = fields?.get(name);
        const replaced = { ...(named && { fields: named }), ...(client !== undefined && { client }) };
        return packageIds(format.system, [name]).map((it) => [it, replaced] as const);
      }),
      ...[...takes].flatMap(([name, addresses]) =>
        packageIds(format.system, [name]).flatMap((it) => addresses.map((address) => [it, { address }] as const)),
      ),
    ],
    // A tool that rewrites a file empties it first.
    ...((problems.length > 0 || text.trim() === '') && { isBroken: true }),
    ...(format === pom && identity !== undefined && { group: identity.slice(0, identity.indexOf(':')) }),
    ...(said.inferred && { inferred: said.inferred }),
    ...(said.takesMembers && { takesMembers: said.takesMembers }),
    ...(properties && { assembly: { properties, ...(file !== undefined && { file }) } }),
    ...(modules && { modules }),
    ...(packages && { packages }),
    ...(projects && { projects }),
    ...(coordinates && { coordinates }),
    ...(said.pluginAliases && { pluginAliases: said.pluginAliases }),
    ...(format === versionCatalog && { plugins: pluginsIn(said.definitions) }),
    ...(format.id === 'build.gradle' && { words: catalogWords(text) }),
  };
}

function pluginsIn(definitions: Manifest['definitions']): ReadonlyMap<string, string> {
  const prefix = catalogIds.pluginModule('');
  return new Map(
    definitions.flatMap(({ id, value }) => {
      const [name, ...more] = value.kind === 'template' && id.startsWith(prefix) ? value.parts : [];
      return typeof name === 'string' && more.length === 0 ? [[id.slice(prefix.length), name] as const] : [];
    }),
  );
}

/**
 *     Project("{9A19103F-…}") = "Lib", "src\\Lib\\Lib.csproj", "{…}"       <Project Path="src/Lib/Lib.csproj" />
 */
function projectsOfSolution(text: string): string[] {
  const paths = text.matchAll(/"([^"\r\n]{1,1000}\.[a-z]*proj)"/gi);
  return Array.from(paths, ([, path = '']) => path.replaceAll('\\', '/'));
}

/** Whether a root is the settings of a build of Gradle. */
export function isGradleSettings(uri: string): boolean {
  return gradleSettings.test(pathOf(uri));
}

/** Joins the info of two states of a file. */
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
    words: { forBuild: all(a.words?.forBuild, b.words?.forBuild), all: all(a.words?.all, b.words?.all) },
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
  return names
    .filter((it) => it.length <= MAX_NAME_LENGTH)
    .map((name) => packageId({ system, name: system === 'NUGET' ? canonicalName(system, name) : name }));
}

/** The directories of precompiled script plugins, which may set the group of the projects that apply them. */
const pluginScripts = 'src/main/{groovy,kotlin}{,/*,/*/*}';
/** Projects searched for script plugins. Builds that consist of plugins have a few. */
const MAX_PLUGIN_PROJECTS = 10;
/** The id of a script plugin is its path with dots. */
const pluginScript = /\/src\/main\/(?:groovy|kotlin)\/(.*)\.gradle(?:\.kts)?$/;

/** Files of a build that need no declaration: its own script and properties, and buildSrc. */
const implicitFiles: readonly string[] = [
  'build.gradle',
  'build.gradle.kts',
  'gradle.properties',
  'gradle/libs.versions.toml',
  'buildSrc/build.gradle',
  'buildSrc/build.gradle.kts',
];

/** The root project of a build: its name defaults to that of its directory. */
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
