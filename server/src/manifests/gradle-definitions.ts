import * as l10n from '@vscode/l10n';
import type { Definition } from '../model/manifest.ts';
import type { Span } from '../model/span.ts';
import { artifactsIn } from './gradle-arguments.ts';
import { addArtifact, argumentOf, type Found } from './gradle-dependencies.ts';
import { catalogIds, noValue } from './gradle-ids.ts';
import { cut, inside, markAt, pathAt, type Statement, wordAt } from './gradle-statements.ts';
import type { Token } from './gradle-tokens.ts';
import { isOpening, partsOf, referenceTo, requirementOf, type Value } from './gradle-values.ts';

/** The block that an assignment stands in. */
export interface Holder {
  /** Names that stand alone are properties: in `ext`, in an object, at the top of the script. */
  readonly open: boolean;
  /** `Versions.` in `object Versions`. */
  readonly prefix: string;
  /** Only a build could say whether it holds. */
  readonly condition?: string;
}

/** Maps nest deeper than this only in a broken script. */
const deepest = 8;

/**
 * Reads what gives a name to a text.
 *
 *     ext.spring = '6.1.3'      def spring = '6.1.3'      val spring by extra("6.1.3")      extra["spring"] = "6.1.3"
 *     ext.versions = [spring: '6.1.3']      set("spring", "6.1.3")
 */
export function readAssignment(statement: Statement, holder: Holder, source: string, found: Found): void {
  const { tokens } = statement;
  const at = assignmentAt(tokens);
  if (at > 0) {
    const left = tokens.slice(0, markAt(tokens, at - 1) === '+' ? at - 1 : at);
    const name = nameOf(left, holder, source);
    const named = left.findLast((it) => it.kind !== 'mark');
    if (wordAt(left, 0) === 'artifact' && left.length === 1) readTool(tokens.slice(at + 1), source, found);
    else if (name !== undefined && named) define(name, named.span, tokens.slice(at + 1), 0);
    return;
  }
  const by = tokens.findIndex((it) => it.kind === 'word' && it.text === 'by');
  if (by > 0) {
    const variable = tokens[1];
    const block = statement.blocks[0]?.[0]?.tokens;
    const value = tokens.slice(by + 2);
    if (wordAt(tokens, by + 1) !== 'extra' || variable?.kind !== 'word') return;
    define(variable.text, variable.span, value.length > 0 ? value : (block ?? []), 0);
    return;
  }
  const path = pathAt(tokens);
  const setter = path.at(-1) === 'set' && (holder.open || /^(?:ext|extra)$/.test(path.at(-2) ?? ''));
  if (!setter || markAt(tokens, path.length * 2 - 1) !== '(') return;
  const [name, value] = cut(inside(tokens, path.length * 2 - 1), ',');
  if (name?.[0]?.kind === 'string' && value) {
    const { span } = name[0];
    define(source.slice(span.start, span.end), span, value, 0);
  }

  function define(name: string, span: Span, right: readonly Token[], depth: number): void {
    const map = entriesOf(right);
    if (map) {
      if (depth > deepest) return;
      for (const it of map) define(`${name}.${it.name}`, it.span, it.value, depth + 1);
      return;
    }
    if (isPlatform(right) && definesLibrary(name, span, right)) return;
    const value = argumentOf(right, source);
    if (!value || !(value.blank || isVersionLike(value))) return;
    if (definesLibrary(name, span, right)) return;
    const { condition } = holder;
    found.definitions.push({ ...definitionOf(name, span, value), ...(condition !== undefined && { condition }) });
  }

  /** A map may hold whole coordinates, which dependencies refer to as `deps.spring`. */
  function definesLibrary(name: string, span: Span, right: readonly Token[]): boolean {
    const [artifact] = right[0]?.kind === 'string' || isPlatform(right) ? artifactsIn(right, source) : [];
    if (artifact?.kind !== 'coordinates') return false;
    const about = artifact.platform
      ? ({ scope: 'runtime', group: 'platform', inherits: { as: 'bill' } } as const)
      : ({ scope: 'runtime', group: 'ext' } as const);
    addArtifact(artifact, about, false, undefined, found);
    const dependency = found.dependencies.at(-1);
    if (!dependency) return true;
    const { requirement } = dependency;
    const alias = name.replace(/^libs\./, '');
    found.definitions.push({ id: catalogIds.library(alias), span, value: requirement });
    const value = { kind: 'template', parts: partsOf(artifact.name), span } as const;
    found.definitions.push({ id: catalogIds.module(alias), span, value });
    return true;
  }
}

/** `val bom = platform("androidx.compose:compose-bom:2024.02.00")`, which several configurations take. */
function isPlatform(right: readonly Token[]): boolean {
  return /^(?:enforcedP|p)latform$/.test(wordAt(right, 0) ?? '') && markAt(right, 1) === '(';
}

/** What a plugin runs, as that for protocol buffers: `protoc { artifact = 'com.google.protobuf:protoc:3.25.0' }`. */
function readTool(value: readonly Token[], source: string, found: Found): void {
  const [artifact] = value[0]?.kind === 'string' ? artifactsIn(value, source) : [];
  if (artifact) addArtifact(artifact, { scope: 'build', group: 'artifact' }, false, undefined, found);
}

function definitionOf(name: string, span: Span, value: Value): Definition {
  return {
    id: `property:${name}`,
    span,
    value: value.blank ? noValue(name, span) : requirementOf(value.pieces),
    ...(value.blank && { blank: value.blank }),
    ...(name === 'version' && { frozen: l10n.t("the project's own version"), member: true }),
  };
}

/** Whether a value could be a version, or a part of one: not a text of several lines, or a calculation. */
function isVersionLike({ pieces, text }: Value): boolean {
  if (text.includes('\n') || pieces.every((it) => it.kind === 'text' && it.text.trim() === '')) return false;
  return pieces.some((it) => it.kind === 'text' || !it.to.id.startsWith('expression:'));
}

/** The equals sign that stands alone and outside of brackets; negative where there is none. */
function assignmentAt(tokens: readonly Token[]): number {
  for (let at = 1; at < tokens.length; at++) {
    const mark = markAt(tokens, at);
    if (mark === '(') return -1;
    if (mark !== '=') continue;
    const before = markAt(tokens, at - 1);
    const after = markAt(tokens, at + 1);
    // A map may be added to.
    const adds = before === '+' && after === '[';
    const isAlone = after !== '=' && (before === undefined || before === ']' || before === '>');
    return isAlone || adds ? at : -1;
  }
  return -1;
}

const modifiers: ReadonlySet<string> = new Set([
  'def',
  'val',
  'var',
  'final',
  'const',
  'private',
  'internal',
  'public',
  'static',
]);

/** What is assigned to; undefined where it is the setting of something else. */
function nameOf(left: readonly Token[], { open, prefix }: Holder, source: string): string | undefined {
  const from = left.findIndex((it) => it.kind !== 'word' || !modifiers.has(it.text));
  if (from > 0) {
    // `def x`, `val x: String`, `final String x`
    const names = (cut(left.slice(from), ':')[0] ?? []).filter((it) => it.kind === 'word');
    const name = names.at(-1)?.text;
    return name === undefined ? undefined : prefix + name;
  }
  const [first, second] = left;
  const last = left.at(-1);
  if (first?.kind !== 'word' || !last) return undefined;
  if (second?.kind === 'word') return open ? second.text : undefined;
  const text = source.slice(first.span.start, last.span.end);
  const { id } = referenceTo(text);
  const isExtra = /^(?:(?:rootProject|project)\.)*(?:ext|extra)\b/.test(text);
  return id.startsWith('property:') && (open || isExtra) ? prefix + id.slice('property:'.length) : undefined;
}

interface Entry {
  readonly name: string;
  readonly span: Span;
  readonly value: readonly Token[];
}

/** The entries of a map: `[spring: '6.1.3']`, `mapOf("spring" to "6.1.3")`. */
function entriesOf(tokens: readonly Token[]): readonly Entry[] | undefined {
  const isMap = wordAt(tokens, 0) === 'mapOf' || wordAt(tokens, 0) === 'mutableMapOf';
  const at = isMap ? 1 : 0;
  if (!isOpening(tokens, at) || (at === 0 && markAt(tokens, 0) !== '[')) return undefined;
  return cut(inside(tokens, at), ',').flatMap((entry) => {
    const [key] = entry;
    const between = entry[1];
    const parts = between?.kind === 'word' ? between.text === 'to' : markAt(entry, 1) === ':';
    if (!parts || key === undefined || key.kind === 'mark') return [];
    const name = key.kind === 'word' ? key.text : key.pieces.map((it) => it.text).join('');
    return [{ name, span: key.span, value: entry.slice(2) }];
  });
}
