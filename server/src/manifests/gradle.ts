import type { FileRef, Manifest, ManifestFormat } from '../model/manifest.ts';
import { buildIn } from './gradle-build.ts';
import { catalogFile, catalogName, readCatalogStatement, renamedCatalog } from './gradle-catalog.ts';
import { type Assignment, collectAssignments, countNamed, type Holder, readAssignments } from './gradle-definitions.ts';
import { readDependencyStatement, readSubstitute, type Within } from './gradle-dependencies.ts';
import { unrolled } from './gradle-each.ts';
import { appliedScript, impliedFiles } from './gradle-files.ts';
import { readPlugin, withPluginBills } from './gradle-plugins.ts';
import { emptyScript } from './gradle-script.ts';
import { readSetEntries } from './gradle-sets.ts';
import { markAt, readStatements, type Statement, wordAt } from './gradle-statements.ts';
import { readTokens } from './gradle-tokens.ts';
import { readTool } from './gradle-tools.ts';

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
  const dependencies = withPluginBills(once);
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
