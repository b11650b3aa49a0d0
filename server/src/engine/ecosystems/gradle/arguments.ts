import * as l10n from '@vscode/l10n';
import type { Scope } from '../../model/manifest.ts';
import type { Literal, Span } from '../../model/span.ts';
import { namedIn } from './aliases.ts';
import type { Script } from './script.ts';
import { bracketContents, dottedName, outside, punctuationAt, splitTokens, wordAt } from './statements.ts';
import { MAX_EXPRESSION_LENGTH, type Token } from './tokens.ts';
import { resultOfCall } from './value-functions.ts';
import {
  catalogIds,
  isOpeningBracket,
  literalOf,
  nameAt,
  REFERENCE_PLACEHOLDER,
  readValue,
  referenceTo,
  sliceValue,
  spanOf,
  type Value,
  type ValuePiece,
} from './values.ts';

/** The call around a BOM. An enforced platform prevails over the version that a dependency states. */
type Platform = false | 'platform' | 'enforcedPlatform';

/** An artifact in a build script. */
export type Artifact =
  | {
      readonly kind: 'coordinates';
      readonly name: readonly ValuePiece[];
      readonly version: readonly ValuePiece[];
      /** The empty place behind the colon of `group:artifact:`. */
      readonly blank?: Literal;
      /** The empty place behind `group:artifact`, for a colon and a version. */
      readonly addition?: Literal;
      /** The place of the name; that of the artifact alone, where group and artifact are separate. */
      readonly nameSpan: Span;
      readonly platform: Platform;
      readonly frozen?: string;
    }
  /** `libs.spring.core`: an entry of a catalog, or of a map that the script defines. */
  | {
      readonly kind: 'accessor';
      readonly path: string;
      readonly span: Span;
      readonly platform: Platform;
    }
  | NpmArtifact;

/** `npm("react", "18.2.0")`: Kotlin's plugin for JavaScript writes it into a package.json. */
export interface NpmArtifact {
  readonly kind: 'npm';
  readonly name: readonly ValuePiece[];
  readonly version: readonly ValuePiece[];
  readonly platform: false;
  /** The scope of the configuration where it is absent. */
  readonly scope?: Scope;
}

/** Only the calls of a broken script nest deeper. */
const MAX_CALL_DEPTH = 8;

/** Calls with arguments other than published artifacts. */
const nonArtifactCalls: ReadonlySet<string> = new Set(['project', 'files', 'fileTree', 'findProject']);
/** Calls of Gradle and its plugins with a text that is none of an artifact. */
const callsOfGradle: ReadonlySet<string> = new Set([
  ...['files', 'fileTree', 'file', 'uri', 'zipTree', 'tarTree', 'module', 'named', 'getByName', 'provider', 'create'],
  ...['platform', 'enforcedPlatform', 'testFixtures', 'embeddedKotlin', 'kotlinx', 'bundle', 'plugin', 'tasks'],
]);
/** Calls that add an npm package, with its scope. */
const npmCalls: ReadonlyMap<string, Pick<NpmArtifact, 'scope'>> = new Map([
  ['npm', {}],
  ['devNpm', { scope: 'dev' }],
  ['optionalNpm', { scope: 'optional' }],
  ['peerNpm', { scope: 'peer' }],
]);
/** First names of accessors to something else than a catalog or a variable. */
const nonCatalogNames: ReadonlySet<string> = new Set([
  ...['project', 'rootProject', 'projects', 'gradle', 'dependencies', 'configurations', 'sourceSets', 'files'],
  ...['layout', 'compose', 'kotlin', 'this', 'it', 'true', 'false', 'null'],
]);
/** The objects that hold a script's properties. They are no part of a property's name. */
const propertyOwners: ReadonlySet<string> = new Set(['project', 'rootProject', 'ext', 'extra', 'properties', 'this']);
/** Calls that return the value of an accessor or a property. */
const getterCalls: ReadonlySet<string> = new Set([
  ...['get', 'asProvider', 'toString', 'values', 'property', 'findProperty', 'getProperty', 'gradleProperty'],
]);
/** Tokens of lists that are read where a dependency refers to them. Real scripts have some hundred. */
const MAX_EXPANDED_TOKENS = 200_000;

/**
 * The artifacts in the arguments of a configuration.
 *
 *     'g:a:1', 'g:b:1'      (platform("g:a:1"))      group: 'g', name: 'a', version: '1'      ("g", "a", "1")      (libs.a)
 */
export function readArtifacts(tokens: readonly Token[], script: Script): readonly Artifact[] {
  return read(tokens, false, 0);

  function read(list: readonly Token[], platform: Platform, depth: number): readonly Artifact[] {
    if (depth > MAX_CALL_DEPTH) return [];
    if (punctuationAt(list, 0) === '(') {
      const groups = splitTokens(list, ',').filter((it) => isOpeningBracket(it, 0));
      return groups.flatMap((it) => read(bracketContents(it, 0), platform, depth + 1));
    }
    const named = new Map<string, Value>();
    const found: Artifact[] = [];
    const plain: Value[] = [];
    const all = splitTokens(list, ',');
    for (const argument of all) {
      const name = argumentName(argument);
      // Of `("g", "a", version)` the third is always a version.
      const isText = name !== undefined || isComposed(argument) || plain.length === 2;
      const value = isText ? readValue(name === undefined ? argument : argument.slice(2), script) : undefined;
      const isFirst = name === undefined && plain.length === 0;
      const artifact =
        value && isFirst && !isGroupArgument(value, all) ? artifactInNotation(value, platform, script) : undefined;
      if (artifact) found.push(artifact);
      else if (name !== undefined) {
        if (value) named.set(name, value);
      } else if (value) plain.push(value);
      else for (const it of readExpression(argument, platform, depth)) found.push(it);
    }
    const group = named.get('group') ?? plain[0];
    const artifact = named.get('name') ?? plain[1];
    if (found.length > 0 || !group || !artifact) return found;
    const parts = artifactInParts(group, artifact, named.get('version') ?? plain[2], platform);
    return parts ? [parts] : [];
  }

  /** A call around other arguments, a list, or the accessor of a catalog entry. */
  function readExpression(argument: readonly Token[], platform: Platform, depth: number): readonly Artifact[] {
    if (isOpeningBracket(argument, 0)) return read(bracketContents(argument, 0), platform, depth + 1);
    if (punctuationAt(argument, 0) === '*') return readExpression(argument.slice(1), platform, depth);
    const path = dottedName(argument);
    const last = path.at(-1) ?? '';
    const behind = Math.max(0, path.length * 2 - 1);
    const isCall = punctuationAt(argument, behind) === '(';
    if (isCall && !getterCalls.has(last)) {
      if (nonArtifactCalls.has(last)) return [];
      const inner = bracketContents(argument, behind);
      // A function of the build makes a dependency of it: `libs.plugins.kotlin.jvm.asDependency()`.
      if (inner.length === 0 && path[1] === 'plugins')
        return readAccessor(argument.slice(0, behind - 2), path.slice(0, -1), platform, depth);
      if (last === 'kotlin') return readKotlinModule(inner);
      const npm = npmCalls.get(last);
      if (npm) return readNpmPackage(inner, npm);
      if (last === 'findLibrary') return found(inner, platform);
      const own = path.length === 1 ? script.functions.get(last) : undefined;
      const result = own && resultOfCall(own, inner, script);
      if (result) return countExpanded(result) ? read(result, platform, depth + 1) : [];
      const isOther = path.length === 1 && !callsOfGradle.has(last);
      // Of the texts of an unknown function two are no group and artifact.
      if (isOther && splitTokens(inner, ',').length === 2) return readCall(argument, inner, platform);
      const its = platform || (last === 'platform' || last === 'enforcedPlatform' ? last : false);
      const artifacts = read(inner, its, depth + 1);
      return artifacts.length > 0 || !isOther ? artifacts : readCall(argument, inner, platform);
    }
    return readAccessor(argument, path, platform, depth);
  }

  /** `ktor("core")`, with a function of another file of the build. */
  function readCall(argument: readonly Token[], inner: readonly Token[], platform: Platform): readonly Artifact[] {
    const [first, more] = inner;
    const span = { start: argument[0]?.start ?? 0, end: argument.at(-1)?.end ?? 0 };
    const isText = inner.some((it) => it.kind === 'string' && it.pieces.some((one) => /^[\w-]+$/.test(one.text)));
    if (!isText || span.end - span.start > MAX_EXPRESSION_LENGTH) return [];
    const to = more === undefined && first ? referenceTo(script.text.slice(span.start, span.end)) : undefined;
    if (to?.id.startsWith('call:'))
      return [{ kind: 'coordinates', name: [{ kind: 'reference', to, span }], nameSpan: span, version: [], platform }];
    script.problems.push({ span, message: 'what a function gives is not read' });
    return [];
  }

  /** `libs.core.get()`, `okhttp`, `ext.deps["core"]`, `property("core") as String` */
  function readAccessor(
    argument: readonly Token[],
    path: readonly string[],
    platform: Platform,
    depth: number,
  ): readonly Artifact[] {
    const end = argument.at(-1)?.end ?? 0;
    const start = argument[0]?.start ?? end;
    if (end - start > MAX_EXPRESSION_LENGTH) return [];
    const isPlain = path.length * 2 - 1 === argument.length && !propertyOwners.has(path[0] ?? '');
    const { id } = isPlain ? { id: `property:${path.join('.')}` } : referenceTo(script.text.slice(start, end));
    const written = artifactName(id)?.replace(/\.values(?:\(\))?$/, '');
    const [first = '', second = ''] = written?.split('.') ?? [];
    const isForeign = nonCatalogNames.has(first) && !script.imports.names.has(first);
    if (written === undefined || isForeign || second === 'bundles' || second === 'versions') return [];
    const name = nameAt(written, start, script);
    const named = namedIn(script, name);
    if (named?.kind === 'list')
      return depth > MAX_CALL_DEPTH || !countExpanded(named.elements) ? [] : read(named.elements, platform, depth + 1);
    const isCalled = punctuationAt(argument, path.length * 2 - 1) === '(' && path.length > 1;
    const span = { start, end: isCalled ? (argument[path.length * 2 - 4]?.end ?? end) : end };
    return [{ kind: 'accessor', path: name, span, platform } as const];
  }

  /** Whether the list may be read: lists of lists could have no end. */
  function countExpanded(elements: readonly Token[]): boolean {
    script.expanded.tokens += elements.length;
    return script.expanded.tokens <= MAX_EXPANDED_TOKENS;
  }

  /** The values of named and unnamed arguments. */
  function readValues(inner: readonly Token[]): readonly (Value | undefined)[] {
    return splitTokens(inner, ',').map((it) => readValue(argumentName(it) === undefined ? it : it.slice(2), script));
  }

  /** `kotlin("stdlib-jdk8")`, with a version of its own or the plugin's. */
  function readKotlinModule(inner: readonly Token[]): readonly Artifact[] {
    const [module, version] = readValues(inner);
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

  /** `npm("react", "18.2.0")`, `npm(name = "react", version = "18.2.0")`; a file in the place of a version is no package. */
  function readNpmPackage(inner: readonly Token[], more: Pick<NpmArtifact, 'scope'>): readonly Artifact[] {
    const [name, version] = readValues(inner);
    const isPublished = version?.pieces.every((it) => it.kind === 'text' || !it.to.id.startsWith('expression:'));
    if (!name || name.pieces.length === 0 || !isPublished) return [];
    return [{ kind: 'npm', name: name.pieces, version: version?.pieces ?? [], platform: false, ...more }];
  }

  /** `libs.findLibrary("spring-core").get()`, as in the plugins of a build. */
  function found(inner: readonly Token[], platform: Platform): readonly Artifact[] {
    const alias = inner[0];
    if (alias?.kind !== 'string' || alias.pieces.length !== 1) return [];
    return [
      {
        kind: 'accessor',
        path: `libs.${script.text.slice(alias.span.start, alias.span.end)}`,
        span: alias.span,
        platform,
      },
    ];
  }
}

/** A text, or a sum with one: `group + ':core:1.0'`. */
export function isComposed(argument: readonly Token[]): boolean {
  if (argument[0]?.kind === 'string') return true;
  return argument.some((it) => it.kind === 'string') && outside(argument, 0, '+') > 0;
}

function argumentName(argument: readonly Token[]): string | undefined {
  const name = wordAt(argument, 0);
  const mark = punctuationAt(argument, 1);
  return (mark === ':' || mark === '=') && argument.length > 2 ? name : undefined;
}

/** Whether it is the group of `("$group", "artifact")`, and no artifact by itself. */
function isGroupArgument({ text }: Value, [, second]: readonly (readonly Token[])[]): boolean {
  const next = second?.[0];
  return text === REFERENCE_PLACEHOLDER && next?.kind === 'string' && !next.pieces.some((it) => it.text.includes(':'));
}

/** Whether a reference is one to a version, as far as a script says: `$Versions.core`, `$v` with `def v = '1.0'`. */
function isVersion(piece: ValuePiece | undefined, { versions }: Script): boolean {
  return piece?.kind === 'reference' && (versions.has(piece.to.id) || /version/i.test(piece.to.label));
}

/** `g:a:1`, `$group:a:$version`, and a reference to a whole name or artifact: `$core:1`, `$core`. */
function artifactInNotation(value: Value, platform: Platform, script: Script): Artifact | undefined {
  const { text, pieces } = value;
  const [first] = pieces;
  const whole = first?.kind === 'reference' ? artifactName(first.to.id)?.replace(/^libs\./, '') : undefined;
  if (whole !== undefined && first?.kind === 'reference') {
    const { span } = first;
    const behind = text.slice(REFERENCE_PLACEHOLDER.length);
    if (behind === '' || /^@[\w-]+$/.test(behind)) return { kind: 'accessor', path: whole, span, platform };
    const isKnown = namedIn(script, whole) !== undefined;
    const version = /^:([^:@]+)(?::[\w-]+)?(?:@[\w-]+)?$/.exec(behind)?.[1];
    if (version !== undefined && (isKnown || /^[\d[(]/.test(version) || isVersion(pieces[2], script))) {
      const to = { id: catalogIds.module(whole), label: first.to.label };
      const at = REFERENCE_PLACEHOLDER.length + 1;
      const name = [{ kind: 'reference', to, span } as const];
      return {
        kind: 'coordinates',
        name,
        nameSpan: span,
        version: sliceValue(value, at, at + version.length),
        platform,
      };
    }
  }
  const notation = readNotation(text);
  if (!notation) return undefined;
  const name = sliceValue(value, notation.name.start, notation.name.end);
  const version = notation.version ? sliceValue(value, notation.version.start, notation.version.end) : [];
  const { frozen } = notation;
  const last = pieces.at(-1);
  const isBlank = !notation.version && text.length === notation.name.end + 1 && last?.kind === 'text';
  const isWhole = !frozen && text.length === notation.name.end && last?.kind === 'text';
  return {
    kind: 'coordinates',
    name,
    nameSpan: spanOf(name),
    version,
    platform,
    ...(isBlank && { blank: literalOf({ ...last, text: '', span: { start: last.span.end, end: last.span.end } }) }),
    ...(isWhole && { addition: additionTo(last) }),
    ...(frozen !== undefined && { frozen }),
  };
}

/** `'g:a'` → `'g:a:1.0'` */
function additionTo(last: Extract<ValuePiece, { readonly kind: 'text' }>): Literal {
  const end = literalOf({ ...last, text: '', span: { start: last.span.end, end: last.span.end } });
  return { ...end, encode: (version) => `:${end.encode(version)}` };
}

/** The property of a reference, if its value may be an artifact. */
function artifactName(id: string): string | undefined {
  const name = id.startsWith('property:') ? id.slice('property:'.length) : '';
  return /^[A-Za-z_][\w.#-]*(?:\.values\(\))?$/.test(name) ? name : undefined;
}

export function artifactInParts(
  group: Value,
  artifact: Value,
  version: Value | undefined,
  platform: Platform,
): Artifact | undefined {
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

/** The parts of `group:artifact:version`, as offsets in the text. */
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
 *     org.slf4j:slf4j-api:[1.7,1.8[!!1.7.25     strictly in a range, preferably 1.7.25
 *                                    ^^^^^^
 */
export function readNotation(text: string): Notation | undefined {
  const [, name, rest] = /^([^:\s@/]+:[^:\s@/]+)(?::([^:@]*))?(?=[:@]|$)/.exec(text) ?? [];
  if (name === undefined || !isModule(name)) return undefined;
  const at = { start: 0, end: name.length };
  if (rest === undefined || rest === '') return { name: at };
  const start = name.length + 1;
  const { version, frozen } = readStrict(rest);
  const span = { start: start + version.start, end: start + version.end };
  return { name: at, version: span, ...(frozen !== undefined && { frozen }) };
}

/**
 * The deciding part of a version that may be strict, as offsets in the text.
 *
 *     1.7.25!!             strictly
 *     [1.7,1.8[!!1.7.25    strictly in a range, preferably 1.7.25
 */
export function readStrict(text: string): { readonly version: Span; readonly frozen?: string } {
  const strict = text.indexOf('!!');
  if (strict < 0) return { version: { start: 0, end: text.length } };
  if (strict + 2 === text.length) return { version: { start: 0, end: strict } };
  return { version: { start: strict + 2, end: text.length }, frozen: l10n.t('limited by a strict version') };
}

/**
 * A group or an artifact. Source: Maven's DefaultModelValidator, which refuses other characters. A port, a time or a version
 * is excluded, too.
 */
const coordinatePattern = /^(?![\d.]+$)[\w.\uFFFC-]+$/;

/** Whether a text could be a group and an artifact: not `localhost:8080`, `10:30`, or a group with a blank. */
export function isModule(name: string): boolean {
  const colon = name.indexOf(':');
  return coordinatePattern.test(name.slice(0, colon)) && coordinatePattern.test(name.slice(colon + 1));
}
