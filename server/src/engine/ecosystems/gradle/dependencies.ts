import * as l10n from '@vscode/l10n';
import type { Dependency, Inherits, Part, Requirement, Role, Scope } from '../../model/manifest.ts';
import { namedIn } from './aliases.ts';
import { type Artifact, type NpmArtifact, readArtifacts } from './arguments.ts';
import type { Script } from './script.ts';
import { bracketContents, punctuationAt, type Statement, splitTokens, wordAt } from './statements.ts';
import type { ScriptString, Token } from './tokens.ts';
import {
  catalogIds,
  isOpeningBracket,
  managedVersion,
  partsOf,
  readValue,
  requirementOf,
  sliceValue,
  spanOf,
  type Value,
  type ValuePiece,
} from './values.ts';

/**
 * Reads a set of the dependency management plugin: artifacts of one group and one version.
 *
 *     dependencySet(group: 'org.slf4j', version: '1.7.7') { entry 'slf4j-api' }
 *     dependencySet('org.slf4j:1.7.7') { entry 'slf4j-api' }
 */
export function readDependencySet({ tokens, blocks }: Statement, role: Role, script: Script): void {
  const named = new Map<string, Value>();
  for (const argument of splitTokens(isOpeningBracket(tokens, 1) ? bracketContents(tokens, 1) : tokens.slice(1), ',')) {
    const name =
      punctuationAt(argument, 1) === ':' || punctuationAt(argument, 1) === '=' ? wordAt(argument, 0) : undefined;
    const value = readValue(name === undefined ? argument : argument.slice(2), script);
    if (value) named.set(name ?? 'both', value);
  }
  const both = named.get('both');
  const colon = both?.text.indexOf(':') ?? -1;
  const group = both ? sliceValue(both, 0, colon) : named.get('group')?.pieces;
  const version = both ? sliceValue(both, colon + 1, both.text.length) : named.get('version')?.pieces;
  if (!group?.length || !version?.length) return;
  for (const { tokens: entry } of blocks.flat()) {
    const artifact = wordAt(entry, 0) === 'entry' ? readArgument(entry.slice(1), script) : undefined;
    if (!artifact || artifact.pieces.length === 0) continue;
    const nameSpan = spanOf(artifact.pieces);
    const separator = { kind: 'text', text: ':', span: nameSpan, quote: '"' } as const;
    const name = [...group, separator, ...artifact.pieces];
    const about = { scope: 'runtime', group: 'dependencyManagement', role } as const;
    const set = { kind: 'coordinates', name, nameSpan, version, platform: false } as const;
    addArtifact(set, about, true, undefined, script);
  }
}

/** A block of dependencies. */
export interface DependencyBlock {
  /** The prefix of the dependencies' group: `buildscript`, `constraints`. */
  readonly group?: string;
  /** It manages the versions of dependencies without one. */
  readonly manages: boolean;
  /** It is the block of one dependency. */
  readonly isOfDependency?: boolean;
}

/** The closures around a statement. */
export interface Closures {
  /** Names of what they are called with. */
  readonly parameters: readonly string[];
  /** Those of the elements of a list that the script does not write out. */
  readonly elements: readonly string[];
}

const NO_CLOSURES: Closures = { parameters: [], elements: [] };

/** Calls in a dependencies block, or in the block of one dependency, that name no configuration. */
const nonConfigurations: ReadonlySet<string> = new Set([
  ...['exclude', 'because', 'version', 'attributes', 'capabilities', 'requireCapability', 'artifact', 'transitive'],
  ...[
    'strictly',
    'prefer',
    'require',
    'reject',
    'def',
    'val',
    'var',
    'if',
    'for',
    'while',
    'else',
    'return',
    'println',
  ],
  ...[
    'apply',
    'modules',
    'components',
    'replacedBy',
    'module',
    'import',
    'entry',
    'set',
    'targetConfiguration',
    'const',
  ],
]);

/**
 * Reads a statement such as `implementation 'g:a:1'`, `"kapt"(libs.a)`, `add("api", "g:a:1")`.
 * @returns whether it adds an artifact
 */
export function readDependencyStatement(
  statement: Statement,
  within: DependencyBlock,
  role: Role,
  script: Script,
  { parameters, elements } = NO_CLOSURES,
): boolean {
  const call = readConfiguration(statement, script);
  if (!call || nonConfigurations.has(call.configuration)) return false;
  const rich = readRichVersion(statement, script);
  const rejected = readRejected(statement, script);
  const isPlain = configurations.test(call.configuration);
  if (within.isOfDependency && !isPlain) return false;
  const artifacts = readArtifacts(call.inner, script).filter((it) => {
    if (it.kind !== 'accessor') return true;
    if (parameters.includes(it.path.split('.')[0] ?? '')) {
      if (isPlain && elements.includes(it.path)) script.problems.push({ span: it.span, message: ELEMENT_UNREAD });
      return false;
    }
    return isPlain || it.path.includes('.') || namedIn(script, it.path) !== undefined;
  });
  const [element, more] = call.inner.filter((it) => it.kind !== 'punctuation');
  if (isPlain && element?.kind === 'word' && element.text === 'it' && elements.includes('it') && !more)
    script.problems.push({ span: element.span, message: ELEMENT_UNREAD });
  const escaped = isPlain ? call.inner.find(isUnread) : undefined;
  if (escaped && !call.inner.some((it) => it.kind === 'word' && localCalls.has(it.text)))
    script.problems.push({ span: escaped.span, message: 'a text with escapes is not read' });
  const computed = isPlain ? call.inner.find((_, at) => isComputed(call.inner, at)) : undefined;
  if (computed?.kind === 'string' && !call.inner.some((it) => it.kind === 'word' && localCalls.has(it.text)))
    script.problems.push({ span: computed.span, message: 'a computed text is not read' });
  const text = isPlain && artifacts.length === 0 ? call.inner.find((_, at) => isFileText(call.inner, at)) : undefined;
  if (text?.kind === 'word') script.problems.push({ span: text.span, message: 'the text of a file is not read' });
  for (const artifact of artifacts) {
    const group = [within.group, call.configuration, artifact.platform ? 'platform' : undefined];
    const isBom = artifact.platform || call.configuration === 'mavenBom';
    const about: Placement = {
      // Outside of its block it is that of a script which is applied to one.
      ...((role === 'plugin' || call.configuration !== 'classpath') && { role }),
      scope: scopeOf(call.configuration),
      group: group.filter((it) => it !== undefined).join(' '),
      ...(isBom && { inherits: { as: 'bom', ...inheritsAs(artifact) } }),
      ...(rejected.length > 0 && { rejected }),
    };
    addArtifact(artifact, about, within.manages, rich, script);
  }
  return artifacts.length > 0;
}

const ELEMENT_UNREAD = 'what a loop adds is not read';

/** Calls whose texts name no packages. */
const localCalls: ReadonlySet<string> = new Set(['files', 'fileTree', 'project']);

function isUnread(token: Token): token is ScriptString {
  return token.kind === 'string' && token.pieces.length === 0 && token.span.end > token.span.start;
}

/** What a method makes of a text: `'0.1:live:g'.reverse()`. */
function isComputed(tokens: readonly Token[], at: number): boolean {
  const [before, dot, method] = tokens.slice(at, at + 3);
  const isCall = before?.kind === 'string' && dot?.kind === 'punctuation' && dot.text === '.';
  return isCall && method?.kind === 'word' && method.text !== 'toString';
}

/** `file('a.txt').text`, `File("a.txt").readText()` */
function isFileText(tokens: readonly Token[], at: number): boolean {
  const method = wordAt(tokens, at);
  const isOfCall = punctuationAt(tokens, at - 1) === '.' && punctuationAt(tokens, at - 2) === ')';
  return method !== undefined && isOfCall && readers.has(method);
}

const readers: ReadonlySet<string> = new Set(['text', 'getText', 'readText', 'readLines', 'readLine', 'asText']);

function inheritsAs({ platform }: Artifact): Pick<Inherits, 'overridable' | 'isEnforced'> {
  if (platform === false) return { overridable: true };
  return platform === 'enforcedPlatform' ? { isEnforced: true } : {};
}

/**
 * Reads the artifact that replaces another one. The replaced one is not looked up.
 *
 *     substitute module("g:a") using module("g:b:1.0")      substitute(module("g:a")).with(module("g:b:1.0"))
 */
export function readSubstitution({ tokens }: Statement, role: Role, script: Script): void {
  const verb = tokens.findIndex((it) => it.kind === 'word' && (it.text === 'using' || it.text === 'with'));
  const at = tokens.findIndex((it, index) => index > verb && it.kind === 'word' && it.text === 'module');
  if (verb < 0 || at < 0 || punctuationAt(tokens, at + 1) !== '(') return;
  const [artifact] = readArtifacts(bracketContents(tokens, at + 1), script);
  if (artifact?.kind !== 'coordinates') return;
  addArtifact(artifact, { scope: 'runtime', group: 'dependencySubstitution', role }, false, undefined, script);
}

export interface Placement {
  readonly scope: Scope;
  readonly group: string;
  readonly rejected?: readonly string[];
  readonly role?: Role;
  readonly inherits?: Inherits;
}

/** Adds an artifact as a dependency and, in a managing block, as the version of dependencies without one. */
export function addArtifact(
  artifact: Artifact,
  about: Placement,
  manages: boolean,
  rich: RichVersion | undefined,
  script: Script,
): void {
  const dependency = dependencyOf(artifact, about);
  const whole: Dependency = { ...dependency, ...rich };
  script.dependencies.push(whole);
  const { requirement, frozen, nameSpan: span } = whole;
  if (!manages) return;
  const isWithout = requirement.kind === 'reference' && requirement.to.id === `managed:${whole.key.name}`;
  const [module, colon, version, ...more] = isWithout ? (whole.nameParts ?? []) : [];
  if (module && colon === ':' && version && typeof version !== 'string' && more.length === 0) {
    // `"${Libs.core}:$version"`, unless the first one is a group.
    script.definitions.push({ id: `managed:${idPart(module)}`, span, value: { kind: 'reference', to: version, span } });
  }
  if (isWithout) return;
  const id = `managed:${whole.nameParts?.map(idPart).join('') ?? whole.key.name}`;
  script.definitions.push({ id, span, value: requirement, ...(frozen !== undefined && { frozen }) });
}

/** A part of a name in an id: what it refers to, in braces. */
function idPart(part: Part): string {
  return typeof part === 'string' ? part : `\${${part.id}}`;
}

export function dependencyOf(artifact: Artifact, about: Placement): Dependency {
  switch (artifact.kind) {
    case 'accessor':
      return accessorDependency(artifact, about);
    case 'npm':
      return npmDependency(artifact, about);
    case 'coordinates':
      return coordinatesDependency(artifact, about);
  }
}

function npmDependency({ name: pieces, version, scope }: NpmArtifact, about: Placement): Dependency {
  const name = textOf(pieces);
  const parts = partsOf(pieces);
  return {
    key: { system: 'NPM', name },
    name,
    nameSpan: spanOf(pieces),
    ...(parts.some((it) => typeof it !== 'string') && { nameParts: parts }),
    requirement: requirementOf(version),
    ...about,
    ...(scope && { scope }),
  };
}

/** `libs.spring.core`: the catalog defines the package and its version. */
function accessorDependency(
  { path, span }: Extract<Artifact, { readonly kind: 'accessor' }>,
  about: Placement,
): Dependency {
  const [, catalog = '', plugin] = /^(\w+)\.plugins\.(.+)$/.exec(path) ?? [];
  const alias = plugin === undefined ? path.replace(/^libs\./, '') : `${catalog}.${plugin}`.replace(/^libs\./, '');
  const [module, version] =
    plugin === undefined
      ? [catalogIds.module(alias), catalogIds.library(alias)]
      : [catalogIds.pluginModule(alias), catalogIds.plugin(alias)];
  return {
    key: { system: 'MAVEN', name: path },
    name: path,
    nameSpan: span,
    nameParts: [{ id: module, label: path }],
    requirement: { kind: 'reference', to: { id: version, label: path }, span },
    ...about,
  };
}

function coordinatesDependency(
  artifact: Extract<Artifact, { readonly kind: 'coordinates' }>,
  about: Placement,
): Dependency {
  const { nameSpan, version, blank, addition, frozen } = artifact;
  const name = textOf(artifact.name);
  const parts = partsOf(artifact.name);
  return {
    key: { system: 'MAVEN', name },
    name,
    nameSpan,
    ...(parts.some((it) => typeof it !== 'string') && { nameParts: parts }),
    requirement: version.length > 0 ? requirementOf(version) : managedVersion(name, nameSpan),
    ...(blank && { blank }),
    ...(addition && { addition }),
    ...about,
    ...(frozen !== undefined && { frozen }),
  };
}

function textOf(pieces: readonly ValuePiece[]): string {
  return pieces.map((it) => (it.kind === 'text' ? it.text : `\${${it.to.label}}`)).join('');
}

/** Qualifiers of calls: `dependencies.implementation(…)`, `resolutionStrategy.force(…)`, `details.useTarget(…)`. */
const qualifiers = /^(?:dependencies|resolutionStrategy|details|it)$/;

/** The configuration and the arguments of a statement. */
function readConfiguration({ tokens, path }: Statement, script: Script) {
  const [first] = tokens;
  if (first?.kind === 'string') {
    // In Kotlin a configuration without an accessor is a string.
    if (punctuationAt(tokens, 1) !== '(') return undefined;
    return { configuration: script.text.slice(first.span.start, first.span.end), inner: tokens.slice(1) };
  }
  const name = path.at(-1);
  if (name === undefined || (path.length > 1 && !qualifiers.test(path[path.length - 2] ?? ''))) return undefined;
  const inner = tokens.slice(path.length * 2 - 1);
  const [configuration, , ...others] =
    name !== 'add' ? [] : punctuationAt(inner, 0) === '(' ? bracketContents(inner, 0) : inner;
  if (configuration?.kind !== 'string') return { configuration: name, inner };
  return { configuration: script.text.slice(configuration.span.start, configuration.span.end), inner: others };
}

export interface RichVersion {
  readonly requirement: Requirement;
  readonly frozen?: string;
}

/** The deciding part of a rich version: `version { strictly("[1.7,1.8["); prefer("1.7.25") }`. */
function readRichVersion({ blocks }: Statement, script: Script): RichVersion | undefined {
  const version = blocks.flat().find((it) => wordAt(it.tokens, 0) === 'version');
  return version && readRichParts(version, script);
}

/** The versions that `version { reject("1.2", "[2,3[") }` refuses; all of them with `rejectAll()`. */
function readRejected({ blocks }: Statement, script: Script): readonly string[] {
  const version = blocks.flat().find((it) => wordAt(it.tokens, 0) === 'version');
  return (version?.blocks.flat() ?? []).flatMap(({ tokens }) => {
    const call = wordAt(tokens, 0);
    if (call === 'rejectAll') return ['(,)'];
    if (call !== 'reject') return [];
    const list = punctuationAt(tokens, 1) === '(' ? bracketContents(tokens, 1) : tokens.slice(1);
    return splitTokens(list, ',').flatMap((it) => {
      const [piece, ...more] = readValue(it, script)?.pieces ?? [];
      return piece?.kind === 'text' && more.length === 0 ? [piece.text] : [];
    });
  });
}

/** The deciding part of the blocks of a call: `strictly("[1.7,1.8["); prefer("1.7.25")`. */
export function readRichParts({ blocks }: Statement, script: Script): RichVersion | undefined {
  const block = blocks.flat();
  const [first, ...more] = ['prefer', 'require', 'strictly'].flatMap((name) => {
    const statement = block.find((it) => wordAt(it.tokens, 0) === name);
    const value = statement && readArgument(statement.tokens.slice(1), script);
    return value && value.pieces.length > 0 ? [value] : [];
  });
  if (!first) return undefined;
  return {
    requirement: requirementOf(first.pieces),
    ...(more.length > 0 && { frozen: l10n.t('limited by another part of the rich version') }),
  };
}

/** The one argument of a call, with or without parentheses. */
export function readArgument(tokens: readonly Token[], script: Script) {
  const bare =
    punctuationAt(tokens, 0) === '(' && punctuationAt(tokens, tokens.length - 1) === ')' ? tokens.slice(1, -1) : tokens;
  return readValue(punctuationAt(bare, 0) === '(' ? bare.slice(1) : bare, script);
}

/** Configurations whose argument may be an unqualified name. */
const configurations = /(?:implementation|api|compile|runtime|only|classpath|processor|plugins|kapt|ksp)$/i;

const buildConfigurations =
  /(?:compileOnly(?:Api)?|annotationProcessor|provided|classpath|lintChecks|lintPublish|detektPlugins)$/i;

/** `testImplementation`, `androidTestApi` and `kaptTest` are for tests; processors and compile-only artifacts for the build. */
function scopeOf(configuration: string): Scope {
  if (/^test(?![a-z])|Test(?![a-z])|^developmentOnly$|^jmh/.test(configuration)) return 'dev';
  return buildConfigurations.test(configuration) || /^(?:kapt|ksp)(?![a-z])/.test(configuration) ? 'build' : 'runtime';
}
