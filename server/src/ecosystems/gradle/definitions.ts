import * as l10n from '@vscode/l10n';
import type { Definition } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { artifactsIn } from './arguments.ts';
import { argumentOf, dependencyOf } from './dependencies.ts';
import { lists } from './loops.ts';
import type { Script } from './script.ts';
import { cut, inside, markAt, type Statement, wordAt } from './statements.ts';
import { Mark, type Token } from './tokens.ts';
import {
  catalogIds,
  isOpening,
  noValue,
  partsOf,
  referenceTo,
  requirementOf,
  type Value,
  type ValuePiece,
} from './values.ts';

/** The block that an assignment stands in. */
export interface Holder {
  /** Names that stand alone are properties: in `ext`, in an object, at the top of the script. */
  readonly open: boolean;
  /** `Versions.` in `object Versions`. */
  readonly prefix: string;
  /** Only a build could say whether it holds. */
  readonly condition?: string;
  /** Its value is all that a map holds. */
  readonly isMap?: true;
}

/** Maps nest deeper than this only in a broken script. */
const deepest = 8;

/** A name that a script gives to a value. */
export interface Assignment {
  readonly name: string;
  readonly span: Span;
  readonly value: readonly Token[];
  readonly holder: Holder;
}

/**
 * What gives a name to a text, to a list of them, or to each in a map.
 *
 *     ext.spring = '6.1.3'      def spring = '6.1.3'      val spring by extra("6.1.3")      extra["spring"] = "6.1.3"
 *     ext.versions = [spring: '6.1.3']      set("spring", "6.1.3")
 */
export function collectAssignments(statement: Statement, holder: Holder, script: Script, into: Assignment[]): void {
  const { tokens, path } = statement;
  const at = assignmentAt(tokens);
  if (at > 0) {
    const left = tokens.slice(0, markAt(tokens, at - 1) === '+' ? at - 1 : at);
    const name = nameOf(left, holder, script);
    const named = left.findLast((it) => it.kind !== 'mark');
    if (name !== undefined && named) add(name, named.span, tokens.slice(at + 1), 0);
    return;
  }
  const by = modifiers.has(path[0] ?? '') ? tokens.findIndex((it) => it.kind === 'word' && it.text === 'by') : -1;
  if (by > 0) {
    const variable = tokens[1];
    const block = statement.blocks[0]?.[0]?.tokens;
    const value = tokens.slice(by + 2);
    if (wordAt(tokens, by + 1) !== 'extra' || variable?.kind !== 'word') return;
    add(variable.text, variable.span, value.length > 0 ? value : (block ?? []), 0);
    return;
  }
  const setter = path.at(-1) === 'set' && (holder.open || /^(?:ext|extra)$/.test(path.at(-2) ?? ''));
  if (!setter || markAt(tokens, path.length * 2 - 1) !== '(') return;
  const [name, value] = cut(inside(tokens, path.length * 2 - 1), ',');
  if (name?.[0]?.kind === 'string' && value) {
    const { span } = name[0];
    add(script.text.slice(span.start, span.end), span, value, 0);
  }

  function add(name: string, span: Span, value: readonly Token[], depth: number): void {
    const map = entriesOf(value);
    if (map && depth > deepest) return;
    for (const it of map ?? []) add(`${name}.${it.name}`, it.span, it.value, depth + 1);
    if (map === undefined || map.length === 0) into.push({ name, span, value, holder });
    // Whoever takes a map takes all that is in it.
    else
      into.push({ name, span, value: map.flatMap((it) => [...it.value, comma]), holder: { ...holder, isMap: true } });
  }
}

const comma = new Mark(',', 0);

/**
 * Makes definitions of the names that a script gives. A text that could be an artifact becomes one where a dependency
 * refers to it, and only then.
 */
export function readAssignments(assignments: readonly Assignment[], script: Script): void {
  const own = new Set(assignments.map((it) => it.name));
  for (const { name, span, value, holder } of assignments) {
    const id = catalogIds.library(name.replace(/^libs\./, ''));
    const elements = holder.isMap ? value : listIn(value);
    if (elements) script.named.set(id, { kind: 'list', elements });
    else define(name, span, value, holder, id);
  }

  function define(name: string, span: Span, right: readonly Token[], holder: Holder, library: string): void {
    if (isPlatform(right) && definesLibrary(name, span, right, holder)) return;
    const value = argumentOf(right, script);
    if (!value || !(value.blank || isVersionLike(value))) return;
    if (definesLibrary(name, span, right, holder)) return;
    const { condition } = holder;
    const pieces = value.pieces.map((it) => within(it, holder));
    const [only] = pieces;
    // `def x = findProperty("x") ?: "1.0"`: what stands behind is put down by itself.
    if (only?.kind === 'reference' && only.to.id === `property:${name}`) return;
    script.definitions.push({
      ...definitionOf(name, span, { ...value, pieces }),
      ...(condition !== undefined && { condition }),
    });
    if (pieces.length === 1 && only?.kind === 'reference')
      script.named.set(library, { kind: 'name', to: only.to, span });
  }

  /** A name may be that of whole coordinates, which dependencies refer to as `deps.spring`. */
  function definesLibrary(name: string, span: Span, right: readonly Token[], holder: Holder): boolean {
    const [artifact] = right[0]?.kind === 'string' || isPlatform(right) ? artifactsIn(right, script) : [];
    if (artifact?.kind !== 'coordinates') return false;
    const about = artifact.platform
      ? ({ scope: 'runtime', group: 'platform', inherits: { as: 'bom' } } as const)
      : ({ scope: 'runtime', group: 'ext' } as const);
    const whole = {
      ...artifact,
      name: artifact.name.map((it) => within(it, holder)),
      version: artifact.version.map((it) => within(it, holder)),
    };
    const dependency = dependencyOf(whole, about);
    const alias = name.replace(/^libs\./, '');
    script.definitions.push({ id: catalogIds.library(alias), span, value: dependency.requirement });
    const value = { kind: 'template', parts: partsOf(whole.name), span } as const;
    script.definitions.push({ id: catalogIds.module(alias), span, value });
    script.named.set(catalogIds.library(alias), {
      kind: 'artifact',
      count: () => script.dependencies.push(dependency),
    });
    return true;
  }

  /** A reference inside of an object means what stands nearest: in `Deps.Square`, `version` may be `Deps.version`. */
  function within(piece: ValuePiece, { prefix }: Holder): ValuePiece {
    if (prefix === '' || piece.kind === 'text') return piece;
    const { id, label } = piece.to;
    const colon = id.indexOf(':') + 1;
    for (let outer = prefix; outer !== ''; outer = outer.slice(0, outer.lastIndexOf('.', outer.length - 2) + 1)) {
      const name = outer + id.slice(colon);
      if (own.has(name)) {
        const kind = id.slice(0, colon);
        return { ...piece, to: { id: kind === 'module:' ? catalogIds.module(name) : kind + name, label } };
      }
    }
    return piece;
  }
}

/** Puts down what a name leads to, for all the names that dependencies refer to. */
export function countNamed(script: Script): void {
  const open = script.dependencies.flatMap(({ requirement, nameParts = [] }) => [
    ...(requirement.kind === 'reference' ? [requirement.to.id] : []),
    ...nameParts.flatMap((it) => (typeof it === 'string' ? [] : [it.id])),
  ]);
  const seen = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const alias = /^(?:library|module):(.*)$/s.exec(id)?.[1];
    const library = `library:${alias}`;
    const named = alias === undefined || seen.has(library) ? undefined : script.named.get(library);
    seen.add(library);
    if (named?.kind === 'artifact') named.count();
    else if (named?.kind === 'name' && named.to.id.startsWith('property:')) {
      const { to, span } = named;
      const next = to.id.slice('property:'.length).replace(/^libs\./, '');
      const value = { kind: 'reference', to: { id: catalogIds.library(next), label: to.label }, span } as const;
      const parts = [{ id: catalogIds.module(next), label: to.label }];
      script.definitions.push({ id: library, span, value });
      script.definitions.push({ id: `module:${alias}`, span, value: { kind: 'template', parts, span } });
      open.push(value.to.id);
    }
  }
}

/** `["g:a:1", libs.core]`, `listOf("g:a:1")`; undefined where it is no list. */
function listIn(tokens: readonly Token[]): readonly Token[] | undefined {
  if (markAt(tokens, 0) === '[') return inside(tokens, 0);
  return lists.has(wordAt(tokens, 0) ?? '') && markAt(tokens, 1) === '(' ? inside(tokens, 1) : undefined;
}

/** `val bom = platform("androidx.compose:compose-bom:2024.02.00")`, which several configurations take. */
function isPlatform(right: readonly Token[]): boolean {
  return /^(?:enforcedP|p)latform$/.test(wordAt(right, 0) ?? '') && markAt(right, 1) === '(';
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
function nameOf(left: readonly Token[], { open, prefix }: Holder, script: Script): string | undefined {
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
  const text = script.text.slice(first.start, last.end);
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
