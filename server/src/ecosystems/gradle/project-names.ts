import type { Manifest } from '../../model/manifest.ts';
import { includedEach, plainStrings } from './loops.ts';
import { markAt, type Statement, wordAt } from './statements.ts';
import type { Token } from './tokens.ts';
import { pluginMarker } from './values.ts';

/** What a script says of the builds that it belongs to, as far as it stands there literally. */
export type GradleBuild = Pick<Manifest, 'modules' | 'packages' | 'coordinates' | 'makes'>;

/** Blocks nest deeper than this only in a broken script. */
const deepest = 50;
/** Projects of one build that count. Those of the largest public ones have some 1000. */
const most = 2000;

interface Found {
  /** Directories of projects, relative to the script. */
  readonly projects: Set<string>;
  /** Directories of builds that are included. */
  readonly builds: Set<string>;
  readonly groups: Set<string>;
  readonly names: Set<string>;
  readonly makes: Set<string>;
}

/** Blocks in which a group is one of projects: elsewhere, one of tasks. */
const ofProjects: ReadonlySet<string> = new Set([
  'allprojects',
  'subprojects',
  'project',
  'configure',
  'beforeProject',
]);

/**
 *     rootProject.name = "shop"                            a project `shop`
 *     include(":app", ":libs:core")                        projects `app` and `core`, in app/ and libs/core/
 *     includeBuild("../lib") {                             whatever is built there takes the place of what is published
 *       dependencySubstitution {
 *         substitute(module("g:a")).using(project(":"))    so does this
 *     gradlePlugin { plugins { create("a") { id = "acme" } } }     a plugin that is made here
 *     group = "com.acme"                                   the group of this project, or of those around whom it stands
 */
export function buildIn(statements: readonly Statement[]): GradleBuild {
  const found: Found = {
    projects: new Set(),
    builds: new Set(),
    groups: new Set(),
    names: new Set(),
    makes: new Set(),
  };
  read(statements, found, 'projects', 0);
  const { projects, builds, groups, names, makes } = found;
  const modules = [
    ...[...builds].flatMap((it) => [`${it}/settings.gradle`, `${it}/settings.gradle.kts`]),
    ...[...projects].flatMap((it) => [`${it}/build.gradle`, `${it}/build.gradle.kts`]),
  ];
  return {
    ...(modules.length > 0 && { modules }),
    ...((groups.size > 0 || names.size > 0) && { coordinates: { groups: [...groups], names: [...names] } }),
    ...(makes.size > 0 && { makes: [...makes] }),
  };
}

/** What begins a statement that names something of a build. */
const naming: ReadonlySet<string> = new Set([
  ...['include', 'includeFlat', 'includeBuild', 'substitute', 'rootProject', 'project', 'id'],
]);

/** @param about what the statements say something of: the plugins that a project makes, for example */
function read(
  statements: readonly Statement[],
  found: Found,
  about: 'projects' | 'plugins' | 'others',
  depth: number,
): void {
  if (depth > deepest) return;
  const isProject = about === 'projects';
  for (const statement of statements) {
    const { tokens, blocks, path } = statement;
    if (isProject && blocks.length > 0) for (const it of includedEach(statement)) addProject(it, found);
    const head = path[0] ?? '';
    const last = path.at(-1);
    const texts = naming.has(head) || last === 'group' ? plainStrings(tokens) : [];
    const [first] = texts;
    if (head === 'include' && isProject) for (const it of texts) addProject(it, found);
    else if (head === 'includeFlat' && isProject) for (const it of texts) addProject(`../${it}`, found);
    else if (head === 'includeBuild') addBuild(first, found);
    else if (head === 'substitute') addSubstitute(tokens, found);
    else if (isProject && last === 'group' && first !== undefined && texts.length === 1) found.groups.add(first);
    else if (head === 'rootProject' && last === 'name' && first !== undefined) found.names.add(first);
    else if (head === 'project' && tokens.length > path.length) readProject(tokens, texts, found);
    else if (about === 'plugins' && head === 'id' && first !== undefined) found.makes.add(pluginMarker(first));
    const isInside = isProject && (ofProjects.has(last ?? '') || head === 'if');
    const within = isInside || head === 'pluginManagement' ? 'projects' : 'others';
    const inner = about === 'plugins' || head === 'gradlePlugin' ? 'plugins' : within;
    for (const it of blocks) read(it, found, inner, depth + 1);
  }
}

/** `:libs:core` lies in `libs/core`, and is called `core`, in a project that is called `libs`. */
function addProject(path: string, { projects, names }: Found): void {
  const directory = path.replace(/^:/, '').replaceAll(':', '/');
  const all = directory.split('/').filter((it) => !/^\.*$/.test(it));
  if (all.length === 0 || projects.size >= most) return;
  projects.add(directory);
  for (const it of all) names.add(it);
}

/** The project at its root is called as the directory, where its settings do not say otherwise. */
function addBuild(path: string | undefined, { builds, names }: Found): void {
  const directory = path?.replaceAll('\\', '/').replace(/\/$/, '');
  if (!directory || builds.size >= most) return;
  builds.add(directory);
  const name = directory.slice(directory.lastIndexOf('/') + 1);
  if (!/^\.*$/.test(name)) names.add(name);
}

/** `substitute module('g:a') using project(':a')`: what another module takes the place of is published. */
function addSubstitute(tokens: readonly Token[], { makes }: Found): void {
  const at = tokens.findIndex((it) => it.kind === 'word' && it.text === 'module');
  const isByProject = tokens.some((it, index) => index > at && it.kind === 'word' && it.text === 'project');
  const [name] = at < 0 || !isByProject ? [] : plainStrings(tokens.slice(at));
  const module = name && /^[^:\s]+:[^:\s]+/.exec(name)?.[0];
  if (module) makes.add(module);
}

/** `project(':core').projectDir = file('libs/core')`, `project(":core").name = "acme-core"` */
function readProject(tokens: readonly Token[], texts: readonly string[], { projects, names }: Found): void {
  const equals = tokens.findIndex((_, at) => markAt(tokens, at) === '=');
  const [, value] = texts;
  if (equals < 0 || value === undefined || texts.length !== 2) return;
  const property = wordAt(tokens, equals - 1);
  if (property === 'name') names.add(value);
  else if (property === 'projectDir' && projects.size < most) projects.add(value.replaceAll('\\', '/'));
}
