import {
  type Definition,
  type Dependency,
  type FileRef,
  idsIn,
  type Manifest,
  type ManifestFormat,
} from '../../model/manifest.ts';
import { catalogFile, catalogName, readCatalogStatement, renamedCatalog } from './catalog-access.ts';
import { type Assignment, collectAssignments, countNamed, type Holder, readAssignments } from './definitions.ts';
import { readDependencyStatement, readSetEntries, readSubstitute, type Within } from './dependencies.ts';
import { unrolled } from './loops.ts';
import { readPlugin, withPluginBoms } from './plugins.ts';
import { buildIn } from './project-names.ts';
import { emptyScript, type Script } from './script.ts';
import { markAt, readStatements, type Statement, wordAt } from './statements.ts';
import { readTokens, type Token } from './tokens.ts';
import { readTool } from './tools.ts';
import { referenceTo } from './values.ts';

/**
 * The script that a statement applies.
 *
 *     apply from: "$rootDir/gradle/versions.gradle"     apply(from = "versions.gradle.kts")
 *                           ^^^^^^^^^^^^^^^^^^^^^^^ looked for in the directories above
 */
export function appliedScript(tokens: readonly Token[], script: Script): FileRef | undefined {
  const from = tokens.findIndex((_, at) => wordAt(tokens, at) === 'from');
  const at = tokens.findIndex((it, index) => index > from && it.kind === 'string');
  const string = tokens[at];
  if (from < 0 || string?.kind !== 'string') return undefined;
  const [first] = string.pieces;
  const last = string.pieces.at(-1);
  if (!first || last?.kind !== 'text' || string.pieces.length > 2) return undefined;
  const before = script.text.slice(tokens[from]?.end ?? 0, string.span.start);
  const holder = first.kind === 'expression' ? first.text : before;
  const directory = first.kind === 'expression' ? directoryOf(first.text, script, 0) : '';
  const path = `${directory ?? ''}${last.text}`.replaceAll('\\', '/').replace(/^\/+/, '');
  if (!/\.gradle(?:\.kts)?$/.test(path) || /^[a-z]+:\/\//i.test(path)) return undefined;
  if (directory === undefined) return undefined;
  const fromRoot = directory === '' && /\broot(?:Dir|Project)\b/.test(holder);
  const reference = { kind: 'include', path, format: 'build.gradle', span: last.span } as const;
  return fromRoot || isBelowRoot(holder, script) ? { ...reference, upward: 'self' } : reference;
}

/** What a directory is called from the script, or from the root of the build; empty for these, undefined where unknown. */
function directoryOf(expression: string, script: Script, depth: number): string | undefined {
  if (/^(?:(?:rootProject|project|settings)\s*\.\s*)*(?:rootDir|projectDir|settingsDir)\b/.test(expression)) return '';
  const definition = script.definitions.findLast((it) => it.id === referenceTo(expression).id);
  if (depth > 5 || definition === undefined) return undefined;
  const { value } = definition;
  if (value.kind === 'literal') return value.at.text;
  if (value.kind === 'reference') return directoryOf(value.to.label, script, depth + 1);
  if (value.kind !== 'template') return undefined;
  const parts = value.parts.map((it) => (typeof it === 'string' ? it : directoryOf(it.label, script, depth + 1)));
  return parts.includes(undefined) ? undefined : parts.join('');
}

function isBelowRoot(expression: string, { definitions }: Script): boolean {
  const value = definitions.findLast((it) => it.id === referenceTo(expression).id)?.value;
  const parts = value?.kind === 'template' ? value.parts : value?.kind === 'reference' ? [value.to] : [];
  return parts.some((it) => typeof it !== 'string' && /\broot(?:Dir|Project)\b/.test(it.label));
}

/** A file that Gradle takes for granted, the nearest of its name in the directory or above. */
interface Implied {
  readonly path: string;
  readonly format: string;
  readonly upward: 'self' | 'parent';
  /** What it may define. */
  readonly defines: readonly string[];
}

const catalog = ['version:', 'library:', 'module:', 'plugin:', 'plugin-module:'];

/** A project's properties come from its files before those of the projects around it. */
const implied: readonly Implied[] = [
  {
    path: 'gradle.properties',
    format: 'gradle.properties',
    upward: 'self',
    defines: ['property:', 'library:', 'module:'],
  },
  { path: 'gradle/libs.versions.toml', format: 'libs.versions.toml', upward: 'self', defines: catalog },
  ...['', '.kts'].flatMap((end): Implied[] => [
    {
      path: `build.gradle${end}`,
      format: 'build.gradle',
      upward: 'parent',
      defines: ['property:', 'managed:', 'library:', 'module:'],
    },
    { path: `settings.gradle${end}`, format: 'build.gradle', upward: 'self', defines: ['managed:', ...catalog] },
  ]),
];

/** The implied files that may define what this script refers to and does not define itself. */
export function impliedFiles({
  dependencies,
  definitions,
}: {
  readonly dependencies: readonly Dependency[];
  readonly definitions: readonly Definition[];
}): FileRef[] {
  // What only counts where no file says otherwise leaves open what they say.
  const own = new Set(definitions.filter((it) => !it.seldom).map((it) => it.id));
  const open = new Set<string>();
  for (const { requirement, nameParts } of dependencies) {
    for (const it of nameParts ?? []) if (typeof it !== 'string') open.add(it.id);
    for (const id of idsIn(requirement)) open.add(id);
  }
  for (const { value } of definitions) for (const id of idsIn(value)) open.add(id);
  const missing = [...open].filter((it) => !own.has(it));
  const files = implied
    .filter(({ defines }) => missing.some((id) => defines.some((prefix) => id.startsWith(prefix))))
    .map(({ path, format, upward }): FileRef => ({ kind: 'parent', path, format, upward }));
  return [...files, ...objectFiles(missing)];
}

/** Builds whose code all scripts may refer to, and where it lies in them. */
const codeOfBuilds = ['buildSrc', 'build-logic'].flatMap((it) =>
  ['kotlin', 'java'].map((of) => `${it}/src/main/${of}`),
);
/** Files that hold several objects, or those that others refer to. Source: the guides of Android and of Gradle. */
const usualFiles: readonly string[] = ['Dependencies', 'Deps', 'Libs', 'Versions'];
/** Objects that one script may name: each is looked for in some places. */
const mostObjects = 10;

/** Where an object of Kotlin may stand that a script refers to: `Libs.retrofit`, `${Versions.okhttp}`. */
function objectFiles(missing: readonly string[]): FileRef[] {
  const objects = missing.flatMap((id) => /^(?:property|library|module):([A-Z]\w{0,100})[.-]/.exec(id)?.[1] ?? []);
  if (objects.length === 0) return [];
  const names = [...new Set([...new Set(objects)].slice(0, mostObjects).concat(usualFiles))];
  return codeOfBuilds.flatMap((directory) =>
    names.map((it): FileRef => {
      const path = `${directory}/${it}.kt`;
      return { kind: 'parent', path, format: 'build.gradle', upward: 'self' };
    }),
  );
}

/** Gradle's scripts, in Groovy and in Kotlin: of projects, of settings, and those that scripts apply. */
export const gradle: ManifestFormat = {
  id: 'build.gradle',
  system: 'MAVEN',
  files: /\.gradle(?:\.kts)?$/,
  parse,
};

/** Blocks nest deeper than this only in a broken script. */
const deepest = 50;

/** What decides on a version, or on a module, outside of the blocks of dependencies: `useModule('g:a:1')`. */
const deciding: ReadonlySet<string> = new Set(['useModule', 'useTarget']);

/** What the blocks around a statement say of it. */
interface Block {
  readonly dependencies: Within | undefined;
  readonly plugins: boolean;
  /** The name of a catalog; empty between catalogs. */
  readonly catalog: string | undefined;
  readonly buildscript: boolean;
  /** The dotted name of the block itself. */
  readonly path: readonly string[];
  /** The block around it. */
  readonly outer: Block | undefined;
  /** The parameters of the closures around it. */
  readonly given: readonly string[];
}

function parse(text: string): Manifest {
  const { tokens, problems } = readTokens(text);
  const script = emptyScript(text);
  const statements = readStatements(tokens);
  const assignments: Assignment[] = [];
  const applied: FileRef[] = [];
  collect(statements, { open: true, prefix: '' }, 0);
  readAssignments(assignments, script);
  read(statements, outermost, 0);
  countNamed(script);
  script.dependencies.sort((a, b) => a.nameSpan.start - b.nameSpan.start);
  // An element of a list that goes into several configurations stands there once.
  const once = script.dependencies.filter((it, at, all) => it.nameSpan.start !== all[at - 1]?.nameSpan.start);
  const dependencies = withPluginBoms(once);
  // Many a variable is empty until a branch of the script gives it a value.
  const given = new Set(script.definitions.filter((it) => !it.blank).map((it) => it.id));
  const definitions = script.definitions.filter((it) => !it.blank || !given.has(it.id));
  for (const [id, { at, differs }] of script.defaults) {
    if (differs || given.has(id)) continue;
    definitions.push({ id, span: at.span, value: { kind: 'literal', at }, seldom: true });
  }
  return {
    dependencies,
    definitions,
    references: [...applied, ...impliedFiles({ dependencies, definitions })],
    problems,
    ...buildIn(statements),
  };

  /** The names that a script gives, which may stand behind what refers to them. */
  function collect(statements: readonly Statement[], holder: Holder, depth: number): void {
    if (depth > deepest) return;
    for (const statement of statements) {
      collectAssignments(statement, holder, script, assignments);
      if (statement.blocks.length === 0) continue;
      const inner = holderIn(statement, holder);
      for (const it of statement.blocks) collect(it, inner, depth + 1);
    }
  }

  function read(statements: readonly Statement[], block: Block, depth: number): void {
    if (depth > deepest) return;
    for (const statement of statements) {
      const isRead = readOne(statement, block);
      if (statement.blocks.length === 0 || isRead === 'inside') continue;
      const inner = within(statement, block, isRead);
      for (const it of statement.blocks) read(it, inner, depth + 1);
    }
  }

  /** @returns whether it names dependencies, itself or inside */
  function readOne(statement: Statement, block: Block): boolean | 'inside' {
    const { tokens, path } = statement;
    const head = wordAt(tokens, 0);
    if (head === 'apply') {
      const file = appliedScript(tokens, script);
      if (file) applied.push(file);
    }
    const renamed = renamedCatalog(statement);
    if (renamed) applied.push(renamed);
    if (block.catalog !== undefined) {
      const file = block.catalog && head === 'from' ? catalogFile(tokens, block.catalog) : undefined;
      if (file) applied.push(file);
      else readCatalogStatement(statement, block.catalog, script);
    } else if (block.plugins) {
      readPlugin(statement, script);
      readTool(statement, block, script);
    } else if (block.dependencies && head === 'dependencySet') readSetEntries(statement, script);
    else if (block.dependencies) {
      const around = block.dependencies;
      const loop = unrolled(statement, script);
      if (loop === undefined) return readDependencyStatement(statement, around, script, block.given);
      const found = loop.filter((it) => readDependencyStatement(it, around, script, block.given));
      return found.length > 0 && 'inside';
    } else if (deciding.has(path.at(-1) ?? '') || isForcing(statement, block))
      return readDependencyStatement(statement, { manages: false }, script, block.given);
    else if (head === 'substitute') readSubstitute(statement, script);
    else if (isAddition(statement))
      return readDependencyStatement(statement, withinDependencies(block.buildscript), script, block.given);
    else readTool(statement, block, script);
    return false;
  }
}

const outermost: Block = {
  dependencies: undefined,
  plugins: false,
  catalog: undefined,
  buildscript: false,
  path: [],
  outer: undefined,
  given: [],
};

/** Blocks that leave what stands alone in them a property, or a setting, of the project. */
const transparent: ReadonlySet<string> = new Set([
  'buildscript',
  'allprojects',
  'subprojects',
  'project',
  'ext',
  'extra',
]);

/** @param isOne the block is that of a dependency: it says something of that, and names no other, if no brace is missing */
function within(statement: Statement, block: Block, isOne: boolean): Block {
  const { tokens, path, parameters } = statement;
  const name = lastName(path);
  let { dependencies, plugins, catalog, buildscript } = block;
  if (catalog === '') catalog = catalogName(tokens);
  else if (name === 'buildscript') buildscript = true;
  else if (name === 'dependencies') {
    const isManagement = dependencies?.group === 'dependencyManagement';
    dependencies = isManagement ? management : withinDependencies(buildscript);
  } else if (name === 'constraints') dependencies &&= constraints;
  else if (name === 'dependencyManagement') dependencies = management;
  else if (name === 'imports') dependencies = imports;
  else if (name === 'plugins') plugins = true;
  else if (name === 'versionCatalogs') catalog = '';
  if (isOne && dependencies) dependencies = { ...dependencies, isOne };
  const given = parameters.length > 0 ? [...block.given, ...parameters].slice(-mostGiven) : block.given;
  return { dependencies, plugins, catalog, buildscript, path: typed(tokens, path), outer: block, given };
}

const management: Within = { manages: true, group: 'dependencyManagement' };
const imports: Within = { manages: false, group: 'dependencyManagement' };
const constraints: Within = { manages: true, group: 'constraints' };
const classpath: Within = { manages: false, group: 'buildscript' };
const plain: Within = { manages: false };

/** Of `ext.apply { … }` the name is that of what it is applied to. */
function lastName(path: readonly string[]): string {
  for (let at = path.length - 1; at >= 0; at--) {
    const name = path[at];
    if (name !== undefined && name !== 'apply' && name !== 'with') return name;
  }
  return '';
}

/** Parameters around a statement that are known: real closures nest three or four deep. */
const mostGiven = 50;

/** `configure<JacocoPluginExtension>` goes by the type. */
function typed(tokens: Statement['tokens'], path: readonly string[]): readonly string[] {
  const type = markAt(tokens, path.length * 2 - 1) === '<' ? wordAt(tokens, path.length * 2) : undefined;
  return type === undefined ? path : [...path, type];
}

/** The name of an object or a class that a statement begins: `internal object Versions`. */
function objectIn(tokens: Statement['tokens']): string | undefined {
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
function isForcing({ path }: Statement, block: Block): boolean {
  if (path.at(-1) !== 'force') return false;
  return path.includes('resolutionStrategy') || (path.length === 1 && block.path.includes('resolutionStrategy'));
}

/** `dependencies.implementation 'g:a:1'`, `project.dependencies.add("api", "g:a:1")`: it stands in no block. */
function isAddition({ tokens, path }: Statement): boolean {
  return path.at(-2) === 'dependencies' && markAt(tokens, path.length * 2 - 1) !== '=';
}

function withinDependencies(buildscript: boolean): Within {
  return buildscript ? classpath : plain;
}

function holderIn({ tokens, path }: Statement, outer: Holder): Holder {
  const object = objectIn(tokens);
  if (object === '') return outer;
  if (object !== undefined) return { open: outer.open, prefix: `${outer.prefix}${object}.` };
  const name = lastName(path);
  if (name === 'if' || name === 'else') return { ...outer, condition: 'a branch of the script' };
  return transparent.has(name) || !outer.open ? outer : { ...outer, open: false };
}
