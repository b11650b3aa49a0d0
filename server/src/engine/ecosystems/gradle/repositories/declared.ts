import type { Role } from '../../../model/manifest.ts';
import type { Registry, RegistrySource, RoutedPackage } from '../../../model/registry.ts';
import { registryAt } from '../../shared/registry-address.ts';
import { callName, hasWord, punctuationAt, readStatements, Statement, wordAt } from '../statements.ts';
import { type ScriptString, type Token, tokenize } from '../tokens.ts';
import { type Content, readContent, takesVersion } from './content-filters.ts';
import { blocksThatUse, functionName, passesOn } from './functions.ts';
import { guardsIn, type IsPassedOver } from './guards.ts';
import { isOfSettings, settingsScript } from './settings-plugins.ts';

/** A repository of a script, and what Gradle looks for in it. */
export interface Repository extends Content {
  /** Absent for a public one with a name in Gradle, which counts only as the one repository for what it includes. */
  readonly registry: Registry | undefined;
  /** As written; `?` where only a build knows it. */
  readonly address: string;
  readonly declaration: Statement;
  /** `plugin` in `pluginManagement` and `buildscript`; absent where it may be asked for either. */
  readonly role?: Role;
  /** In `dependencyResolutionManagement`, or for plugins: not replaced by what settings declare. */
  readonly isOfSettings: boolean;
  /** The block of repositories that it stands in. */
  readonly block: object;
  /** The only repository of its block for the included names, and for no others. */
  readonly isExclusive: boolean;
}

/** A script whose text names repositories. */
interface ScriptOf<Source> {
  readonly source: Source;
  readonly statements: readonly Statement[];
}

/** Only the blocks of a broken script nest deeper. */
const MAX_BLOCK_DEPTH = 50;

/** Scripts of Gradle, by the names that sources have. */
export const gradleScript = /\.gradle(?:\.kts)?$/;

/** Blocks whose repositories are for what the build itself runs on. */
export const pluginBlocks: ReadonlySet<string> = new Set(['pluginManagement', 'buildscript', 'initscript']);
const settingsBlock = 'dependencyResolutionManagement';
/** Blocks of repositories to publish to. */
const publishingBlocks: ReadonlySet<string> = new Set(['publishing', 'uploadArchives', 'nexusPublishing']);
const publishingType: ReadonlySet<string> = new Set(['PublishingExtension']);
/** Repositories with a name in Gradle. */
const publicNames: ReadonlySet<string> = new Set(['mavenCentral', 'google', 'gradlePluginPortal', 'jcenter']);
const otherNames: ReadonlySet<string> = new Set(['maven', 'ivy']);
const repositoriesWord: ReadonlySet<string> = new Set(['repositories']);

/** The package of a plugin that `plugins { id("…") }` requests. */
export const pluginMarker = /^([^:]+):\1\.gradle\.plugin$/;

/** What decides whether a repository is asked. */
export type Asked = Pick<Repository, 'role' | 'includes' | 'excludes' | 'takes' | 'isExclusive' | 'block'>;

/**
 * The repositories that Gradle asks for a package, or may. One that is the only one for it hides all others of its block.
 * @param asked without a role: as a library and as a plugin
 */
export function askedRepositories<T extends Asked>(
  repositories: readonly T[],
  asked: Pick<RoutedPackage, 'name' | 'role' | 'version'>,
): readonly { readonly repository: T; readonly isOnly: boolean }[] {
  const found: T[] = [];
  const closed = new Set<object>();
  for (const repository of repositories) {
    const { role, includes, excludes, takes, isExclusive, block } = repository;
    if (role !== undefined && asked.role !== undefined && role !== asked.role) continue;
    const matches = includes.map((it) => it(asked)).filter((it) => it !== 'no');
    if (matches.length === 0 && includes.length > 0) continue;
    if (isExclusive && matches.includes('surely')) closed.add(block);
    else if (!takesVersion(takes, asked.version) || excludes.some((it) => it(asked) === 'surely')) continue;
    found.push(repository);
  }
  return found.flatMap((repository) => {
    const isOnly = closed.has(repository.block);
    return isOnly && !repository.isExclusive ? [] : [{ repository, isOnly }];
  });
}

/** The repositories of all scripts that take part in a build. */
export function repositoriesOf<Source extends RegistrySource>(
  sources: readonly Source[],
): (Repository & { readonly source: Source })[] {
  const scripts = sources.flatMap((source): ScriptOf<Source>[] =>
    gradleScript.test(source.name)
      ? [{ source, statements: isAbout.test(source.text) ? statementsOf(source.text) : [] }]
      : [],
  );
  const own = scripts.filter(({ source }) => !source.isOfOtherBuild);
  const settings = own.filter(({ source }) => settingsScript.test(source.label));
  const isBySettings = settings.length > 0 && settings.every(({ statements }) => ignoresProjects(statements));
  const blocks = new Set<Role>();
  const all = scripts.flatMap(({ source, statements }) => {
    const { text, label, isOfOtherBuild } = source;
    const found: Repository[] = [];
    const around = { role: 'library', isOfSettings: isOfSettings(label), isSure: true } as const;
    const isPassedOver = guardsIn(source, sources);
    const declared = isOfOtherBuild ? new Set<Role>() : blocks;
    readScript(statements, around, { text, label, statements, isPassedOver, found, blocks: declared }, 0);
    const counting = isOfOtherBuild ? found : found.filter((it) => it.isOfSettings || !isBySettings);
    return counting.map((it) => ({ ...it, source }));
  });
  // Without a block for libraries a plugin declares theirs, perhaps the same.
  const isPassedBy = (name: string): boolean => scripts.some(({ statements }) => passesOn(name, statements));
  const isApart =
    blocks.has('library') &&
    !own.some(({ statements }) => sharesPluginRepositories(statements, { isForPlugins: false, isPassedBy }, 0));
  if (!isApart) return all.map(({ role: _, ...it }) => it);
  // The libraries of another build are what the plugins consist of that come from it; its own plugins are its own.
  return all.flatMap((it) => {
    if (!it.source.isOfOtherBuild) return it;
    return it.role === 'plugin' ? [] : { ...it, role: 'plugin' as const };
  });
}

/** Scripts whose statements are remembered: all but one of a build stay the same at a keystroke. */
const MAX_KNOWN = 30;
const known = new Map<string, readonly Statement[]>();

function statementsOf(text: string): readonly Statement[] {
  const before = known.get(text);
  if (before) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const statements = readStatements(tokenize(text).tokens);
  known.set(text, statements);
  return statements;
}

const isAbout = /\brepositories|\bRepositoryHandler\b|\bmaven\b/;

/** The blocks around a repository. */
interface Around extends Pick<Repository, 'isOfSettings' | 'role'> {
  /** Not in a condition or a loop. */
  readonly isSure: boolean;
  /** The function or closure around it. */
  readonly function?: string;
  /** A function around it is one of repositories. */
  readonly isOfRepositories?: boolean;
}

interface Reading {
  readonly text: string;
  readonly label: string;
  /** All of the script. */
  readonly statements: readonly Statement[];
  readonly isPassedOver: IsPassedOver;
  readonly found: Repository[];
  /** Which kinds of repositories the script declares, public ones included. */
  readonly blocks: Set<Role>;
}

function readScript(statements: readonly Statement[], around: Around, reading: Reading, depth: number): void {
  if (depth > MAX_BLOCK_DEPTH) return;
  for (const statement of statements) {
    const { path, blocks } = statement;
    const opened = blockOf(statement);
    if (opened === 'publishing' || reading.isPassedOver(statement)) continue;
    const isForPlugins = opened === 'plugin';
    const name = functionName(statement);
    const within: Around = {
      ...around,
      ...(isForPlugins && { role: 'plugin' }),
      isOfSettings: around.isOfSettings || isForPlugins || path.includes(settingsBlock),
      ...(name !== undefined && { function: name }),
      ...(hasWord(statement, handlerType) && { isOfRepositories: true }),
    };
    // `repositories.maven { … }`
    const isOnRepositories = path.slice(0, -1).includes('repositories');
    const apart = isOnRepositories ? undefined : declaredApart(statement, within, reading.text);
    if (isOnRepositories) readBlock([statement], within, {}, reading, depth + 1);
    if (apart) readApart(apart, within, reading, depth);
    if (apart) continue;
    // `with(repositories) { … }`
    const isOfRepositories = hasWord(statement, repositoriesWord);
    if (isOfRepositories && within.role) reading.blocks.add(within.role);
    const block = {};
    for (const it of blocks) {
      if (isOfRepositories) readBlock(it, within, block, reading, depth + 1);
      else readScript(it, within, reading, depth + 1);
    }
  }
}

function blockOf(statement: Statement): Role | 'publishing' | undefined {
  const { path } = statement;
  if (path.some((it) => publishingBlocks.has(it)) || hasWord(statement, publishingType)) return 'publishing';
  return path.some((it) => pluginBlocks.has(it)) ? 'plugin' : undefined;
}

const handlerType: ReadonlySet<string> = new Set(['RepositoryHandler']);

/** A repository outside of a block for them: in a function, a closure, or on a variable. */
function declaredApart(
  { tokens, blocks }: Statement,
  { isOfRepositories }: Around,
  text: string,
): Statement | undefined {
  const from = tokens.findIndex((it, at) => {
    if (it.kind !== 'word' || !(otherNames.has(it.text) || it.text === 'exclusiveContent')) return false;
    return punctuationAt(tokens, at + 1) === '(' || (at === tokens.length - 1 && blocks.length > 0);
  });
  if (from < 0) return undefined;
  const declaration = new Statement(tokens.slice(from), blocks);
  const hasAddress = strings(declaration.tokens).some((it) => text.slice(it.start, it.end).includes('://'));
  const isOne = isOfRepositories === true || hasAddress || blocks.flat().some(isUrlStatement);
  return isOne || callName(declaration) === 'exclusiveContent' ? declaration : undefined;
}

/** By the blocks that call its function; for either role where that is not known. */
function readApart(statement: Statement, around: Around, reading: Reading, depth: number): void {
  const uses: ReadonlySet<string> =
    around.function === undefined ? new Set() : blocksThatUse(around.function, reading.statements, blockOf);
  const roles = new Set([...uses].filter((it) => it !== 'publishing'));
  if (uses.size > 0 && roles.size === 0) return;
  const { role, ...unknown } = around;
  const isPlugin = role === 'plugin' || (roles.has('plugin') && roles.size === 1);
  const isLibrary = roles.has('library') && roles.size === 1;
  const within =
    isPlugin || isLibrary ? { ...around, role: isPlugin ? ('plugin' as const) : ('library' as const) } : unknown;
  readBlock([statement], within, {}, reading, depth + 1);
}

function readBlock(
  statements: readonly Statement[],
  around: Around,
  block: object,
  reading: Reading,
  depth: number,
): void {
  if (depth > MAX_BLOCK_DEPTH) return;
  const { text, label, found } = reading;
  const { role, isOfSettings } = around;
  for (const statement of statements) {
    if (reading.isPassedOver(statement)) continue;
    if (callName(statement) === 'exclusiveContent') readExclusive(statement, around, block, reading, depth);
    else if (isRepository(statement)) {
      const address = addressOf(statement, text);
      const named = address === undefined ? undefined : registryAt(address, label);
      if (address === undefined || named === undefined) continue;
      const registry = { ...named, ...offsetOf(statement) };
      const inner = statement.blocks.flat().filter((it) => /^(?:c|mavenC)ontent$/.test(callName(it)));
      const at = { ...(role && { role }), isOfSettings, block, isExclusive: false };
      found.push({ registry, address, declaration: statement, ...at, ...readContent(inner, text) });
    } else {
      // In a condition or a loop.
      for (const it of statement.blocks) readBlock(it, { ...around, isSure: false }, block, reading, depth + 1);
    }
  }
}

/** What comes from a folder alone, or from what only a build knows, is not public, either. */
function readExclusive(statement: Statement, around: Around, block: object, reading: Reading, depth: number): void {
  const { text, label, found } = reading;
  const inner = statement.blocks.flat();
  const { includes } = readContent(
    inner.filter((it) => callName(it) === 'filter'),
    text,
  );
  for (const one of inner.filter((it) => callName(it).startsWith('forRepositor'))) {
    const repositories: Repository[] = [];
    for (const it of one.blocks) readBlock(it, around, block, { ...reading, found: repositories }, depth + 1);
    const isPublic = one.blocks.flat().some((it) => publicNames.has(callName(it)));
    const { role, isOfSettings, isSure } = around;
    const only = { includes, excludes: [], isExclusive: isSure && includes.length > 0 };
    if (repositories.length === 0 && includes.length > 0) {
      const registry = isPublic ? undefined : { from: label, ...offsetOf(one) };
      found.push({ registry, address: '?', declaration: one, ...(role && { role }), isOfSettings, block, ...only });
    }
    for (const it of repositories) found.push({ ...it, ...only });
  }
}

/** Where the address of a repository is, or it begins. */
function offsetOf(statement: Statement): Pick<Registry, 'at'> {
  const [first] = (statement.blocks.flat().find(isUrlStatement) ?? statement).tokens;
  return first ? { at: first.start } : {};
}

/** Calls on `repositories` that add one, or open its block. */
const ownCalls: ReadonlySet<string> = new Set([
  ...publicNames,
  ...otherNames,
  ...['mavenLocal', 'flatDir', 'exclusiveContent', 'apply', 'with'],
]);

/** Whether repositories for plugins may be used elsewhere: `repositories.addAll(buildscript.repositories)`. */
function sharesPluginRepositories(
  statements: readonly Statement[],
  { isForPlugins, isPassedBy }: { readonly isForPlugins: boolean; readonly isPassedBy: (name: string) => boolean },
  depth: number,
): boolean {
  if (depth > MAX_BLOCK_DEPTH) return true;
  return statements.some((statement) => {
    const { tokens, path, blocks } = statement;
    const isPassed = tokens.some((_, at) => {
      if (wordAt(tokens, at) !== 'repositories') return false;
      if (!isForPlugins && !pluginBlocks.has(wordAt(tokens, at - 2) ?? '')) return false;
      const next = punctuationAt(tokens, at + 1);
      const called = wordAt(tokens, at + 2) ?? '';
      if (next === '.' && isPlainCall(statement, at + 2)) return isPassedBy(called);
      if (next === '.') return !ownCalls.has(called);
      return next !== '(' && (at < tokens.length - 1 || blocks.length === 0);
    });
    const within = isForPlugins || path.some((it) => pluginBlocks.has(it));
    const inner = { isForPlugins: within, isPassedBy };
    return isPassed || blocks.some((it) => sharesPluginRepositories(it, inner, depth + 1));
  });
}

/** `repositories.redirect()`: nothing is given to it, and what it returns is not used. */
function isPlainCall({ tokens, path, blocks }: Statement, at: number): boolean {
  const isAlone = blocks.length === 0 && path.length * 2 - 2 === at && tokens.length === at + 3;
  return isAlone && punctuationAt(tokens, at + 1) === '(' && punctuationAt(tokens, at + 2) === ')';
}

/**
 * Whether what projects declare does not count. Source: Gradle's `RepositoriesMode`.
 *
 *     dependencyResolutionManagement { repositoriesMode.set(RepositoriesMode.FAIL_ON_PROJECT_REPOS) }
 */
function ignoresProjects(statements: readonly Statement[]): boolean {
  const set = statements.flatMap((it) => (it.path.includes(settingsBlock) ? [it, ...it.blocks.flat()] : []));
  const modes = set.filter((it) => it.path.includes('repositoriesMode'));
  return modes.length > 0 && modes.every((it) => it.blocks.length === 0 && isIgnoring(it));
}

const modeWords: ReadonlySet<string> = new Set([
  ...[settingsBlock, 'settings', 'repositoriesMode', 'set', 'RepositoriesMode'],
  ...['PREFER_SETTINGS', 'FAIL_ON_PROJECT_REPOS'],
]);

function isIgnoring(statement: Statement): boolean {
  return (
    statement.tokens.every((it) => it.kind === 'punctuation' || (it.kind === 'word' && modeWords.has(it.text))) &&
    statement.tokens.some((it) => it.kind === 'word' && /^[A-Z_]+$/.test(it.text))
  );
}

/** `url "…"`, `url = uri("…")`, `setUrl("…")`, `maven("…")`; an address that only a build knows is unknown. */
function addressOf(statement: Statement, text: string): string | undefined {
  const inner = statement.blocks.flat();
  const [url, another] = inner.filter(isUrlStatement);
  const tokens = url?.tokens ?? statement.tokens;
  const [written, more] = strings(tokens);
  // A half-typed one is ignored.
  if (url === undefined && statement.tokens.length < 2 && inner.length === 0) return undefined;
  const isPlain =
    another === undefined &&
    more === undefined &&
    tokens.every((it) => it.kind !== 'word' || literalWords.has(it.text));
  const plain = written && isPlain ? text.slice(written.span.start, written.span.end) : '?';
  const address = plain.includes('\\u') ? '?' : plain;
  return folderPattern.test(address) ? undefined : address;
}

/** Words around a literal address or folder. Behind any other word the text may be the name of a property, for example. */
const literalWords: ReadonlySet<string> = new Set([
  'maven',
  'ivy',
  'repositories',
  'url',
  'setUrl',
  'uri',
  'file',
  'layout',
  'buildDirectory',
  'projectDirectory',
  'rootProject',
  'project',
  'dir',
]);

/** Properties of Project, Settings and Gradle that are folders, and the home folder. Source: Gradle, DSL Reference. */
const folderProperty =
  /(?:(?:project|rootProject|settings|gradle|gradle\.startParameter)\.)?(?:rootDir|projectDir|buildDir|settingsDir|gradleUserHomeDir|gradleHomeDir|layout\.buildDirectory)\b/;
const homeFolder = /System\.(?:getProperty\(["']user\.home["']\)|properties\[["']user\.home["']\])/;
/** Gradle reads an address without a scheme as a folder. A variable may contain any address, unless it is a known folder. */
const folderPattern = new RegExp(
  `^(?:[\\w./-]+|(?:file:(?://)?)?\\$\\{?(?:${folderProperty.source}|${homeFolder.source}).*)$`,
  's',
);

/** `maven { … }`, also behind a condition, and a repository with a name in Gradle but another address. */
function isRepository(statement: Statement): boolean {
  return hasWord(statement, otherNames) || statement.blocks.flat().some(isUrlStatement);
}

function isUrlStatement(statement: Statement): boolean {
  const { tokens, path } = statement;
  const [next, another] = [0, 1].map((it) => punctuationAt(tokens, path.length * 2 - 1 + it));
  // A comparison sets none.
  return /^(?:url|setUrl|uri)$/.test(callName(statement)) && !(another === '=' && (next === '=' || next === '!'));
}

function strings(tokens: readonly Token[]): ScriptString[] {
  return tokens.filter((it) => it.kind === 'string');
}
