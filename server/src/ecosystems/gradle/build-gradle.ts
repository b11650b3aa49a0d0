import {
  type Definition,
  type Dependency,
  type FileRef,
  idsIn,
  type Manifest,
  type ManifestFormat,
  type Role,
} from '../../model/manifest.ts';
import { readCatalogFile, readCatalogName, readCatalogStatement, readRenamedCatalog } from './catalog-access.ts';
import { namesOfDependencies, qualified, readCode } from './code.ts';
import {
  type Assignment,
  type AssignmentScope,
  addReferencedArtifacts,
  collectAssignments,
  defineAssignments,
} from './definitions.ts';
import { type DependencyBlock, readDependencySet, readDependencyStatement, readSubstitution } from './dependencies.ts';
import { unrollLoop } from './loops.ts';
import { usesInScript } from './navigation/catalog-uses.ts';
import { projectLinks } from './navigation/project-links.ts';
import { isPlaceholder, versionsFile } from './placeholders.ts';
import { readPlatformProjects } from './platform-projects.ts';
import { addPluginBoms, readPlugin } from './plugins.ts';
import { readBuild } from './project-names.ts';
import { pluginBlocks } from './registries.ts';
import { emptyScript, type Script } from './script.ts';
import { branchesOf, punctuationAt, readStatements, type Statement, wordAt } from './statements.ts';
import { type Token, tokenize } from './tokens.ts';
import { readTool } from './tools.ts';
import { emptyRequirement, referenceTo } from './values.ts';

/**
 * The script that a statement applies.
 *
 *     apply from: "$rootDir/gradle/versions.gradle"     apply(from = "versions.gradle.kts")
 *                           ^^^^^^^^^^^^^^^^^^^^^^^ looked for in the directories above
 */
export function readAppliedScript(tokens: readonly Token[], script: Script): FileRef | undefined {
  const from = tokens.findIndex(
    (it) => it.kind !== 'punctuation' && script.text.slice(it.span.start, it.span.end) === 'from',
  );
  const at = tokens.findIndex((it, index) => index > from && it.kind === 'string');
  const string = tokens[at];
  if (from < 0) return undefined;
  if (string?.kind !== 'string') return readAppliedVariable(tokens.slice(from + 1), script);
  const [first] = string.pieces;
  const last = string.pieces.at(-1);
  if (!first || last?.kind !== 'text' || string.pieces.length > 2) return undefined;
  const before = script.text.slice(tokens[from]?.end ?? 0, string.span.start);
  const directoryText = first.kind === 'expression' ? first.text : before;
  const directory = first.kind === 'expression' ? resolveDirectory(first.text, script, 0) : '';
  const path = `${directory ?? ''}${last.text}`.replaceAll('\\', '/').replace(/^\/+/, '');
  const isScript = gradle.files.test(path);
  const span = last.span;
  // Where the directory is unknown, a script in the repository is found by its name.
  if (directory === undefined && isScript) return undefined;
  if (directory === undefined || /^[a-z]+:\/\//i.test(path))
    return { kind: 'include', path: directory === undefined ? '${}' : path, format: gradle.id, span, required: true };
  const fromRoot = directory === '' && /\broot(?:Dir|Project)\b/.test(directoryText);
  const reference = { kind: 'include', path, format: gradle.id, span, required: true } as const;
  return fromRoot || isBelowRoot(directoryText, script) ? { ...reference, upward: 'self' } : reference;
}

/** `apply from: script`, with the value of the variable in the same script. */
function readAppliedVariable(tokens: readonly Token[], script: Script): FileRef | undefined {
  const words = tokens.filter((it) => it.kind === 'word');
  const [first] = words;
  const last = words.at(-1);
  if (!first || !last) return undefined;
  const span = { start: first.start, end: last.end };
  const path = resolveDirectory(script.text.slice(span.start, span.end), script, 0) || '${}';
  return { kind: 'include', path, format: gradle.id, span, required: true };
}

/** A directory relative to the script, or to the root of the build; `''` for these, undefined where it is unknown. */
function resolveDirectory(expression: string, script: Script, depth: number): string | undefined {
  if (/^(?:(?:rootProject|project|settings)\s*\.\s*)*(?:rootDir|projectDir|settingsDir)\b/.test(expression)) return '';
  const definition = script.definitions.findLast((it) => it.id === referenceTo(expression).id);
  if (depth > 5 || definition === undefined) return undefined;
  const { value } = definition;
  if (value.kind === 'literal') return value.at.text;
  if (value.kind === 'reference') return resolveDirectory(value.to.label, script, depth + 1);
  if (value.kind !== 'template') return undefined;
  const parts = value.parts.map((it) => (typeof it === 'string' ? it : resolveDirectory(it.label, script, depth + 1)));
  return parts.includes(undefined) ? undefined : parts.join('');
}

function isBelowRoot(expression: string, { definitions }: Script): boolean {
  const value = definitions.findLast((it) => it.id === referenceTo(expression).id)?.value;
  const parts = value?.kind === 'template' ? value.parts : value?.kind === 'reference' ? [value.to] : [];
  return parts.some((it) => typeof it !== 'string' && /\broot(?:Dir|Project)\b/.test(it.label));
}

/** A file that Gradle reads without a reference, the nearest of its name in the directory or above. */
interface ImpliedFile extends Pick<FileRef, 'path' | 'format' | 'upward' | 'every' | 'beside'> {
  /** Prefixes of the ids that it may define. */
  readonly defines: readonly string[];
}

const catalog = ['version:', 'library:', 'module:', 'plugin:', 'plugin-module:'];

const properties = {
  path: 'gradle.properties',
  format: 'gradle.properties',
  defines: ['property:', 'library:', 'module:'],
} as const;
const settings = ['settings.gradle', 'settings.gradle.kts'];

/**
 * A project's own files override those of the projects around it. The properties of the root are those of every project, and
 * of another parent what its script sets comes before its properties. Source: Gradle 4.4.
 */
const impliedTable: readonly ImpliedFile[] = [
  properties,
  { ...properties, upward: 'self', beside: settings },
  { path: 'gradle/libs.versions.toml', format: 'libs.versions.toml', upward: 'self', defines: catalog },
  ...['', '.kts'].flatMap((end): ImpliedFile[] => [
    {
      path: `build.gradle${end}`,
      format: 'build.gradle',
      upward: 'parent',
      every: true,
      defines: ['property:', 'managed:', 'library:', 'module:'],
    },
    { path: `settings.gradle${end}`, format: 'build.gradle', upward: 'self', defines: ['managed:', ...catalog] },
  ]),
  { ...properties, upward: 'parent', every: true },
  { path: 'versions.properties', format: 'gradle.properties', upward: 'self', defines: ['managed:'] },
];

/** The implied files that may define what this script refers to and does not define itself. */
export function impliedFiles({
  dependencies,
  definitions,
}: {
  readonly dependencies: readonly Dependency[];
  readonly definitions: readonly Definition[];
}): FileRef[] {
  // A default value counts only where none of these files defines another one.
  const own = new Set(definitions.filter((it) => !it.isRarelyActive).map((it) => it.id));
  const open = new Set<string>();
  for (const { requirement, nameParts } of dependencies) {
    for (const it of nameParts ?? []) if (typeof it !== 'string') open.add(it.id);
    for (const id of idsIn(requirement)) open.add(id);
  }
  for (const { value } of definitions) for (const id of idsIn(value)) open.add(id);
  const missing = [...open].filter((it) => !own.has(it));
  const files = impliedTable
    .filter(({ defines }) => missing.some((id) => defines.some((prefix) => id.startsWith(prefix))))
    .map(asReference);
  const isPlaced = dependencies.some((it) => isPlaceholder(it.requirement));
  return [...files, ...(isPlaced ? [versionsFile] : []), ...objectFiles(missing)];
}

function asReference({ defines: _, ...it }: ImpliedFile): FileRef {
  return { kind: 'parent', ...it };
}

const OWN_VERSION = 'property:version';

/** The version that each project has, wherever it is set, if something refers to it. */
function ownVersion(dependencies: readonly Dependency[], definitions: readonly Definition[]): readonly Definition[] {
  const all = [...dependencies.map((it) => it.requirement), ...definitions.map((it) => it.value)];
  const use = all.find((it) => idsIn(it).includes(OWN_VERSION));
  if (use === undefined || !('span' in use)) return [];
  const { span } = use;
  return [{ id: OWN_VERSION, span, value: emptyRequirement('version', span), isRarelyActive: true, member: true }];
}

/** The source folders of builds whose code all scripts may refer to. */
const buildSourceFolders = ['buildSrc', 'build-logic'].flatMap((it) =>
  ['kotlin', 'java'].map((of) => `${it}/src/main/${of}`),
);
/** Common names of files with several objects. Source: the guides of Android and of Gradle. */
const usualFileNames: readonly string[] = ['Dependencies', 'Deps', 'Libs', 'Versions'];
/** Objects of one script that are looked for, each in several places. */
const MAX_OBJECTS = 10;

/** The files that may define a Kotlin object that a script refers to: `Libs.retrofit`, `${Versions.okhttp}`. */
function objectFiles(missing: readonly string[]): FileRef[] {
  const objects = missing.flatMap((id) => /^(?:property|library|module):([A-Z]\w{0,100})[.-]/.exec(id)?.[1] ?? []);
  if (objects.length === 0) return [];
  const names = [...new Set([...new Set(objects)].slice(0, MAX_OBJECTS).concat(usualFileNames))];
  return buildSourceFolders.flatMap((directory) =>
    names.map((it): FileRef => {
      const path = `${directory}/${it}.kt`;
      return { kind: 'parent', path, format: 'build.gradle', upward: 'self' };
    }),
  );
}

/** Gradle's scripts, in Groovy and in Kotlin: of projects, of settings, and applied ones. */
export const gradle: ManifestFormat = {
  id: 'build.gradle',
  system: 'MAVEN',
  files: /\.gradle(?:\.kts)?$/,
  parse,
  uses: usesInScript,
  usedFiles: impliedTable.filter(({ defines }) => defines.includes('version:')).map(asReference),
};

/** Code of a build's own plugins that adds dependencies, or replaces them. It is read like a script. */
export const gradleCode: ManifestFormat = {
  ...gradle,
  files: /(^|\/)(?:buildSrc|build-logic)\/(?:.*\/)?src\/main\/(?:kotlin|java|groovy)\/.*\.(?:kt|java|groovy)$/,
  begins: /\b(?:dependencies|getDependencies|DependencyHandler|resolutionStrategy|getResolutionStrategy|useTarget)\b/,
};

/** Only the blocks of a broken script nest deeper. */
const MAX_BLOCK_DEPTH = 50;

/** Calls that replace a version or a module outside of the dependencies blocks: `useModule('g:a:1')`. */
const overridingCalls: ReadonlySet<string> = new Set(['useModule', 'useTarget']);

/** The blocks around a statement. */
interface Block {
  readonly dependencies: DependencyBlock | undefined;
  readonly plugins: boolean;
  /** The name of the catalog; `''` between catalogs. */
  readonly catalog: string | undefined;
  readonly buildscript: boolean;
  /** What its dependencies are for. */
  readonly role: Role;
  /** The dotted name of the block itself. */
  readonly path: readonly string[];
  /** The block around it. */
  readonly parent: Block | undefined;
  /** The parameters of the closures around it. */
  readonly parameters: readonly string[];
}

function parse(text: string): Manifest {
  const { tokens, problems } = tokenize(text);
  const script = emptyScript(text, problems);
  const statements = readStatements(tokens);
  const assignments: Assignment[] = [];
  const applied: FileRef[] = [];
  collect(statements, { definesProperties: true, prefix: '' }, 0);
  defineAssignments(assignments, script);
  const names = namesOfDependencies(text);
  read(statements, topLevel, 0);
  addReferencedArtifacts(script);
  applied.push(...readCode(statements, script));
  script.dependencies.sort((a, b) => a.nameSpan.start - b.nameSpan.start);
  // An element of a list that is added to several configurations counts once.
  const once = script.dependencies.filter((it, at, all) => it.nameSpan.start !== all[at - 1]?.nameSpan.start);
  const dependencies = addPluginBoms(once);
  // An empty variable may get its value in a branch of the script.
  const defined = new Set(script.definitions.filter((it) => !it.blank).map((it) => it.id));
  const definitions = script.definitions.filter((it) => !it.blank || !defined.has(it.id));
  if (!defined.has(OWN_VERSION)) definitions.push(...ownVersion(dependencies, definitions));
  for (const [id, { at, isAmbiguous }] of script.defaults) {
    if (isAmbiguous || defined.has(id)) continue;
    definitions.push({ id, span: at.span, value: { kind: 'literal', at }, isRarelyActive: true });
  }
  const links = projectLinks(tokens);
  return {
    dependencies,
    definitions,
    references: [...applied, ...impliedFiles({ dependencies, definitions })],
    problems: script.problems,
    ...readBuild(statements),
    ...(links.length > 0 && { links }),
  };

  /** Collects the assignments first, since a reference may come before its definition. */
  function collect(statements: readonly Statement[], scope: AssignmentScope, depth: number): void {
    if (depth > MAX_BLOCK_DEPTH) return;
    let before: readonly string[] = [];
    for (const statement of statements) {
      const branches = branchesOf(statement, text, before);
      before = branches?.conditions ?? [];
      if (branches) {
        for (const { of, condition } of branches.all) {
          const inner = { ...scope, condition: scope.condition ? `${scope.condition} and ${condition}` : condition };
          if (of.tokens.length > 0) collectAssignments(of, inner, script, assignments);
          for (const it of of.blocks) collect(it, inner, depth + 1);
        }
        continue;
      }
      collectAssignments(statement, scope, script, assignments);
      if (statement.blocks.length === 0) continue;
      const inner = innerScope(statement, scope);
      for (const it of statement.blocks) collect(it, inner, depth + 1);
    }
  }

  function read(statements: readonly Statement[], block: Block, depth: number): void {
    if (depth > MAX_BLOCK_DEPTH) return;
    for (const statement of statements) {
      const isRead = readOne(statement, block);
      if (statement.blocks.length === 0 || isRead === 'inside') continue;
      const inner = enterBlock(statement, block, isRead);
      for (const it of statement.blocks) read(it, inner, depth + 1);
    }
  }

  /** @returns whether it adds dependencies, itself or inside its blocks */
  function readOne(written: Statement, block: Block): boolean | 'inside' {
    const statement = qualified(written, names);
    const { tokens, path } = statement;
    const head = wordAt(tokens, 0);
    if (head === 'apply' || (head === 'from' && block.path.at(-1) === 'apply')) {
      const file = readAppliedScript(tokens, script);
      if (file) {
        const { required: _, ...optional } = file;
        applied.push(isConditional(block) ? optional : file);
      }
    }
    if (block.dependencies) applied.push(...readPlatformProjects(tokens));
    const buildFile = readBuildFile(statement);
    if (buildFile) applied.push(buildFile);
    const renamed = readRenamedCatalog(statement);
    if (renamed) applied.push(renamed);
    if (block.catalog !== undefined) {
      const file = block.catalog && head === 'from' ? readCatalogFile(tokens, block.catalog) : undefined;
      if (file) applied.push(file);
      else readCatalogStatement(statement, block.catalog, script);
    } else if (block.plugins) {
      readPlugin(statement, script);
      readTool(statement, block, script);
    } else if (block.dependencies && head === 'dependencySet') readDependencySet(statement, block.role, script);
    else if (block.dependencies) {
      const around = block.dependencies;
      const loop = unrollLoop(statement, script);
      if (loop === undefined) return readDependencyStatement(statement, around, block.role, script, block.parameters);
      const found = loop.filter((it) => readDependencyStatement(it, around, block.role, script, block.parameters));
      return found.length > 0 && 'inside';
    } else if (overridingCalls.has(path.at(-1) ?? '') || isForcedVersion(statement, block))
      return readDependencyStatement(statement, { manages: false }, roleOf(path, block), script, block.parameters);
    else if (head === 'substitute') readSubstitution(statement, block.role, script);
    else if (isQualifiedDependency(statement))
      return readDependencyStatement(
        statement,
        dependencyBlock(block.buildscript || path.includes('buildscript')),
        roleOf(path, block),
        script,
        block.parameters,
      );
    else readTool(statement, block, script);
    return false;
  }
}

/** Whether a block is read only where a condition applies: a script that need not exist. */
function isConditional(block: Block | undefined): boolean {
  return block !== undefined && (block.path.includes('if') || isConditional(block.parent));
}

/**
 * The script of a project that has a name of its own. One that Gradle's scripts have is found by it.
 *
 *     rootProject.buildFileName = 'root.build'       project(':a').buildFileName = 'a.build'
 */
function readBuildFile({ tokens }: Statement): FileRef | undefined {
  const at = tokens.findIndex((_, index) => wordAt(tokens, index) === 'buildFileName');
  const string = tokens.slice(at).find((it) => it.kind === 'string');
  const last = string?.pieces.at(-1);
  if (at < 0 || string?.kind !== 'string' || last?.kind !== 'text' || gradle.files.test(last.text)) return undefined;
  const named = tokens.slice(0, at).find((it) => it.kind === 'string');
  const project = named?.pieces.length === 1 && named.pieces[0]?.kind === 'text' ? named.pieces[0].text : undefined;
  const isRoot = tokens.some((_, index) => index < at && wordAt(tokens, index) === 'rootProject');
  const isKnown = string.pieces.length === 1 && (isRoot || project !== undefined);
  const directory = isRoot ? '' : `${(project ?? '').replace(/^:/, '').replaceAll(':', '/')}/`;
  const path = isKnown ? `${directory}${last.text}` : '${}';
  return { kind: 'include', path, format: gradle.id, span: last.span, required: true };
}

const topLevel: Block = {
  dependencies: undefined,
  plugins: false,
  catalog: undefined,
  buildscript: false,
  role: 'library',
  path: [],
  parent: undefined,
  parameters: [],
};

/** Blocks in which an unqualified name is still a property, or a setting, of the project. */
const transparentBlocks: ReadonlySet<string> = new Set([
  'buildscript',
  'allprojects',
  'subprojects',
  'project',
  'ext',
  'extra',
]);

/** @param isOfDependency the block belongs to a dependency: it configures that, and adds no other unless a brace is missing */
function enterBlock(statement: Statement, block: Block, isOfDependency: boolean): Block {
  const { tokens, path, parameters: own } = statement;
  const name = lastName(path);
  const role = roleOf(path, block);
  let { dependencies, plugins, catalog, buildscript } = block;
  if (path.includes('buildscript')) buildscript = true;
  if (catalog === '') catalog = readCatalogName(tokens);
  else if (name === 'dependencies') {
    const isManagement = dependencies?.group === 'dependencyManagement';
    dependencies = isManagement ? management : dependencyBlock(buildscript);
  } else if (name === 'constraints') dependencies &&= constraints;
  else if (name === 'dependencyManagement') dependencies = management;
  else if (name === 'imports') dependencies = imports;
  else if (name === 'plugins') plugins = true;
  else if (name === 'versionCatalogs') catalog = '';
  if (isOfDependency && dependencies) dependencies = { ...dependencies, isOfDependency };
  const parameters = own.length > 0 ? [...block.parameters, ...own].slice(-MAX_PARAMETERS) : block.parameters;
  return {
    dependencies,
    plugins,
    catalog,
    buildscript,
    role,
    path: blockPath(tokens, path),
    parent: block,
    parameters,
  };
}

function roleOf(path: readonly string[], block: Block): Role {
  return path.some((it) => pluginBlocks.has(it)) ? 'plugin' : block.role;
}

const management: DependencyBlock = { manages: true, group: 'dependencyManagement' };
const imports: DependencyBlock = { manages: false, group: 'dependencyManagement' };
const constraints: DependencyBlock = { manages: true, group: 'constraints' };
const classpath: DependencyBlock = { manages: false, group: 'buildscript' };
const plain: DependencyBlock = { manages: false };

/** The name of the configured object: `ext` of `ext.apply { … }`. */
function lastName(path: readonly string[]): string {
  for (let at = path.length - 1; at >= 0; at--) {
    const name = path[at];
    if (name !== undefined && name !== 'apply' && name !== 'with') return name;
  }
  return '';
}

/** Closure parameters around a statement. Real closures nest three or four deep. */
const MAX_PARAMETERS = 50;

/** With the type of `configure<JacocoPluginExtension>`. */
function blockPath(tokens: Statement['tokens'], path: readonly string[]): readonly string[] {
  const type = punctuationAt(tokens, path.length * 2 - 1) === '<' ? wordAt(tokens, path.length * 2) : undefined;
  return type === undefined ? path : [...path, type];
}

/** The name of the object or class that a statement declares: `internal object Versions`. */
function declaredObject(tokens: Statement['tokens']): string | undefined {
  for (let at = 0; at < 6; at++) {
    const word = wordAt(tokens, at);
    if (word === undefined) return undefined;
    if (word === 'object' || word === 'class' || word === 'interface') {
      const name = wordAt(tokens, at + 1);
      return tokens.some((it) => it.kind === 'word' && it.text === 'companion') ? '' : (name ?? '');
    }
  }
  return undefined;
}

/** `resolutionStrategy.force 'g:a:1'`, or in its block. */
function isForcedVersion({ path }: Statement, block: Block): boolean {
  if (path.at(-1) !== 'force') return false;
  return path.includes('resolutionStrategy') || (path.length === 1 && block.path.includes('resolutionStrategy'));
}

/** `dependencies.implementation 'g:a:1'`, `project.dependencies.add("api", "g:a:1")`, outside of any block. */
function isQualifiedDependency({ tokens, path }: Statement): boolean {
  return path.at(-2) === 'dependencies' && punctuationAt(tokens, path.length * 2 - 1) !== '=';
}

function dependencyBlock(buildscript: boolean): DependencyBlock {
  return buildscript ? classpath : plain;
}

function innerScope({ tokens, path }: Statement, outer: AssignmentScope): AssignmentScope {
  const object = declaredObject(tokens);
  if (object === '') return outer;
  if (object !== undefined) return { definesProperties: outer.definesProperties, prefix: `${outer.prefix}${object}.` };
  const name = lastName(path);
  return transparentBlocks.has(name) || !outer.definesProperties ? outer : { ...outer, definesProperties: false };
}
