import type { Definition, Dependency, FileRef, Manifest, ManifestFormat, Requirement } from '../../model/manifest.ts';
import { idsIn } from '../../model/manifest.ts';
import {
  type Block,
  dependencyBlock,
  enterBlock,
  isForcedVersion,
  isQualifiedDependency,
  lastName,
  roleOf,
  topLevel,
  withParameters,
} from './blocks.ts';
import { readCatalogFile, readCatalogStatement, readRenamedCatalog } from './catalog-access.ts';
import { namesOfDependencies, qualified, readCode } from './code.ts';
import {
  type Assignment,
  type AssignmentScope,
  addReferencedArtifacts,
  collectAssignments,
  defineAssignments,
} from './definitions.ts';
import { readDependencySet, readDependencyStatement, readSubstitution } from './dependencies.ts';
import { readAppliedScript, readBuildFile } from './files/applied-scripts.ts';
import { impliedFiles, missingIds, usedFiles } from './files/implied-files.ts';
import { readImports, wantedNames } from './files/imports.ts';
import { readPlatformProjects } from './files/platform-projects.ts';
import { sourcesOf } from './files/source-files.ts';
import { type Branch, branchesOf, branchesOfArguments } from './flow/branches.ts';
import { unrollLoop } from './flow/loops.ts';
import { isDeferred, Order } from './flow/order.ts';
import { readManagedGroups } from './managed-groups.ts';
import { aliasInScript } from './navigation/catalog-renaming.ts';
import { aliasesIn } from './navigation/catalog-uses.ts';
import { projectLinks } from './navigation/project-links.ts';
import { codeIn, local, variablesIn, wordsIn } from './navigation/script-names.ts';
import { scriptRenaming } from './navigation/script-renaming.ts';
import { addPluginBoms, readPlugin } from './plugins.ts';
import { readBuild } from './project-names.ts';
import { emptyScript } from './script.ts';
import { readStatements, type Statement, wordAt } from './statements.ts';
import { tokenize } from './tokens.ts';
import { readTool } from './tools.ts';
import { readFunction } from './value-functions.ts';
import { emptyRequirement } from './values.ts';

/** What a build is known by that another one includes. */
const SETTINGS = '/settings.gradle';

const OWN_VERSION = 'property:version';

/** The version that each project has, wherever it is set, if something refers to it. */
function ownVersion(dependencies: readonly Dependency[], definitions: readonly Definition[]): readonly Definition[] {
  const all = [...dependencies.map((it) => it.requirement), ...definitions.map((it) => it.value)];
  const use = all.find((it) => idsIn(it).includes(OWN_VERSION));
  if (use === undefined || !('span' in use)) return [];
  const { span } = use;
  return [{ id: OWN_VERSION, span, value: emptyRequirement('version', span), isRarelyActive: true, member: true }];
}

/** Gradle's scripts, in Groovy and in Kotlin: of projects, of settings, and applied ones. */
export const gradle: ManifestFormat = {
  id: 'build.gradle',
  system: 'MAVEN',
  files: /\.gradle(?:\.kts)?$/,
  parse,
  uses: (text) => [...codeIn(text)].flatMap((it) => [...aliasesIn(it), ...variablesIn(it)]),
  spellUse: (name, use) => (use.kind === 'property' ? name : aliasInScript(name, use)),
  usedFiles,
  renaming: scriptRenaming,
  code: { wordsIn, local },
};

/** Code of a build's own plugins that adds dependencies, or replaces them. It is read like a script. */
export const gradleCode: ManifestFormat = {
  ...gradle,
  files: /(^|\/)(?:buildSrc|build-logic)\/(?:.*\/)?src\/main\/(?:kotlin|java|groovy)\/.*\.(?:kt|java|groovy)$/,
  begins: /\b(?:dependencies|getDependencies|DependencyHandler|resolutionStrategy|getResolutionStrategy|useTarget)\b/,
  beginsAnywhere: true,
};

/** Only the blocks of a broken script nest deeper. */
const MAX_BLOCK_DEPTH = 50;

/** Calls that replace a version or a module outside of the dependencies blocks: `useModule('g:a:1')`. */
const overridingCalls: ReadonlySet<string> = new Set(['useModule', 'useTarget']);

function parse(text: string): Manifest {
  const { tokens, problems } = tokenize(text);
  const statements = readStatements(tokens);
  const imports = readImports(statements);
  const script = emptyScript(text, problems, imports);
  const assignments: Assignment[] = [];
  const deferred: (readonly Statement[])[] = [];
  const first = statements.filter((it) => it.path[0] === 'buildscript').flatMap((it) => it.blocks);
  const applied: FileRef[] = [];
  collect(statements, { definesProperties: true, prefix: imports.package && `${imports.package}.` }, 0);
  script.order = new Order(assignments, deferred, first);
  defineAssignments(assignments, script);
  const names = namesOfDependencies(text);
  const hasPlatforms = /[pP]latform\s*\(/.test(text);
  read(statements, topLevel, 0);
  script.definitions.push(...script.order.composedDefinitions(script));
  addReferencedArtifacts(script);
  applied.push(...readCode(statements, script));
  script.dependencies.sort((a, b) => a.nameSpan.start - b.nameSpan.start);
  const dependencies = addPluginBoms(once(script.dependencies));
  // An empty variable may get its value in a branch of the script.
  const defined = new Set(script.definitions.filter((it) => !it.blank).map((it) => it.id));
  const definitions = script.definitions.filter((it) => !it.blank || !defined.has(it.id));
  if (!defined.has(OWN_VERSION)) definitions.push(...ownVersion(dependencies, definitions));
  for (const [id, { at, isAmbiguous }] of script.defaults) {
    if (isAmbiguous || defined.has(id)) continue;
    definitions.push({ id, span: at.span, value: { kind: 'literal', at }, isRarelyActive: true });
  }
  const named = applied.flatMap((it) => it.composed?.ids ?? []);
  const missing = [...missingIds({ dependencies, definitions }), ...named];
  const wanted = wantedNames(missing, imports);
  // An alias of the script's own comes last, and counts.
  definitions.unshift(...wanted.aliases);
  const links = projectLinks(tokens);
  const build = readBuild(statements, script);
  const included = (build.modules ?? []).filter((it) => it.endsWith(SETTINGS));
  return {
    dependencies,
    definitions,
    references: [
      ...applied,
      ...impliedFiles(missing, dependencies, wanted.names),
      ...included.flatMap((it) => sourcesOf(it.slice(0, -SETTINGS.length))),
    ],
    problems: script.problems,
    ...build,
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
          const both = scope.condition ? `${scope.condition} and ${condition}` : condition;
          const inner = { ...scope, condition: both, branch: of };
          if (of.tokens.length > 0) collectAssignments(of, inner, script, assignments);
          for (const it of of.blocks) collect(it, { ...inner, block: it }, depth + 1);
        }
        continue;
      }
      collectAssignments(statement, scope, script, assignments);
      for (const it of readFunction(statement, scope.prefix, script)) script.definitions.push(it);
      if (statement.blocks.length === 0) continue;
      const inner = innerScope(statement, scope);
      const runsLater = scope.deferred === undefined && isDeferred(statement);
      for (const it of statement.blocks) {
        if (runsLater && it.length > 0) deferred.push(it);
        const isOfObject = inner.prefix !== scope.prefix && inner.prefix !== '';
        const block = isOfObject ? inner.block : it;
        collect(it, { ...inner, ...(block && { block }), ...(runsLater && { deferred: it }) }, depth + 1);
      }
    }
  }

  function read(statements: readonly Statement[], block: Block, depth: number): void {
    if (depth > MAX_BLOCK_DEPTH) return;
    let before: readonly string[] = [];
    for (const statement of statements) {
      const branches = branchesOf(statement, text, before);
      before = branches?.conditions ?? [];
      const inCall = branches ? undefined : argumentsByCondition(statement, block);
      const loop = branches || inCall ? undefined : unrollLoop(statement, script);
      if (loop) read(loop, withParameters(block, statement.parameters), depth + 1);
      else if (branches || inCall) readBranches(branches?.all ?? inCall ?? [], block, depth);
      else {
        const isRead = readOne(statement, block);
        if (statement.blocks.length === 0) continue;
        const inner = enterBlock(statement, block, isRead);
        for (const it of statement.blocks) read(it, inner, depth + 1);
      }
    }
  }

  /** What the branches add has their conditions. */
  function readBranches(branches: readonly Branch<Statement>[], block: Block, depth: number): void {
    const inner = { ...block, isConditional: true };
    for (const { of, condition } of branches) {
      const { dependencies, definitions } = script;
      const from = { dependencies: dependencies.length, definitions: definitions.length };
      if (of.tokens.length > 0) read([of], inner, depth + 1);
      else for (const it of of.blocks) read(it, inner, depth + 1);
      addCondition(dependencies, from.dependencies, condition);
      addCondition(definitions, from.definitions, condition);
    }
  }

  function argumentsByCondition(statement: Statement, block: Block): readonly Branch<Statement>[] | undefined {
    return block.dependencies || isQualifiedDependency(statement) ? branchesOfArguments(statement, text) : undefined;
  }

  /** @returns whether it adds dependencies */
  function readOne(written: Statement, block: Block): boolean {
    const statement = qualified(written, names);
    const { tokens, path } = statement;
    const head = wordAt(tokens, 0);
    if (head === 'apply' || (head === 'from' && block.path.at(-1) === 'apply')) {
      const file = readAppliedScript(tokens, script);
      if (file) {
        const { required: _, ...optional } = file;
        applied.push(block.isConditional ? optional : file);
      }
    }
    if (hasPlatforms) applied.push(...readPlatformProjects(tokens));
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
    else if (block.dependencies)
      return readDependencyStatement(statement, block.dependencies, block.role, script, block);
    else if (overridingCalls.has(path.at(-1) ?? '') || isForcedVersion(statement, block))
      return readDependencyStatement(statement, { manages: false }, roleOf(path, block), script, block);
    else if (head === 'substitute') readSubstitution(statement, block.role, script);
    else if (isQualifiedDependency(statement))
      return readDependencyStatement(
        statement,
        dependencyBlock(block.buildscript || path.includes('buildscript')),
        roleOf(path, block),
        script,
        block,
      );
    else {
      readTool(statement, block, script);
      readManagedGroups(statement, block.role, script);
    }
    return false;
  }
}

/** What is added to several configurations counts once: an element of a list, an artifact with a name. */
function once(dependencies: readonly Dependency[]): readonly Dependency[] {
  const seen = new Set<string>();
  return dependencies.filter(({ name, nameSpan, requirement }) => {
    const id = `${nameSpan.start} ${name} ${spanOf(requirement)}`;
    return seen.size < seen.add(id).size;
  });
}

function spanOf(it: Requirement): number | undefined {
  return it.kind === 'literal' ? it.at.span.start : it.kind === 'none' ? undefined : it.span.start;
}

function addCondition<T extends { readonly condition?: string }>(into: T[], from: number, condition: string): void {
  for (let at = from; at < into.length; at++) {
    const it = into[at];
    if (it) into[at] = { ...it, condition: it.condition ? `${condition} and ${it.condition}` : condition };
  }
}

/** Blocks in which an unqualified name is still a property, or a setting, of the project. */
const transparentBlocks: ReadonlySet<string> = new Set([
  'buildscript',
  'allprojects',
  'subprojects',
  'project',
  'ext',
  'extra',
]);

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

const functions: ReadonlySet<string> = new Set(['fun', 'void']);

function innerScope({ tokens, path }: Statement, outer: AssignmentScope): AssignmentScope {
  const object = declaredObject(tokens);
  if (object === '') return outer;
  if (object !== undefined) return { definesProperties: outer.definesProperties, prefix: `${outer.prefix}${object}.` };
  const name = lastName(path);
  if (transparentBlocks.has(name)) return outer;
  // What a function of an object names is its own.
  const prefix = tokens.some((it) => it.kind === 'word' && functions.has(it.text)) ? '' : outer.prefix;
  return outer.definesProperties || prefix !== outer.prefix ? { ...outer, definesProperties: false, prefix } : outer;
}
