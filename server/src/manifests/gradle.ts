import type { Manifest, ManifestFormat } from '../model/manifest.ts';
import { buildIn } from './gradle-build.ts';
import { catalogFile, catalogName, readCatalogStatement } from './gradle-catalog.ts';
import { type Holder, readAssignment } from './gradle-definitions.ts';
import { type Found, readDependencyStatement, type Within } from './gradle-dependencies.ts';
import { unrolled } from './gradle-each.ts';
import { appliedScript, impliedFiles } from './gradle-files.ts';
import { readPlugin, withPluginBills } from './gradle-plugins.ts';
import { readSetEntries } from './gradle-sets.ts';
import { markAt, pathAt, readStatements, type Statement, wordAt } from './gradle-statements.ts';
import { readTokens } from './gradle-tokens.ts';

/** Gradle's scripts, in Groovy and in Kotlin: of projects, of settings, and those that scripts apply. */
export const gradle: ManifestFormat = {
  id: 'build.gradle',
  system: 'MAVEN',
  files: /\.gradle(?:\.kts)?$/,
  parse,
};

/** Blocks nest deeper than this only in a broken script. */
const deepest = 50;

/** What decides on a version, or on a module, outside of the blocks of dependencies: `resolutionStrategy.force 'g:a:1'`. */
const forcing: ReadonlySet<string> = new Set(['force', 'useModule', 'useTarget']);

/** What the blocks around a statement say of it. */
interface Block {
  readonly dependencies?: Within;
  readonly plugins: boolean;
  /** The name of a catalog; empty between catalogs. */
  readonly catalog?: string;
  readonly holder: Holder;
  readonly buildscript: boolean;
}

function parse(text: string): Manifest {
  const { tokens, problems } = readTokens(text);
  const found: Found = { dependencies: [], definitions: [] };
  const statements = readStatements(tokens);
  const references = [...walk(statements, outermost, 0)];
  found.dependencies.sort((a, b) => a.nameSpan.start - b.nameSpan.start);
  // An element of a list that goes into several configurations stands there once.
  const once = found.dependencies.filter((it, at, all) => it.nameSpan.start !== all[at - 1]?.nameSpan.start);
  const dependencies = withPluginBills(once);
  // Many a variable is empty until a branch of the script gives it a value.
  const given = new Set(found.definitions.filter((it) => !it.blank).map((it) => it.id));
  const definitions = found.definitions.filter((it) => !it.blank || !given.has(it.id));
  return {
    dependencies,
    definitions,
    references: [...references, ...impliedFiles(found)],
    problems,
    ...buildIn(statements),
  };

  function* walk(
    statements: readonly Statement[],
    block: Block,
    depth: number,
  ): Generator<Manifest['references'][number]> {
    if (depth > deepest) return;
    for (const statement of statements) {
      const head = wordAt(statement.tokens, 0);
      const applied = head === 'apply' ? appliedScript(statement.tokens, text) : undefined;
      if (applied) yield applied;
      const file = block.catalog && head === 'from' ? catalogFile(statement.tokens, block.catalog) : undefined;
      if (file) yield file;
      else if (block.catalog !== undefined) readCatalogStatement(statement, block.catalog, text, found);
      else if (block.plugins) readPlugin(statement, text, found);
      else if (block.dependencies && head === 'dependencySet') readSetEntries(statement, text, found);
      else if (block.dependencies)
        for (const it of unrolled(statement)) readDependencyStatement(it, block.dependencies, text, found);
      else if (forcing.has(pathAt(statement.tokens).at(-1) ?? ''))
        readDependencyStatement(statement, { manages: false }, text, found);
      else if (isAddition(statement)) readDependencyStatement(statement, withinDependencies(block), text, found);
      readAssignment(statement, block.holder, text, found);
      const inner = within(statement, block);
      for (const it of statement.blocks) yield* walk(it, inner, depth + 1);
    }
  }
}

const outermost: Block = { plugins: false, buildscript: false, holder: { open: true, prefix: '' } };

/** Blocks that leave what stands alone in them a property, or a setting, of the project. */
const transparent: ReadonlySet<string> = new Set([
  'buildscript',
  'allprojects',
  'subprojects',
  'project',
  'ext',
  'extra',
]);

function within({ tokens }: Statement, block: Block): Block {
  const path = pathAt(tokens);
  const name = path.findLast((it) => it !== 'apply' && it !== 'with') ?? '';
  const first = path[0] ?? '';
  const buildscript = block.buildscript || name === 'buildscript';
  const object = first === 'object' || first === 'class' ? (wordAt(tokens, 1) ?? '') : undefined;
  const inner = { ...block, buildscript, holder: holderOf(name, object, block.holder) };
  if (block.catalog === '') return { ...inner, catalog: catalogName(tokens) };
  switch (name) {
    case 'dependencies': {
      const isManagement = block.dependencies?.group === 'dependencyManagement';
      const management: Within = { manages: true, group: 'dependencyManagement' };
      return { ...inner, dependencies: isManagement ? management : withinDependencies(inner) };
    }
    case 'constraints':
      return block.dependencies ? { ...inner, dependencies: { group: 'constraints', manages: true } } : inner;
    case 'dependencyManagement':
    case 'imports':
      return { ...inner, dependencies: { group: 'dependencyManagement', manages: name !== 'imports' } };
    case 'plugins':
      return { ...inner, plugins: true };
    case 'versionCatalogs':
      return { ...inner, catalog: '' };
    default:
      return inner;
  }
}

/** `dependencies.implementation 'g:a:1'`, `project.dependencies.add("api", "g:a:1")`: it stands in no block. */
function isAddition({ tokens }: Statement): boolean {
  const path = pathAt(tokens);
  return path.at(-2) === 'dependencies' && markAt(tokens, path.length * 2 - 1) !== '=';
}

function withinDependencies({ buildscript }: Block): Within {
  return { manages: false, ...(buildscript && { group: 'buildscript' }) };
}

function holderOf(name: string, object: string | undefined, outer: Holder): Holder {
  if (object !== undefined) return { open: outer.open, prefix: `${outer.prefix}${object}.` };
  if (name === 'if' || name === 'else') return { ...outer, condition: 'a branch of the script' };
  return transparent.has(name) ? outer : { ...outer, open: false };
}
