import * as l10n from '@vscode/l10n';
import type { Definition } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { readArtifacts } from './arguments.ts';
import { dependencyOf, readArgument } from './dependencies.ts';
import { listFactories } from './loops.ts';
import type { Script } from './script.ts';
import { bracketContents, punctuationAt, type Statement, splitTokens, wordAt } from './statements.ts';
import { Punctuation, type Token } from './tokens.ts';
import {
  catalogIds,
  emptyRequirement,
  isOpeningBracket,
  partsOf,
  referenceTo,
  requirementOf,
  type Value,
  type ValuePiece,
} from './values.ts';

/** The block around an assignment. */
export interface AssignmentScope {
  /** Unqualified names are properties here: in `ext`, in an object, at the top of the script. */
  readonly definesProperties: boolean;
  /** `Versions.` in `object Versions`. */
  readonly prefix: string;
  /** When the assignment applies, which only a build knows. */
  readonly condition?: string;
  /** The value consists of all values of a map. */
  readonly isMap?: true;
}

/** Only the maps of a broken script nest deeper. */
const MAX_MAP_DEPTH = 8;

/** An assignment of a value to a name. */
export interface Assignment {
  readonly name: string;
  readonly span: Span;
  readonly value: readonly Token[];
  readonly scope: AssignmentScope;
}

/**
 * Collects the assignments of texts, of lists, and of the entries of maps.
 *
 *     ext.spring = '6.1.3'      def spring = '6.1.3'      val spring by extra("6.1.3")      extra["spring"] = "6.1.3"
 *     ext.versions = [spring: '6.1.3']      set("spring", "6.1.3")
 */
export function collectAssignments(
  statement: Statement,
  scope: AssignmentScope,
  script: Script,
  into: Assignment[],
): void {
  const { tokens, path } = statement;
  const at = findAssignment(tokens);
  if (at > 0) {
    const left = tokens.slice(0, punctuationAt(tokens, at - 1) === '+' ? at - 1 : at);
    const name = assignedName(left, scope, script);
    const named = left.findLast((it) => it.kind !== 'punctuation');
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
  const setter = path.at(-1) === 'set' && (scope.definesProperties || /^(?:ext|extra)$/.test(path.at(-2) ?? ''));
  if (!setter || punctuationAt(tokens, path.length * 2 - 1) !== '(') return;
  const [name, value] = splitTokens(bracketContents(tokens, path.length * 2 - 1), ',');
  if (name?.[0]?.kind === 'string' && value) {
    const { span } = name[0];
    add(script.text.slice(span.start, span.end), span, value, 0);
  }

  function add(name: string, span: Span, value: readonly Token[], depth: number): void {
    const map = readMapEntries(value);
    if (map && depth > MAX_MAP_DEPTH) return;
    for (const it of map ?? []) add(`${name}.${it.name}`, it.span, it.value, depth + 1);
    if (map === undefined || map.length === 0) into.push({ name, span, value, scope });
    // A reference to a map includes all its values.
    else into.push({ name, span, value: map.flatMap((it) => [...it.value, comma]), scope: { ...scope, isMap: true } });
  }
}

const comma = new Punctuation(',', 0);

/**
 * Makes definitions of assignments. A text that could be an artifact becomes a dependency only where a dependency refers to
 * it.
 */
export function defineAssignments(assignments: readonly Assignment[], script: Script): void {
  const own = new Set(assignments.map((it) => it.name));
  for (const { name, span, value, scope } of assignments) {
    const id = catalogIds.library(name.replace(/^libs\./, ''));
    const elements = scope.isMap ? value : listElements(value);
    if (elements) script.named.set(id, { kind: 'list', elements });
    else define(name, span, value, scope, id);
  }

  function define(name: string, span: Span, right: readonly Token[], scope: AssignmentScope, library: string): void {
    if (isPlatformCall(right) && definesLibrary(name, span, right, scope)) return;
    const value = readArgument(right, script);
    if (!value || !(value.blank || isVersionLike(value))) return;
    if (definesLibrary(name, span, right, scope)) return;
    const { condition } = scope;
    const pieces = value.pieces.map((it) => resolveInObject(it, scope));
    const [only] = pieces;
    // `def x = findProperty("x") ?: "1.0"` refers to itself; its default value is recorded separately.
    if (only?.kind === 'reference' && only.to.id === `property:${name}`) return;
    script.definitions.push({
      ...definitionOf(name, span, { ...value, pieces }),
      ...(condition !== undefined && { condition }),
    });
    if (pieces.length === 1 && only?.kind === 'reference')
      script.named.set(library, { kind: 'name', to: only.to, span });
  }

  /** Defines whole coordinates, which dependencies refer to as `deps.spring`. */
  function definesLibrary(name: string, span: Span, right: readonly Token[], scope: AssignmentScope): boolean {
    const [artifact] = right[0]?.kind === 'string' || isPlatformCall(right) ? readArtifacts(right, script) : [];
    if (artifact?.kind !== 'coordinates') return false;
    const about = artifact.platform
      ? ({ scope: 'runtime', group: 'platform', inherits: { as: 'bom' } } as const)
      : ({ scope: 'runtime', group: 'ext' } as const);
    const whole = {
      ...artifact,
      name: artifact.name.map((it) => resolveInObject(it, scope)),
      version: artifact.version.map((it) => resolveInObject(it, scope)),
    };
    const dependency = dependencyOf(whole, about);
    const alias = name.replace(/^libs\./, '');
    script.definitions.push({ id: catalogIds.library(alias), span, value: dependency.requirement });
    const value = { kind: 'template', parts: partsOf(whole.name), span } as const;
    script.definitions.push({ id: catalogIds.module(alias), span, value });
    script.named.set(catalogIds.library(alias), {
      kind: 'artifact',
      add: () => script.dependencies.push(dependency),
    });
    return true;
  }

  /** A reference inside an object resolves to the nearest definition: in `Deps.Square`, `version` may be `Deps.version`. */
  function resolveInObject(piece: ValuePiece, { prefix }: AssignmentScope): ValuePiece {
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

/** Adds the artifacts of all names that dependencies refer to. */
export function addReferencedArtifacts(script: Script): void {
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
    if (named?.kind === 'artifact') named.add();
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

/** `["g:a:1", libs.core]`, `listOf("g:a:1")`; undefined for anything else. */
function listElements(tokens: readonly Token[]): readonly Token[] | undefined {
  if (punctuationAt(tokens, 0) === '[') return bracketContents(tokens, 0);
  return listFactories.has(wordAt(tokens, 0) ?? '') && punctuationAt(tokens, 1) === '('
    ? bracketContents(tokens, 1)
    : undefined;
}

/** `val bom = platform("androidx.compose:compose-bom:2024.02.00")`, for several configurations. */
function isPlatformCall(right: readonly Token[]): boolean {
  return /^(?:enforcedP|p)latform$/.test(wordAt(right, 0) ?? '') && punctuationAt(right, 1) === '(';
}

function definitionOf(name: string, span: Span, value: Value): Definition {
  return {
    id: `property:${name}`,
    span,
    value: value.blank ? emptyRequirement(name, span) : requirementOf(value.pieces),
    ...(value.blank && { blank: value.blank }),
    ...(name === 'version' && { frozen: l10n.t("the project's own version"), member: true }),
  };
}

/** Whether a value could be a version, or a part of one: not a multi-line text, or a calculation. */
function isVersionLike({ pieces, text }: Value): boolean {
  if (text.includes('\n') || pieces.every((it) => it.kind === 'text' && it.text.trim() === '')) return false;
  return pieces.some((it) => it.kind === 'text' || !it.to.id.startsWith('expression:'));
}

/** The index of the equals sign of an assignment, outside of brackets; negative where there is none. */
function findAssignment(tokens: readonly Token[]): number {
  for (let at = 1; at < tokens.length; at++) {
    const mark = punctuationAt(tokens, at);
    if (mark === '(') return -1;
    if (mark !== '=') continue;
    const before = punctuationAt(tokens, at - 1);
    const after = punctuationAt(tokens, at + 1);
    // `+= [` adds to a map.
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

/** The assigned name; undefined for a setting of something else. */
function assignedName(
  left: readonly Token[],
  { definesProperties, prefix }: AssignmentScope,
  script: Script,
): string | undefined {
  const from = left.findIndex((it) => it.kind !== 'word' || !modifiers.has(it.text));
  if (from > 0) {
    // `def x`, `val x: String`, `final String x`
    const names = (splitTokens(left.slice(from), ':')[0] ?? []).filter((it) => it.kind === 'word');
    const name = names.at(-1)?.text;
    return name === undefined ? undefined : prefix + name;
  }
  const [first, second] = left;
  const last = left.at(-1);
  if (first?.kind !== 'word' || !last) return undefined;
  if (second?.kind === 'word') return definesProperties ? second.text : undefined;
  const text = script.text.slice(first.start, last.end);
  const { id } = referenceTo(text);
  const isExtra = /^(?:(?:rootProject|project)\.)*(?:ext|extra)\b/.test(text);
  return id.startsWith('property:') && (definesProperties || isExtra)
    ? prefix + id.slice('property:'.length)
    : undefined;
}

interface MapEntry {
  readonly name: string;
  readonly span: Span;
  readonly value: readonly Token[];
}

/** The entries of a map: `[spring: '6.1.3']`, `mapOf("spring" to "6.1.3")`. */
function readMapEntries(tokens: readonly Token[]): readonly MapEntry[] | undefined {
  const isMap = wordAt(tokens, 0) === 'mapOf' || wordAt(tokens, 0) === 'mutableMapOf';
  const at = isMap ? 1 : 0;
  if (!isOpeningBracket(tokens, at) || (at === 0 && punctuationAt(tokens, 0) !== '[')) return undefined;
  return splitTokens(bracketContents(tokens, at), ',').flatMap((entry) => {
    const [key] = entry;
    const between = entry[1];
    const parts = between?.kind === 'word' ? between.text === 'to' : punctuationAt(entry, 1) === ':';
    if (!parts || key === undefined || key.kind === 'punctuation') return [];
    const name = key.kind === 'word' ? key.text : key.pieces.map((it) => it.text).join('');
    return [{ name, span: key.span, value: entry.slice(2) }];
  });
}
