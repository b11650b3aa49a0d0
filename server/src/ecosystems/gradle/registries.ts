import type { Registry, RegistrySource } from '../../model/registry.ts';
import { distinctRegistries, MAX_PATTERNS, registryAt } from '../shared/registry-address.ts';
import { pathAt, readStatements, type Statement, wordAt } from './statements.ts';
import { readTokens, type ScriptString, type Token } from './tokens.ts';

/** A repository of a script, and the names that it is asked for. */
interface Repository {
  readonly registry: Registry;
  /** Everything where there is none. */
  readonly includes: readonly Filter[];
  readonly excludes: readonly Filter[];
  /** Asked for nothing but what is included, and the only one that is asked for it. */
  readonly isExclusive: boolean;
}

type Filter = (name: string) => boolean;

/** Blocks nest deeper than this only in a broken script. */
const deepest = 50;

/**
 * The repositories of a build script, its settings, or what starts every build. Those that Gradle has a name for
 * (`mavenCentral()`, `google()`, `gradlePluginPortal()`) are public, and those for what is published are not asked.
 *
 *     repositories {
 *       maven { url = uri("https://…"); content { includeGroupAndSubgroups("com.acme") } }
 *       exclusiveContent { forRepository { maven { url "https://…" } } filter { includeGroup "com.acme" } }
 *     }
 */
export function readGradle({ text, label }: RegistrySource): (name: string) => readonly Registry[] {
  const named = /\brepositories\b/.test(text) ? [...inScript(readStatements(readTokens(text).tokens), 0)] : [];
  const filtering = named.reduce((sum, { includes, excludes }) => sum + includes.length + excludes.length + 1, 0);
  const repositories = filtering > MAX_PATTERNS ? withoutFilters(named) : named;
  return (name) => {
    const asked = repositories.filter(
      ({ includes, excludes }) =>
        (includes.length === 0 || includes.some((it) => it(name))) && !excludes.some((it) => it(name)),
    );
    const exclusive = asked.filter((it) => it.isExclusive);
    const found = exclusive.length > 0 ? exclusive : asked;
    return found.map(({ registry }) => ({ ...registry, ...(exclusive.length === 0 && { beside: true as const }) }));
  };

  function* inScript(statements: readonly Statement[], depth: number): Generator<Repository> {
    if (depth > deepest) return;
    for (const statement of statements) {
      const head = nameOf(statement);
      if (head === 'publishing' || head === 'uploadArchives') continue;
      // `repositories.maven { … }`
      if (pathAt(statement.tokens).slice(0, -1).includes('repositories')) yield* inRepositories([statement], depth + 1);
      // `with(repositories) { … }`
      const isAbout = head === 'repositories' || hasWord(statement, 'repositories');
      for (const block of statement.blocks) {
        if (isAbout) yield* inRepositories(block, depth + 1);
        else yield* inScript(block, depth + 1);
      }
    }
  }

  function* inRepositories(statements: readonly Statement[], depth: number): Generator<Repository> {
    if (depth > deepest) return;
    for (const statement of statements) {
      const head = nameOf(statement);
      if (head === 'exclusiveContent') {
        const inner = statement.blocks.flat();
        const includes = inner.filter((it) => nameOf(it) === 'filter').flatMap((it) => filters(it, 'include'));
        for (const it of inner.filter((one) => nameOf(one).startsWith('forRepositor'))) {
          for (const block of it.blocks) {
            for (const repository of inRepositories(block, depth + 1))
              yield { ...repository, includes, isExclusive: includes.length > 0 };
          }
        }
      } else if (isRepository(statement)) {
        const registry = addressOf(statement);
        const content = statement.blocks.flat().filter((it) => nameOf(it) === 'content');
        const [includes, excludes] = (['include', 'exclude'] as const).map((verb) =>
          content.flatMap((it) => filters(it, verb)),
        );
        if (registry) yield { registry, includes: includes ?? [], excludes: excludes ?? [], isExclusive: false };
      } else {
        // In a condition, or for each of a list.
        for (const block of statement.blocks) yield* inRepositories(block, depth + 1);
      }
    }
  }

  /** `url "…"`, `url = uri("…")`, `setUrl("…")`, `maven("…")`; anything that only a build could work out is some registry. */
  function addressOf(statement: Statement): Registry | undefined {
    const inner = statement.blocks.flat();
    const url = inner.find(saysAddress);
    const tokens = url?.tokens ?? statement.tokens;
    const [written, another] = strings(tokens);
    // One that is just begun says nothing.
    if (url === undefined && statement.tokens.length < 2 && inner.length === 0) return undefined;
    const isPlain = another === undefined && tokens.every((it) => it.kind !== 'word' || plainWords.has(it.text));
    const plain = written && isPlain ? text.slice(written.span.start, written.span.end) : '?';
    const address = plain.includes('\\u') ? '?' : plain;
    return folder.test(address) ? undefined : registryAt(address, label);
  }

  function filters(holder: Statement, verb: 'include' | 'exclude'): Filter[] {
    return holder.blocks.flat().flatMap((it): Filter[] => {
      const kind = nameOf(it);
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
          // A pattern of a stranger is not run: what it may include is included, what it may exclude is not excluded.
          return verb === 'include' ? [() => true] : [];
      }
    });
  }
}

/** Around the text of an address or folder. Behind any other word that text may be the name of a property, for example. */
const plainWords: ReadonlySet<string> = new Set([
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

/** Gradle takes what has no scheme for a folder; a variable may hold anything, but for those that are folders. */
const folder =
  /^(?:[\w./-]+|\$\{?(?:(?:project|rootProject)\.)?(?:rootDir|projectDir|buildDir|layout\.buildDirectory)\b.*)$/s;

function withoutFilters(repositories: readonly Repository[]): Repository[] {
  const registries = distinctRegistries(repositories.map((it) => it.registry));
  return registries.map((registry) => ({ registry, includes: [], excludes: [], isExclusive: false }));
}

function nameOf({ tokens }: Statement): string {
  return pathAt(tokens).at(-1) ?? wordAt(tokens, 0) ?? '';
}

/** `maven { … }`, also behind a condition; and one that Gradle has a name for, with another address. */
function isRepository(statement: Statement): boolean {
  if (['maven', 'ivy'].some((it) => nameOf(statement) === it || hasWord(statement, it))) return true;
  return statement.blocks.flat().some(saysAddress);
}

function saysAddress(statement: Statement): boolean {
  return /^(?:url|setUrl|uri)$/.test(nameOf(statement));
}

function hasWord({ tokens }: Statement, name: string): boolean {
  return tokens.some((it) => it.kind === 'word' && it.text === name);
}

function strings(tokens: readonly Token[]): ScriptString[] {
  return tokens.filter((it) => it.kind === 'string');
}
