import * as l10n from '@vscode/l10n';
import type { Scope } from '../../model/manifest.ts';
import type { Literal, Span } from '../../model/span.ts';
import type { Script } from './script.ts';
import { cut, inside, markAt, pathAt, wordAt } from './statements.ts';
import type { Token } from './tokens.ts';
import {
  catalogIds,
  isOpening,
  literalOf,
  readValue,
  referenceTo,
  slice,
  spanOf,
  type Value,
  type ValuePiece,
} from './values.ts';

/** An artifact that a build script names. */
export type Artifact =
  | {
      readonly kind: 'coordinates';
      readonly name: readonly ValuePiece[];
      readonly version: readonly ValuePiece[];
      /** Behind the colon of `group:artifact:`. */
      readonly blank?: Literal;
      /** Where the name stands: that of the artifact, where group and artifact stand apart. */
      readonly nameSpan: Span;
      readonly platform: boolean;
      readonly frozen?: string;
    }
  /** `libs.spring.core`: an entry of a catalog, or of a map that the script defines. */
  | {
      readonly kind: 'accessor';
      readonly path: string;
      readonly span: Span;
      readonly platform: boolean;
    }
  | NpmArtifact;

/** `npm("react", "18.2.0")`, which Kotlin's plugin for JavaScript writes into a package.json. */
export interface NpmArtifact {
  readonly kind: 'npm';
  readonly name: readonly ValuePiece[];
  readonly version: readonly ValuePiece[];
  readonly platform: false;
  /** Absent where it is that of the configuration. */
  readonly scope?: Scope;
}

/** Calls nest deeper than this only in a broken script. */
const deepest = 8;

/** Calls whose arguments are no published artifacts. */
const others: ReadonlySet<string> = new Set(['project', 'files', 'fileTree', 'findProject']);
/** Calls that name a package of npm, and what they say of its scope. */
const npmCalls: ReadonlyMap<string, Pick<NpmArtifact, 'scope'>> = new Map([
  ['npm', {}],
  ['devNpm', { scope: 'dev' }],
  ['optionalNpm', { scope: 'optional' }],
  ['peerNpm', { scope: 'peer' }],
]);
/** The first names of what is no catalog, and no name that a script gives. */
const notCatalogs: ReadonlySet<string> = new Set([
  ...['project', 'rootProject', 'projects', 'gradle', 'dependencies', 'configurations', 'sourceSets', 'files'],
  ...['layout', 'compose', 'kotlin', 'this', 'it', 'true', 'false', 'null'],
]);
/** What a name may begin with that is no part of it. */
const holders: ReadonlySet<string> = new Set(['project', 'rootProject', 'ext', 'extra', 'properties', 'this']);
/** Calls that give what a name stands for. */
const getters: ReadonlySet<string> = new Set([
  ...['get', 'asProvider', 'toString', 'values', 'property', 'findProperty', 'getProperty', 'gradleProperty'],
]);
/** Expressions longer than this are calculations. */
const longestExpression = 500;
/** Tokens of lists that are read for those who refer to them. Of real scripts they are some hundred. */
const mostExpanded = 200_000;

/**
 * The artifacts in the arguments of a configuration.
 *
 *     'g:a:1', 'g:b:1'      (platform("g:a:1"))      group: 'g', name: 'a', version: '1'      ("g", "a", "1")      (libs.a)
 */
export function artifactsIn(tokens: readonly Token[], script: Script): readonly Artifact[] {
  return read(tokens, false, 0);

  function read(list: readonly Token[], platform: boolean, depth: number): readonly Artifact[] {
    if (depth > deepest) return [];
    if (isOpening(list, 0)) {
      // Several maps may stand beside each other: `[group: 'g', name: 'a'], [group: 'g', name: 'b']`.
      const groups = cut(list, ',').filter((it) => isOpening(it, 0));
      return groups.flatMap((it) => read(inside(it, 0), platform, depth + 1));
    }
    const named = new Map<string, Value>();
    const found: Artifact[] = [];
    const plain: Value[] = [];
    const all = cut(list, ',');
    for (const argument of all) {
      const name = nameOf(argument);
      // Of `("g", "a", version)` the third is a version, whatever it is.
      const isText = name !== undefined || argument[0]?.kind === 'string' || plain.length === 2;
      const value = isText ? readValue(name === undefined ? argument : argument.slice(2), script) : undefined;
      const isFirst = name === undefined && plain.length === 0;
      const artifact = value && isFirst && !isGroup(value, all) ? inOneText(value, platform, script) : undefined;
      if (artifact) found.push(artifact);
      else if (name !== undefined) {
        if (value) named.set(name, value);
      } else if (value) plain.push(value);
      else for (const it of readExpression(argument, platform, depth)) found.push(it);
    }
    const group = named.get('group') ?? plain[0];
    const artifact = named.get('name') ?? plain[1];
    if (found.length > 0 || !group || !artifact) return found;
    const parts = inParts(group, artifact, named.get('version') ?? plain[2], platform);
    return parts ? [parts] : [];
  }

  /** A call around other arguments, a list, or the name of a catalog's entry. */
  function readExpression(argument: readonly Token[], platform: boolean, depth: number): readonly Artifact[] {
    if (isOpening(argument, 0)) return read(inside(argument, 0), platform, depth + 1);
    const path = pathAt(argument);
    const last = path.at(-1) ?? '';
    const behind = Math.max(0, path.length * 2 - 1);
    const isCall = markAt(argument, behind) === '(';
    if (isCall && !getters.has(last)) {
      if (others.has(last)) return [];
      const inner = inside(argument, behind);
      if (last === 'kotlin') return kotlinModule(inner);
      const npm = npmCalls.get(last);
      if (npm) return npmPackage(inner, npm);
      if (last === 'findLibrary') return found(inner);
      return read(inner, platform || last === 'platform' || last === 'enforcedPlatform', depth + 1);
    }
    return entry(argument, path, platform, depth);
  }

  /** What a name stands for: `libs.core.get()`, `okhttp`, `ext.deps["core"]`, `property("core") as String`. */
  function entry(
    argument: readonly Token[],
    path: readonly string[],
    platform: boolean,
    depth: number,
  ): readonly Artifact[] {
    const end = argument.at(-1)?.end ?? 0;
    const start = argument[0]?.start ?? end;
    if (end - start > longestExpression) return [];
    const isPlain = path.length * 2 - 1 === argument.length && !holders.has(path[0] ?? '');
    const { id } = isPlain ? { id: `property:${path.join('.')}` } : referenceTo(script.text.slice(start, end));
    const name = wholeName(id)?.replace(/\.values(?:\(\))?$/, '');
    const [first = '', second = ''] = name?.split('.') ?? [];
    if (name === undefined || notCatalogs.has(first) || second === 'bundles' || second === 'versions') return [];
    const alias = catalogIds.library(name.replace(/^libs\./, ''));
    const named = script.named.get(alias);
    if (named?.kind === 'list')
      return depth > deepest || !mayRead(named.elements) ? [] : read(named.elements, platform, depth + 1);
    const isCalled = markAt(argument, path.length * 2 - 1) === '(' && path.length > 1;
    const span = { start, end: isCalled ? (argument[path.length * 2 - 4]?.end ?? end) : end };
    return [{ kind: 'accessor', path: name, span, platform } as const];
  }

  /** Lists of lists could be read without end. */
  function mayRead(elements: readonly Token[]): boolean {
    script.expanded.tokens += elements.length;
    return script.expanded.tokens <= mostExpanded;
  }

  /** Of arguments with their names or without. */
  function valuesIn(inner: readonly Token[]): readonly (Value | undefined)[] {
    return cut(inner, ',').map((it) => readValue(nameOf(it) === undefined ? it : it.slice(2), script));
  }

  /** `kotlin("stdlib-jdk8")`, with a version of its own or the plugin's. */
  function kotlinModule(inner: readonly Token[]): readonly Artifact[] {
    const [module, version] = valuesIn(inner);
    if (!module || module.pieces.length === 0) return [];
    const nameSpan = spanOf(module.pieces);
    const prefix = { kind: 'text', text: 'org.jetbrains.kotlin:kotlin-', span: nameSpan, quote: '"' } as const;
    return [
      {
        kind: 'coordinates',
        name: [prefix, ...module.pieces],
        nameSpan,
        version: version?.pieces ?? [],
        platform: false,
      },
    ];
  }

  /** `npm("react", "18.2.0")`, `npm(name = "react", version = "18.2.0")`; a file in the place of a version is none. */
  function npmPackage(inner: readonly Token[], more: Pick<NpmArtifact, 'scope'>): readonly Artifact[] {
    const [name, version] = valuesIn(inner);
    const isPublished = version?.pieces.every((it) => it.kind === 'text' || !it.to.id.startsWith('expression:'));
    if (!name || name.pieces.length === 0 || !isPublished) return [];
    return [{ kind: 'npm', name: name.pieces, version: version?.pieces ?? [], platform: false, ...more }];
  }

  /** `libs.findLibrary("spring-core").get()`, as plugins of a build say it. */
  function found(inner: readonly Token[]): readonly Artifact[] {
    const alias = inner[0];
    if (alias?.kind !== 'string' || alias.pieces.length !== 1) return [];
    return [
      {
        kind: 'accessor',
        path: `libs.${script.text.slice(alias.span.start, alias.span.end)}`,
        span: alias.span,
        platform: false,
      },
    ];
  }
}

function nameOf(argument: readonly Token[]): string | undefined {
  const name = wordAt(argument, 0);
  const mark = markAt(argument, 1);
  return (mark === ':' || mark === '=') && argument.length > 2 ? name : undefined;
}

/** Of `("$group", "artifact")` the first is no artifact by itself. */
function isGroup({ text }: Value, [, second]: readonly (readonly Token[])[]): boolean {
  const next = second?.[0];
  return text === hole && next?.kind === 'string' && !next.pieces.some((it) => it.text.includes(':'));
}

/** `g:a:1`, `$group:a:$version`, and what refers to the whole of a name that stands elsewhere: `$core:1`, `$core`. */
function inOneText(value: Value, platform: boolean, script: Script): Artifact | undefined {
  const { text, pieces } = value;
  const [first] = pieces;
  const whole = first?.kind === 'reference' ? wholeName(first.to.id)?.replace(/^libs\./, '') : undefined;
  if (whole !== undefined && first?.kind === 'reference') {
    const { span } = first;
    const behind = text.slice(hole.length);
    if (behind === '' || /^@[\w-]+$/.test(behind)) return { kind: 'accessor', path: whole, span, platform };
    const isKnown = script.named.has(catalogIds.library(whole));
    const version = /^:([^:@]+)(?:@[\w-]+)?$/.exec(behind)?.[1];
    if (version !== undefined && (isKnown || /^[\d[(]/.test(version))) {
      const to = { id: catalogIds.module(whole), label: first.to.label };
      const at = hole.length + 1;
      const name = [{ kind: 'reference', to, span } as const];
      return { kind: 'coordinates', name, nameSpan: span, version: slice(value, at, at + version.length), platform };
    }
  }
  const notation = readNotation(text);
  if (!notation) return undefined;
  const name = slice(value, notation.name.start, notation.name.end);
  const version = notation.version ? slice(value, notation.version.start, notation.version.end) : [];
  const { frozen } = notation;
  const last = pieces.at(-1);
  const isBlank = !notation.version && text.length === notation.name.end + 1 && last?.kind === 'text';
  return {
    kind: 'coordinates',
    name,
    nameSpan: spanOf(name),
    version,
    platform,
    ...(isBlank && { blank: literalOf({ ...last, text: '', span: { start: last.span.end, end: last.span.end } }) }),
    ...(frozen !== undefined && { frozen }),
  };
}

/** The name that a reference gives, where it may be one of an artifact. */
function wholeName(id: string): string | undefined {
  const name = id.startsWith('property:') ? id.slice('property:'.length) : '';
  return /^[A-Za-z_][\w.-]*(?:\.values\(\))?$/.test(name) ? name : undefined;
}

function inParts(group: Value, artifact: Value, version: Value | undefined, platform: boolean): Artifact | undefined {
  if (!isModule(`${group.text}:${artifact.text}`)) return undefined;
  const nameSpan = spanOf(artifact.pieces);
  const colon = { kind: 'text', text: ':', span: nameSpan, quote: '"' } as const;
  const name = [...group.pieces, colon, ...artifact.pieces];
  return {
    kind: 'coordinates',
    name,
    nameSpan,
    version: version?.pieces ?? [],
    platform,
    ...(version?.blank && { blank: version.blank }),
  };
}

/** The parts of `group:artifact:version`, as stretches of the text. */
export interface Notation {
  /** `group:artifact` */
  readonly name: Span;
  readonly version?: Span;
  readonly frozen?: string;
}

/**
 * Reads Gradle's notation of an artifact.
 *
 *     org.slf4j:slf4j-api:1.7.25:tests@jar
 *     ^^^^^^^^^^^^^^^^^^^ name
 *                         ^^^^^^ version
 *     org.slf4j:slf4j-api:[1.7,1.8[!!1.7.25     strictly in a range, by preference 1.7.25
 *                                    ^^^^^^
 */
export function readNotation(text: string): Notation | undefined {
  const [, name, rest] = /^([^:\s@/]+:[^:\s@/]+)(?::([^:@]*))?(?=[:@]|$)/.exec(text) ?? [];
  if (name === undefined || !isModule(name)) return undefined;
  const at = { start: 0, end: name.length };
  if (rest === undefined || rest === '') return { name: at };
  const start = name.length + 1;
  const strict = rest.indexOf('!!');
  if (strict < 0) return { name: at, version: { start, end: start + rest.length } };
  if (strict + 2 === rest.length) return { name: at, version: { start, end: start + strict } };
  return {
    name: at,
    version: { start: start + strict + 2, end: start + rest.length },
    frozen: l10n.t('a strict version bounds it'),
  };
}

/** Stands for a reference in a value's text. No coordinate has it. */
export const hole = '\uFFFC';

/**
 * What could be a half of a name. Source: Maven's DefaultModelValidator, which refuses other characters; a port, a time
 * or a version is none, either.
 */
const half = /^(?![\d.]+$)[\w.\uFFFC-]+$/;

/** Whether a text could name a group and an artifact: not `localhost:8080`, `10:30`, or a group with a blank. */
export function isModule(name: string): boolean {
  const colon = name.indexOf(':');
  return half.test(name.slice(0, colon)) && half.test(name.slice(colon + 1));
}
