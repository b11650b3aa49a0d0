import type { Role } from '../../model/manifest.ts';
import { readCatalogName } from './catalog-access.ts';
import type { Closures, DependencyBlock } from './dependencies.ts';
import { pluginBlocks } from './repositories/declared.ts';
import { punctuationAt, type Statement, wordAt } from './statements.ts';

/** The blocks around a statement. */
export interface Block extends Closures {
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
  /** It is read only where a condition applies: a script that it applies need not exist. */
  readonly isConditional: boolean;
}

export const topLevel: Block = {
  dependencies: undefined,
  plugins: false,
  catalog: undefined,
  buildscript: false,
  role: 'library',
  path: [],
  parent: undefined,
  parameters: [],
  elements: [],
  isConditional: false,
};

/** @param isOfDependency the block belongs to a dependency: it configures that, and adds no other unless a brace is missing */
export function enterBlock(statement: Statement, block: Block, isOfDependency: boolean): Block {
  const { tokens, path, parameters: own } = statement;
  // `fun Project.tests() = dependencies { … }`
  const isBody = path[0] === 'fun' && punctuationAt(tokens, tokens.length - 2) === '=';
  const name = (isBody ? wordAt(tokens, tokens.length - 1) : undefined) ?? lastName(path);
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
  return {
    dependencies,
    plugins,
    catalog,
    buildscript,
    role,
    path: blockPath(tokens, path),
    parent: block,
    parameters: withParameters(block, own).parameters,
    elements: isLoopOverArtifacts(tokens) ? [...(own.length > 0 ? own : ['it'])] : block.elements,
    isConditional: block.isConditional,
  };
}

/** A loop over a list that the script does not write out, unless it is one of projects. */
function isLoopOverArtifacts(tokens: Statement['tokens']): boolean {
  const last = wordAt(tokens, tokens.length - 1);
  const isLoop = wordAt(tokens, 0) === 'for' || last === 'each' || last === 'forEach';
  return isLoop && !tokens.some((it) => it.kind === 'word' && /projects?$/i.test(it.text));
}

export function withParameters(block: Block, own: readonly string[]): Block {
  if (own.length === 0) return block;
  return { ...block, parameters: [...block.parameters, ...own].slice(-MAX_PARAMETERS) };
}

export function roleOf(path: readonly string[], block: Block): Role {
  return path.some((it) => pluginBlocks.has(it)) ? 'plugin' : block.role;
}

const management: DependencyBlock = { manages: true, group: 'dependencyManagement' };
const imports: DependencyBlock = { manages: false, group: 'dependencyManagement' };
const constraints: DependencyBlock = { manages: true, group: 'constraints' };
const classpath: DependencyBlock = { manages: false, group: 'buildscript' };
const plain: DependencyBlock = { manages: false };

/** The name of the configured object: `ext` of `ext.apply { … }`. */
export function lastName(path: readonly string[]): string {
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

/** `resolutionStrategy.force 'g:a:1'`, or in its block. */
export function isForcedVersion({ path }: Statement, block: Block): boolean {
  if (path.at(-1) !== 'force') return false;
  return path.includes('resolutionStrategy') || (path.length === 1 && block.path.includes('resolutionStrategy'));
}

/** `dependencies.implementation 'g:a:1'`, `project.dependencies.add("api", "g:a:1")`, outside of any block. */
export function isQualifiedDependency({ tokens, path }: Statement): boolean {
  return path.at(-2) === 'dependencies' && punctuationAt(tokens, path.length * 2 - 1) !== '=';
}

export function dependencyBlock(buildscript: boolean): DependencyBlock {
  return buildscript ? classpath : plain;
}
