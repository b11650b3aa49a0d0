import { truncate } from '../../base/text.ts';
import type { Definition, Dependency, FileRef, Part } from '../../model/manifest.ts';
import { readArtifacts, readStrict } from './arguments.ts';
import { addArtifact, dependencyOf, type RichVersion, readRichParts } from './dependencies.ts';
import type { Script } from './script.ts';
import { bracketContents, dottedName, punctuationAt, type Statement, splitTokens, wordAt } from './statements.ts';
import type { Token } from './tokens.ts';
import {
  catalogIds,
  managedVersion,
  normalizeAlias,
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
  const { tokens } = statement;
  const kind = wordAt(tokens, 0);
  const [first, ...others] = readArguments(tokens, 1, script);
  if (kind === 'from') readPublished();
  if (first?.pieces.length !== 1 || first.pieces[0]?.kind !== 'text') return;
  const prefix = prefixOf(catalog);
  const alias = prefix + first.text;
  const span = spanOf(first.pieces);
  if (kind === 'version') {
    const [version] = others;
    const read = version ? shortVersion(version.pieces) : readRichParts(statement, script);
    if (read) script.definitions.push({ id: catalogIds.version(alias), span, ...definedAs(read) });
  } else if (kind === 'library') readLibrary();
  else if (kind === 'plugin') readPluginEntry(others[0], 0);
  else if (kind === 'alias') readAlias();

  function readPublished(): void {
    const about = { scope: 'build', group: 'versionCatalogs' } as const;
    for (const it of readArtifacts(argumentTokens(tokens, 1), script)) addArtifact(it, about, false, undefined, script);
  }

  function readLibrary(): void {
    const inner = argumentTokens(tokens, 1);
    const comma = inner.findIndex((_, at) => punctuationAt(inner, at) === ',');
    if (comma >= 0) readArtifact(inner.slice(comma + 1));
  }

  /** `alias('guava').to('com.google.guava:guava:33.0.0-jre')`, `alias('boot').toPluginId('org.springframework.boot')` */
  function readAlias(): void {
    const at = findChainedCall(tokens);
    const method = at < 0 ? undefined : wordAt(tokens, at);
    if (method === 'to') readArtifact(argumentTokens(tokens, at + 1));
    const [id] = method === 'toPluginId' ? readArguments(tokens, at + 1, script) : [];
    if (id) readPluginEntry(id, at + 1);
  }

  function readArtifact(inner: readonly Token[]): void {
    const [artifact] = readArtifacts(inner, script);
    if (artifact?.kind !== 'coordinates') return;
    // Which bundles have it is not read.
    const accessors = [normalizeAlias(first?.text ?? ''), 'bundles'];
    const own = { ...dependencyOf(artifact, { scope: 'runtime', group: 'libraries' }), accessors };
    const written = artifact.version.length > 0 ? undefined : chainedVersion(statement, 0, prefix, script);
    add({ ...own, ...written }, partsOf(artifact.name), catalogIds.library, catalogIds.module);
  }

  function readPluginEntry(id: Value | undefined, from: number): void {
    if (!id || id.pieces.length === 0) return;
    const nameSpan = spanOf(id.pieces);
    const parts = [...partsOf(id.pieces), ':', ...partsOf(id.pieces), '.gradle.plugin'];
    const text = id.pieces.map((it) => (it.kind === 'text' ? it.text : `\${${it.to.label}}`)).join('');
    const name = pluginMarker(text);
    const written = chainedVersion(statement, from, prefix, script) ?? { requirement: managedVersion(name, nameSpan) };
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
function chainedVersion(statement: Statement, from: number, prefix: string, script: Script): RichVersion | undefined {
  const tokens = statement.tokens.slice(from);
  for (let at = findChainedCall(tokens); at >= 0; ) {
    const method = wordAt(tokens, at);
    const [value] = readArguments(tokens, at + 1, script);
    if (method === 'version') return value ? shortVersion(value.pieces) : readRichParts(statement, script);
    if (method === 'versionRef' && value && value.pieces.length > 0) {
      const to = { id: catalogIds.version(prefix + value.text), label: `versions.${value.text}` };
      return { requirement: { kind: 'reference', to, span: spanOf(value.pieces) } };
    }
    const next = findChainedCall(tokens.slice(at));
    at = next < 0 ? next : at + next;
  }
  return undefined;
}

/** The index of the method that is called on the result of a call; negative where there is none. */
function findChainedCall(tokens: readonly Token[]): number {
  const at = tokens.findIndex(
    (_, index) => punctuationAt(tokens, index) === ')' && punctuationAt(tokens, index + 1) === '.',
  );
  return at < 0 ? at : at + 2;
}

function readArguments(tokens: readonly Token[], at: number, script: Script): readonly Value[] {
  return splitTokens(argumentTokens(tokens, at), ',').flatMap((it) => readValue(it, script) ?? []);
}

/** The tokens of the arguments, in parentheses or behind the name. */
function argumentTokens(tokens: readonly Token[], at: number): readonly Token[] {
  return punctuationAt(tokens, at) === '(' ? bracketContents(tokens, at) : tokens.slice(at);
}
