import type { Manifest } from '../../model/manifest.ts';
import { literalStrings, type Names, unrollLoop } from './flow/loops.ts';
import { dottedName, punctuationAt, type Statement, wordAt } from './statements.ts';
import type { Token } from './tokens.ts';
import { pluginMarker } from './values.ts';

/** The projects and names of the build that a script literally declares. */
export type GradleBuild = Pick<
  Manifest,
  'modules' | 'packages' | 'coordinates' | 'makes' | 'pluginAliases' | 'applied'
>;

/** Only the blocks of a broken script nest deeper. */
const MAX_BLOCK_DEPTH = 50;
/** Projects of one build. The largest public ones have some 1000. */
const MAX_PROJECTS = 2000;

interface BuildNames {
  /** Directories of projects, relative to the script. */
  readonly projects: Set<string>;
  /** Directories of included builds. */
  readonly builds: Set<string>;
  readonly groups: Set<string>;
  readonly names: Set<string>;
  readonly makes: Set<string>;
  readonly aliases: Set<string>;
  readonly applied: Set<string>;
}

/** Blocks in which `group` is that of projects; elsewhere it is that of tasks. */
const projectBlocks: ReadonlySet<string> = new Set([
  'allprojects',
  'subprojects',
  'project',
  'configure',
  'beforeProject',
]);

/**
 *     rootProject.name = "shop"                            a project `shop`
 *     include(":app", ":libs:core")                        projects `app` and `core`, in app/ and libs/core/
 *     includeBuild("../lib") {                             its artifacts replace published ones
 *       dependencySubstitution {
 *         substitute(module("g:a")).using(project(":"))    so does this project
 *     gradlePlugin { plugins { create("a") { id = "acme" } } }     a plugin of this build
 *     id = libs.plugins.acme.get().pluginId                        one whose id is in a catalog
 *     group = "com.acme"                                   the group of this project, or of the ones of its block
 */
export function readBuild(statements: readonly Statement[], script: Names): GradleBuild {
  const found: BuildNames = {
    projects: new Set(),
    builds: new Set(),
    groups: new Set(),
    names: new Set(),
    makes: new Set(),
    aliases: new Set(),
    applied: new Set(),
  };
  read(statements, found, 'projects', 0, script);
  const { projects, builds, groups, names, makes, aliases, applied } = found;
  const modules = [
    ...[...builds].flatMap((it) => [`${it}/settings.gradle`, `${it}/settings.gradle.kts`]),
    ...[...projects].flatMap((it) => [`${it}/build.gradle`, `${it}/build.gradle.kts`]),
  ];
  return {
    ...(modules.length > 0 && { modules }),
    ...((groups.size > 0 || names.size > 0) && { coordinates: { groups: [...groups], names: [...names] } }),
    ...(makes.size > 0 && { makes: [...makes] }),
    ...(aliases.size > 0 && { pluginAliases: [...aliases] }),
    ...(applied.size > 0 && { applied: [...applied] }),
  };
}

/** The first words of statements that name something of a build. */
const namingStatements: ReadonlySet<string> = new Set([
  ...['include', 'includeFlat', 'includeBuild', 'substitute', 'rootProject', 'project', 'id'],
]);

/** @param about the subject of the statements: the plugins of a project, for example */
function read(
  statements: readonly Statement[],
  found: BuildNames,
  about: 'projects' | 'plugins' | 'applied' | 'others',
  depth: number,
  script: Names,
): void {
  if (depth > MAX_BLOCK_DEPTH) return;
  const isProject = about === 'projects';
  for (const statement of statements) {
    const { tokens, blocks, path } = statement;
    const loop = unrollLoop(statement, script);
    if (loop) {
      read(loop, found, about, depth + 1, script);
      continue;
    }
    const head = path[0] ?? '';
    const last = path.at(-1);
    const texts = namingStatements.has(head) || last === 'group' ? literalStrings(tokens) : [];
    const [first] = texts;
    if (head === 'include' && isProject) for (const it of texts) addProject(it, found);
    else if (head === 'includeFlat' && isProject) for (const it of texts) addProject(`../${it}`, found);
    else if (head === 'includeBuild') addBuild(first, found);
    else if (head === 'substitute') addSubstitute(tokens, found);
    else if (isProject && last === 'group' && first !== undefined && texts.length === 1) found.groups.add(first);
    else if (head === 'rootProject' && last === 'name' && first !== undefined) found.names.add(first);
    else if (head === 'project' && tokens.length > path.length) readProject(tokens, texts, found);
    else if (about === 'plugins' && head === 'id' && first !== undefined) found.makes.add(pluginMarker(first));
    else if (about === 'plugins' && head === 'id') addAlias(tokens, found);
    if (about === 'applied' || last === 'apply') addApplied(tokens, path, about === 'applied', found);
    const isInside = isProject && (projectBlocks.has(last ?? '') || head === 'if');
    const within = isInside || head === 'pluginManagement' ? 'projects' : 'others';
    const made = about === 'plugins' || head === 'gradlePlugin' ? 'plugins' : within;
    const inner = made !== 'plugins' && head === 'plugins' && path.length === 1 ? 'applied' : made;
    for (const it of blocks) read(it, found, inner, depth + 1, script);
  }
}

/** `id = libs.plugins.acme.library.asProvider().get().pluginId` */
function addAlias(tokens: readonly Token[], { aliases }: BuildNames): void {
  const [catalog, plugins, ...names] = dottedName(
    tokens.slice(tokens.findIndex((it) => it.kind === 'word' && it.text !== 'id')),
  );
  const end = names.findIndex((it) => it === 'get' || it === 'asProvider');
  if (catalog === 'libs' && plugins === 'plugins' && end > 0) aliases.add(names.slice(0, end).join('.'));
}

/**
 *     plugins { id("acme.library"); `acme-tests` }      apply plugin: 'acme'      pluginManager.apply("acme")
 */
function addApplied(
  tokens: readonly Token[],
  [head, ...more]: readonly string[],
  isInPlugins: boolean,
  { applied }: BuildNames,
): void {
  const [first] = literalStrings(tokens);
  const isNamed = tokens.some((it) => it.kind === 'word' && it.text === 'plugin');
  const isOwner = ['plugins', 'pluginManager'].includes(more.at(-2) ?? head ?? '') && more.at(-1) === 'apply';
  if (isInPlugins && first === undefined && more.length === 0 && head !== undefined) applied.add(head);
  else if (first !== undefined && (isInPlugins ? head === 'id' : isNamed || isOwner)) applied.add(first);
}

/** `:libs:core` is located in `libs/core`, and is the project `core` in a project `libs`. */
function addProject(path: string, { projects, names }: BuildNames): void {
  const directory = path.replace(/^:/, '').replaceAll(':', '/');
  const all = directory.split('/').filter((it) => !/^\.*$/.test(it));
  if (all.length === 0 || projects.size >= MAX_PROJECTS) return;
  projects.add(directory);
  for (const it of all) names.add(it);
}

/** The root project has the name of its directory, unless its settings set another one. */
function addBuild(path: string | undefined, { builds, names }: BuildNames): void {
  const directory = path?.replaceAll('\\', '/').replace(/\/$/, '');
  if (!directory || builds.size >= MAX_PROJECTS) return;
  builds.add(directory);
  const name = directory.slice(directory.lastIndexOf('/') + 1);
  if (!/^\.*$/.test(name)) names.add(name);
}

/** `substitute module('g:a') using project(':a')`. A module that another module replaces is a published one. */
function addSubstitute(tokens: readonly Token[], { makes }: BuildNames): void {
  const at = tokens.findIndex((it) => it.kind === 'word' && it.text === 'module');
  const isByProject = tokens.some((it, index) => index > at && it.kind === 'word' && it.text === 'project');
  const [name] = at < 0 || !isByProject ? [] : literalStrings(tokens.slice(at));
  const module = name && /^[^:\s]+:[^:\s]+/.exec(name)?.[0];
  if (module) makes.add(module);
}

/** `project(':core').projectDir = file('libs/core')`, `project(":core").name = "acme-core"` */
function readProject(tokens: readonly Token[], texts: readonly string[], { projects, names }: BuildNames): void {
  const equals = tokens.findIndex((_, at) => punctuationAt(tokens, at) === '=');
  const [, value] = texts;
  if (equals < 0 || value === undefined || texts.length !== 2) return;
  const property = wordAt(tokens, equals - 1);
  if (property === 'name') names.add(value);
  else if (property === 'projectDir' && projects.size < MAX_PROJECTS) projects.add(value.replaceAll('\\', '/'));
}
