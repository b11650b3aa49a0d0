import { truncate } from '../../base/text.ts';
import type { Definition, Dependency, FileRef, Part } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { artifactInParts, readArtifacts, readStrict } from './arguments.ts';
import { addArtifact, dependencyOf, type RichVersion, readRichParts } from './dependencies.ts';
import { normalizeAlias } from './files/alias-id.ts';
import type { Script } from './script.ts';
import {
  bracketContents,
  depthOf,
  dottedName,
  punctuationAt,
  type Statement,
  splitTokens,
  wordAt,
} from './statements.ts';
import type { Token } from './tokens.ts';
import {
  catalogIds,
  managedVersion,
  partsOf,
  pluginMarker,
  readValue,
  requirementOf,
  spanOf,
  type Value,
} from './values.ts';

/** The name in `create("tools") { … }` and in `tools { … }`. */
export function readCatalogName(tokens: readonly Token[]): string {
  const named = argumentTokens(tokens, dottedName(tokens).length * 2 - 1).find((it) => it.kind === 'string');
  const [name] = named?.kind === 'string' ? named.pieces : [];
  return truncate(name?.text || (wordAt(tokens, 0) ?? ''));
}

/**
 * The file of a catalog.
 *
 *     tools { from(files("gradle/tools.versions.toml")) }
 *                         ^^^^^^^^^^^^^^^^^^^^^^^^^^
 */
export function readCatalogFile(tokens: readonly Token[], catalog: string): FileRef | undefined {
  const file = tokens.find((it) => it.kind === 'string');
  const pieces = file?.pieces ?? [];
  const [first] = pieces;
  const last = pieces.at(-1);
  const isOwn = first?.kind === 'expression' && /\b(?:root(?:Dir|Project)|settingsDir)\b/.test(first.text);
  if (last?.kind !== 'text' || !last.text.endsWith('.toml') || pieces.length > (isOwn ? 2 : 1)) return undefined;
  const path = (isOwn ? last.text.replace(/^\//, '') : last.text).replaceAll('\\', '/');
  const reference = { kind: 'include', path, format: 'libs.versions.toml', span: last.span } as const;
  return catalog === DEFAULT_CATALOG ? reference : { ...reference, within: catalog };
}

/**
 * `defaultLibrariesExtensionName = "projectLibs"`: the name of the default catalog in build files.
 */
export function readRenamedCatalog({ tokens, path }: Statement): FileRef | undefined {
  if (path.at(-1) !== 'defaultLibrariesExtensionName') return undefined;
  const name = tokens.find((it) => it.kind === 'string');
  const [piece, ...more] = name?.kind === 'string' ? name.pieces : [];
  if (piece?.kind !== 'text' || more.length > 0 || piece.text === DEFAULT_CATALOG) return undefined;
  const { text: within, span } = piece;
  return { kind: 'include', path: 'gradle/libs.versions.toml', format: 'libs.versions.toml', within, span };
}

/** The prefix of a catalog's entries in ids; the default catalog has none. */
function prefixOf(catalog: string): string {
  return catalog === DEFAULT_CATALOG || catalog === '' ? '' : `${catalog}.`;
}

const DEFAULT_CATALOG = 'libs';

/**
 * Reads a statement of a catalog in the settings script.
 *
 *     version('kotlin', '1.9.22')
 *     version('slf4j') { strictly('[1.7, 1.8['); prefer('1.7.25') }
 *     library('guava', 'com.google.guava:guava:33.0.0-jre')
 *     library('stdlib', 'org.jetbrains.kotlin', 'kotlin-stdlib').versionRef('kotlin')
 *     plugin('kotlin', 'org.jetbrains.kotlin.jvm').version('1.9.22')
 *     from('org.example:catalog:1.0')
 */
export function readCatalogStatement(statement: Statement, catalog: string, script: Script): void {
  const [call, ...chained] = callsIn(statement.tokens);
  const kind = call?.name ?? '';
  const inner = call?.inner ?? [];
  if (kind === 'from') readPublished();
  if (!namingCalls.has(kind)) return;
  const [first, ...others] = readArguments(inner, script);
  const name = first && plainText(first, script);
  if (!first || name === undefined) {
    const span = call?.span ?? { start: 0, end: 0 };
    script.problems.push({ span, message: 'an entry of a catalog with a computed name is not read' });
    return;
  }
  const prefix = prefixOf(catalog);
  const alias = prefix + name;
  const span = spanOf(first.pieces);
  if (kind === 'version') {
    const [version] = others;
    const read = version ? shortVersion(version.pieces) : readRichParts(statement, script);
    if (read) script.definitions.push({ id: catalogIds.version(alias), span, ...definedAs(read) });
  } else if (kind === 'plugin') readPluginEntry(others[0]);
  else {
    // `alias('guava').to('com.google.guava:guava:33.0.0-jre')`, `alias('boot').toPluginId('org.springframework.boot')`
    const plugin = chained.find((it) => it.name === 'toPluginId');
    const to = chained.find((it) => it.name === 'to');
    if (plugin) readPluginEntry(readArguments(plugin.inner, script)[0]);
    else readArtifact(splitTokens(to?.inner ?? inner, ',').slice(to ? 0 : 1));
  }

  function readPublished(): void {
    const about = { scope: 'build', group: 'versionCatalogs' } as const;
    for (const it of readArtifacts(inner, script)) addArtifact(it, about, false, undefined, script);
    const isFile = inner.some((it) => it.kind === 'word' && it.text === 'files');
    const span = { start: inner[0]?.start ?? 0, end: inner.at(-1)?.end ?? 0 };
    if (!isFile) script.definitions.push({ id: catalogIds.published(catalog), span, value: { kind: 'none' } });
  }

  /** `'g:a:1'`, or a group and an artifact. */
  function readArtifact(names: readonly (readonly Token[])[]): void {
    const [group, module] = names.length === 2 ? names.map((it) => readValue(it, script)) : [];
    const artifact =
      group && module ? artifactInParts(group, module, undefined, false) : readArtifacts(names.flat(), script)[0];
    if (artifact?.kind !== 'coordinates') return;
    // Which bundles have it is not read.
    const accessors = [normalizeAlias(name ?? ''), 'bundles'];
    const own = { ...dependencyOf(artifact, { scope: 'runtime', group: 'libraries' }), accessors };
    const written = artifact.version.length > 0 ? undefined : chainedVersion(chained, statement, prefix, script);
    add({ ...own, ...written }, partsOf(artifact.name), catalogIds.library, catalogIds.module);
  }

  function readPluginEntry(id: Value | undefined): void {
    if (!id || id.pieces.length === 0) return;
    const nameSpan = spanOf(id.pieces);
    const parts = [...partsOf(id.pieces), ':', ...partsOf(id.pieces), '.gradle.plugin'];
    const text = id.pieces.map((it) => (it.kind === 'text' ? it.text : `\${${it.to.label}}`)).join('');
    const name = pluginMarker(text);
    const written = chainedVersion(chained, statement, prefix, script) ?? {
      requirement: managedVersion(name, nameSpan),
    };
    const isComposed = id.pieces.some((it) => it.kind === 'reference');
    const own: Dependency = {
      key: { system: 'MAVEN', name },
      name,
      nameSpan,
      ...(isComposed && { nameParts: parts }),
      ...written,
      scope: 'build',
      group: 'plugins',
      role: 'plugin',
    };
    add(own, isComposed ? parts : [name], catalogIds.plugin, catalogIds.pluginModule);
  }

  function add(
    own: Dependency,
    parts: readonly Part[],
    id: (alias: string) => string,
    module: (alias: string) => string,
  ) {
    script.dependencies.push(own);
    script.definitions.push({ id: id(alias), span, ...definedAs(own) });
    script.definitions.push({ id: module(alias), span, value: { kind: 'template', parts, span } });
  }
}

/** A version in one string, which may be strict. */
function shortVersion(pieces: Value['pieces']): RichVersion | undefined {
  const [first, ...more] = pieces;
  if (first === undefined) return undefined;
  const isPlain = first.kind === 'text' && first.span.end - first.span.start === first.text.length;
  if (!isPlain || more.length > 0) return { requirement: requirementOf(pieces) };
  const { version, frozen } = readStrict(first.text);
  const { start } = first.span;
  const span = { start: start + version.start, end: start + version.end };
  const deciding = { ...first, text: first.text.slice(version.start, version.end), span };
  return { requirement: requirementOf([deciding]), ...(frozen !== undefined && { frozen }) };
}

function definedAs({ requirement, frozen }: RichVersion): Pick<Definition, 'value' | 'frozen'> {
  return { value: requirement, ...(frozen !== undefined && { frozen }) };
}

/** `.versionRef('kotlin')`, `.version('1.9.22')` or `.version { … }` behind the call, or behind another. */
function chainedVersion(
  chained: readonly Call[],
  statement: Statement,
  prefix: string,
  script: Script,
): RichVersion | undefined {
  const call = chained.find(({ name }) => name === 'version' || name === 'versionRef');
  const [value] = call ? readArguments(call.inner, script) : [];
  if (call?.name === 'version') return value ? shortVersion(value.pieces) : readRichParts(statement, script);
  const name = value && plainText(value, script);
  if (!value || name === undefined) return undefined;
  const to = { id: catalogIds.version(prefix + name), label: `versions.${name}` };
  return { requirement: { kind: 'reference', to, span: spanOf(value.pieces) } };
}

/** Calls that name an entry. */
const namingCalls: ReadonlySet<string> = new Set(['version', 'library', 'plugin', 'alias']);

interface Call {
  readonly name: string;
  readonly span: Span;
  readonly inner: readonly Token[];
}

/** The calls of a chain: `library('a', 'g:a').version('1.0')`, `alias 'a' to 'g:a:1.0'`. */
function callsIn(tokens: readonly Token[]): readonly Call[] {
  const calls: Call[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at];
    if (token?.kind !== 'word') {
      if (punctuationAt(tokens, at) !== '.') break;
      at++;
      continue;
    }
    const isCall = punctuationAt(tokens, at + 1) === '(';
    const inner = isCall ? bracketContents(tokens, at + 1) : tokens.slice(at + 1, nextCall(tokens, at + 1));
    calls.push({ name: token.text, span: token.span, inner });
    at += inner.length + (isCall ? 3 : 1);
  }
  return calls;
}

/** Without parentheses a call ends where another name follows its arguments. */
function nextCall(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const mark = punctuationAt(tokens, at);
    const before = punctuationAt(tokens, at - 1);
    const isBehindValue = at > from && (before === undefined || before === ')' || before === ']');
    if (depth === 0 && tokens[at]?.kind === 'word' && isBehindValue) return at;
    depth += depthOf(mark);
  }
  return tokens.length;
}

/** A text, as far as the script itself defines what it refers to. */
function plainText({ pieces }: Value, { definitions }: Script): string | undefined {
  const parts = pieces.map((it) => {
    if (it.kind === 'text') return it.text;
    const value = definitions.findLast(({ id }) => id === it.to.id)?.value;
    return value?.kind === 'literal' ? value.at.text : undefined;
  });
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join('');
}

function readArguments(inner: readonly Token[], script: Script): readonly Value[] {
  return splitTokens(inner, ',').flatMap((it) => readValue(it, script) ?? []);
}

/** The tokens of the arguments, in parentheses or behind the name. */
function argumentTokens(tokens: readonly Token[], at: number): readonly Token[] {
  return punctuationAt(tokens, at) === '(' ? bracketContents(tokens, at) : tokens.slice(at);
}
