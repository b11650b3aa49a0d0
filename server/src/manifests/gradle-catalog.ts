import type { FileRef, Requirement } from '../model/manifest.ts';
import { shared } from '../model/shared.ts';
import type { Span } from '../model/span.ts';
import { artifactsIn } from './gradle-arguments.ts';
import { addArtifact, type Found } from './gradle-dependencies.ts';
import { catalogIds, managedVersion, pluginMarker } from './gradle-ids.ts';
import { cut, inside, markAt, pathAt, type Statement, wordAt } from './gradle-statements.ts';
import type { Token } from './gradle-tokens.ts';
import { partsOf, readValue, requirementOf, spanOf, type Value } from './gradle-values.ts';

/** Of `create("tools") { … }` and of `tools { … }` the name. */
export function catalogName(tokens: readonly Token[]): string {
  const [name] = argumentsAt(tokens, pathAt(tokens).length * 2 - 1, '');
  return shared(name?.text || (wordAt(tokens, 0) ?? ''));
}

/**
 * The file that a catalog is read from.
 *
 *     tools { from(files("gradle/tools.versions.toml")) }
 *                         ^^^^^^^^^^^^^^^^^^^^^^^^^^
 */
export function catalogFile(tokens: readonly Token[], catalog: string): FileRef | undefined {
  const file = tokens.find((it) => it.kind === 'string');
  const pieces = file?.pieces ?? [];
  const [first] = pieces;
  const last = pieces.at(-1);
  const isOwn = first?.kind === 'expression' && /\b(?:root(?:Dir|Project)|settingsDir)\b/.test(first.text);
  if (last?.kind !== 'text' || !last.text.endsWith('.toml') || pieces.length > (isOwn ? 2 : 1)) return undefined;
  const path = (isOwn ? last.text.replace(/^\//, '') : last.text).replaceAll('\\', '/');
  const reference = { kind: 'include', path, format: 'libs.versions.toml', span: last.span } as const;
  return catalog === usual ? reference : { ...reference, within: catalog };
}

/** What build files call entries of a catalog by; those of the usual one go without its name. */
function prefixOf(catalog: string): string {
  return catalog === usual || catalog === '' ? '' : `${catalog}.`;
}

const usual = 'libs';

/**
 * Reads a line of a catalog in the settings script.
 *
 *     version('kotlin', '1.9.22')
 *     library('guava', 'com.google.guava:guava:33.0.0-jre')
 *     library('stdlib', 'org.jetbrains.kotlin', 'kotlin-stdlib').versionRef('kotlin')
 *     plugin('kotlin', 'org.jetbrains.kotlin.jvm').version('1.9.22')
 *     from('org.example:catalog:1.0')
 */
export function readCatalogStatement({ tokens }: Statement, catalog: string, source: string, found: Found): void {
  const kind = wordAt(tokens, 0);
  const [first, ...others] = argumentsAt(tokens, 1, source);
  if (kind === 'from') readPublished();
  if (first?.pieces.length !== 1 || first.pieces[0]?.kind !== 'text') return;
  const prefix = prefixOf(catalog);
  const alias = prefix + first.text;
  const span = spanOf(first.pieces);
  if (kind === 'version') {
    const [version] = others;
    if (version && version.pieces.length > 0) {
      found.definitions.push({ id: catalogIds.version(alias), span, value: requirementOf(version.pieces) });
    }
  } else if (kind === 'library') readLibrary();
  else if (kind === 'plugin') readPluginEntry();

  function readPublished(): void {
    const about = { scope: 'build', group: 'versionCatalogs' } as const;
    for (const it of artifactsIn(innerOf(tokens, 1), source)) addArtifact(it, about, false, undefined, found);
  }

  function readLibrary(): void {
    const inner = innerOf(tokens, 1);
    const comma = inner.findIndex((_, at) => markAt(inner, at) === ',');
    const [artifact] = comma < 0 ? [] : artifactsIn(inner.slice(comma + 1), source);
    if (artifact?.kind !== 'coordinates') return;
    const written = artifact.version.length > 0 ? requirementOf(artifact.version) : chained(tokens, prefix, source);
    const parts = partsOf(artifact.name);
    const name = parts.map((it) => (typeof it === 'string' ? it : it.label)).join('');
    add(name, artifact.nameSpan, written, 'runtime', 'libraries');
    define(name, written, catalogIds.library(alias), catalogIds.module(alias), artifact.nameSpan);
  }

  function readPluginEntry(): void {
    const [id] = others;
    if (!id || id.pieces.length === 0) return;
    const marker = pluginMarker(id.text);
    const written = chained(tokens, prefix, source);
    add(marker, spanOf(id.pieces), written, 'build', 'plugins');
    define(marker, written, catalogIds.plugin(alias), catalogIds.pluginModule(alias), spanOf(id.pieces));
  }

  function add(
    name: string,
    nameSpan: Span,
    written: Requirement | undefined,
    scope: 'runtime' | 'build',
    group: string,
  ) {
    const requirement = written ?? managedVersion(name, nameSpan);
    found.dependencies.push({ key: { system: 'MAVEN', name }, name, nameSpan, requirement, scope, group });
  }

  function define(name: string, written: Requirement | undefined, id: string, module: string, nameSpan: Span): void {
    found.definitions.push({ id, span, value: written ?? managedVersion(name, nameSpan) });
    found.definitions.push({ id: module, span, value: { kind: 'template', parts: [name], span } });
  }
}

/** `.versionRef('kotlin')`, `.version('1.9.22')` behind the call. */
function chained(tokens: readonly Token[], prefix: string, source: string): Requirement | undefined {
  const at = tokens.findIndex((_, index) => markAt(tokens, index) === ')' && markAt(tokens, index + 1) === '.');
  if (at < 0) return undefined;
  const method = wordAt(tokens, at + 2);
  const [value] = argumentsAt(tokens, at + 3, source);
  if (!value || value.pieces.length === 0) return undefined;
  if (method === 'version') return requirementOf(value.pieces);
  if (method !== 'versionRef') return undefined;
  const to = { id: catalogIds.version(prefix + value.text), label: `versions.${value.text}` };
  return { kind: 'reference', to, span: spanOf(value.pieces) };
}

function argumentsAt(tokens: readonly Token[], at: number, source: string): readonly Value[] {
  return cut(innerOf(tokens, at), ',').flatMap((it) => readValue(it, source) ?? []);
}

/** Arguments stand in parentheses, or behind the name. */
function innerOf(tokens: readonly Token[], at: number): readonly Token[] {
  return markAt(tokens, at) === '(' ? inside(tokens, at) : tokens.slice(at);
}
