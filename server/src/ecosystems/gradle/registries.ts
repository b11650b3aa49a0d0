import type { Registry, RegistrySource } from '../../model/registry.ts';
import { distinctRegistries, MAX_PATTERNS, registryAt } from '../shared/registry-address.ts';
import { dottedName, readStatements, type Statement, wordAt } from './statements.ts';
import { type ScriptString, type Token, tokenize } from './tokens.ts';

/** A repository of a script, and the names that Gradle looks for in it. */
export interface Repository {
  readonly registry: Registry;
  /** As written; `?` where only a build knows it. */
  readonly address: string;
  readonly declaration: Statement;
  /** In `pluginManagement` or `buildscript`. */
  readonly isForPlugins: boolean;
  /** All names where there is none. */
  readonly includes: readonly Filter[];
  readonly excludes: readonly Filter[];
  /** The only repository for the included names, and for no others. */
  readonly isExclusive: boolean;
}

type Filter = (name: string) => boolean;

/** Only the blocks of a broken script nest deeper. */
const MAX_BLOCK_DEPTH = 50;

/**
 * The repositories of a build script, a settings script or an init script. Those with a name in Gradle (`mavenCentral()`,
 * `google()`, `gradlePluginPortal()`) are public. Repositories to publish to do not count.
 *
 *     repositories {
 *       maven { url = uri("https://…"); content { includeGroupAndSubgroups("com.acme") } }
 *       exclusiveContent { forRepository { maven { url "https://…" } } filter { includeGroup "com.acme" } }
 *     }
 */
export function readRepositories(source: RegistrySource): (name: string) => readonly Registry[] {
  const named = repositoriesIn(source);
  const filtering = named.reduce((sum, { includes, excludes }) => sum + includes.length + excludes.length + 1, 0);
  const repositories = filtering > MAX_PATTERNS ? withoutFilters(named) : named;
  return (name) => {
    const asked = repositories.filter(
      ({ includes, excludes }) =>
        (includes.length === 0 || includes.some((it) => it(name))) && !excludes.some((it) => it(name)),
    );
    const exclusive = asked.filter((it) => it.isExclusive);
    const found = exclusive.length > 0 ? exclusive : asked;
    return found.map(({ registry }) => ({
      ...registry,
      ...(exclusive.length === 0 && { isAdditional: true as const }),
    }));
  };
}

/** All repositories of a script, with their filters. */
export function repositoriesIn({ text, label }: RegistrySource): readonly Repository[] {
  return /\brepositories\b/.test(text)
    ? [...repositoriesOfScript(readStatements(tokenize(text).tokens), 0, false)]
    : [];

  function* repositoriesOfScript(
    statements: readonly Statement[],
    depth: number,
    isAbove: boolean,
  ): Generator<Repository> {
    if (depth > MAX_BLOCK_DEPTH) return;
    for (const statement of statements) {
      const head = callName(statement);
      if (head === 'publishing' || head === 'uploadArchives') continue;
      const isForPlugins = isAbove || head === 'pluginManagement' || head === 'buildscript';
      // `repositories.maven { … }`
      if (dottedName(statement.tokens).slice(0, -1).includes('repositories'))
        yield* repositoriesOfBlock([statement], depth + 1, isForPlugins);
      // `with(repositories) { … }`
      const isAbout = head === 'repositories' || hasWord(statement, 'repositories');
      for (const block of statement.blocks) {
        if (isAbout) yield* repositoriesOfBlock(block, depth + 1, isForPlugins);
        else yield* repositoriesOfScript(block, depth + 1, isForPlugins);
      }
    }
  }

  function* repositoriesOfBlock(
    statements: readonly Statement[],
    depth: number,
    isForPlugins: boolean,
  ): Generator<Repository> {
    if (depth > MAX_BLOCK_DEPTH) return;
    for (const statement of statements) {
      const head = callName(statement);
      if (head === 'exclusiveContent') {
        const inner = statement.blocks.flat();
        const includes = inner.filter((it) => callName(it) === 'filter').flatMap((it) => readFilters(it, 'include'));
        for (const it of inner.filter((one) => callName(one).startsWith('forRepositor'))) {
          for (const block of it.blocks) {
            for (const repository of repositoriesOfBlock(block, depth + 1, isForPlugins))
              yield { ...repository, includes, isExclusive: includes.length > 0 };
          }
        }
      } else if (isRepository(statement)) {
        const address = addressOf(statement);
        const registry = address === undefined ? undefined : registryAt(address, label);
        const content = statement.blocks.flat().filter((it) => callName(it) === 'content');
        const [includes, excludes] = (['include', 'exclude'] as const).map((verb) =>
          content.flatMap((it) => readFilters(it, verb)),
        );
        if (address === undefined || registry === undefined) continue;
        const filters = { includes: includes ?? [], excludes: excludes ?? [], isExclusive: false };
        yield { registry, address, declaration: statement, isForPlugins, ...filters };
      } else {
        // In a condition or a loop.
        for (const block of statement.blocks) yield* repositoriesOfBlock(block, depth + 1, isForPlugins);
      }
    }
  }

  /** `url "…"`, `url = uri("…")`, `setUrl("…")`, `maven("…")`; an address that only a build knows is unknown. */
  function addressOf(statement: Statement): string | undefined {
    const inner = statement.blocks.flat();
    const url = inner.find(isUrlStatement);
    const tokens = url?.tokens ?? statement.tokens;
    const [written, another] = strings(tokens);
    // A half-typed one is ignored.
    if (url === undefined && statement.tokens.length < 2 && inner.length === 0) return undefined;
    const isPlain = another === undefined && tokens.every((it) => it.kind !== 'word' || literalWords.has(it.text));
    const plain = written && isPlain ? text.slice(written.span.start, written.span.end) : '?';
    const address = plain.includes('\\u') ? '?' : plain;
    return folderPattern.test(address) ? undefined : address;
  }

  function readFilters(content: Statement, verb: 'include' | 'exclude'): Filter[] {
    return content.blocks.flat().flatMap((it): Filter[] => {
      const kind = callName(it);
      if (!kind.startsWith(verb)) return [];
      const [group = '', module] = strings(it.tokens).map(({ span }) => text.slice(span.start, span.end));
      switch (kind.slice(verb.length)) {
        case 'Group':
          return [(name) => name.startsWith(`${group}:`)];
        case 'GroupAndSubgroups':
          return [(name) => name.startsWith(`${group}:`) || name.startsWith(`${group}.`)];
        case 'Module':
        case 'Version':
          return [(name) => name === `${group}:${module ?? ''}`];
        default:
          // A pattern from the file is not run. It may match any name: it includes all names, and excludes none.
          return verb === 'include' ? [() => true] : [];
      }
    });
  }
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

/** Gradle reads an address without a scheme as a folder. A variable may contain any address, unless it is a known folder. */
const folderPattern =
  /^(?:[\w./-]+|\$\{?(?:(?:project|rootProject)\.)?(?:rootDir|projectDir|buildDir|layout\.buildDirectory)\b.*)$/s;

function withoutFilters(
  repositories: readonly Repository[],
): Pick<Repository, 'registry' | 'includes' | 'excludes' | 'isExclusive'>[] {
  const registries = distinctRegistries(repositories.map((it) => it.registry));
  return registries.map((registry) => ({ registry, includes: [], excludes: [], isExclusive: false }));
}

/** The last name of what a statement calls: `url` of `it.url = …`. */
export function callName({ tokens }: Statement): string {
  return dottedName(tokens).at(-1) ?? wordAt(tokens, 0) ?? '';
}

/** `maven { … }`, also behind a condition, and a repository with a name in Gradle but another address. */
function isRepository(statement: Statement): boolean {
  if (['maven', 'ivy'].some((it) => callName(statement) === it || hasWord(statement, it))) return true;
  return statement.blocks.flat().some(isUrlStatement);
}

function isUrlStatement(statement: Statement): boolean {
  return /^(?:url|setUrl|uri)$/.test(callName(statement));
}

function hasWord({ tokens }: Statement, name: string): boolean {
  return tokens.some((it) => it.kind === 'word' && it.text === name);
}

function strings(tokens: readonly Token[]): ScriptString[] {
  return tokens.filter((it) => it.kind === 'string');
}
