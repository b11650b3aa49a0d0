import * as l10n from '@vscode/l10n';
import type { Definition } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { namedIn } from './aliases.ts';
import { isComposed, readArtifacts } from './arguments.ts';
import { comma, elementsOf, isCollection, joinTokens, listElements, readMapEntries } from './collections.ts';
import { dependencyOf, readArgument } from './dependencies.ts';
import { aliasId, normalizeAlias } from './files/alias-id.ts';
import { fullName } from './files/imports.ts';
import { valuesByCondition } from './flow/branches.ts';
import type { MapEntry, Script } from './script.ts';
import { bracketContents, dottedName, punctuationAt, type Statement, splitTokens, wordAt } from './statements.ts';
import type { Token } from './tokens.ts';
import {
  catalogIds,
  emptyRequirement,
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
  /** The block around it, in which its variables are known; absent at the top of the script, and in an object. */
  readonly block?: readonly Statement[];
  /** The branch around it. */
  readonly branch?: Statement;
  /** The block around it, if that runs later. */
  readonly deferred?: readonly Statement[];
}

/** Only the maps of a broken script nest deeper. */
const MAX_MAP_DEPTH = 8;

/** An assignment of a value to a name. */
export interface Assignment {
  readonly name: string;
  readonly span: Span;
  readonly value: readonly Token[];
  readonly scope: AssignmentScope;
  /** It adds to the list or the map of the name. */
  readonly adds?: boolean;
  /** It declares a variable. */
  readonly declares?: boolean;
  /** Of a map. */
  readonly entries?: readonly MapEntry[];
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
  const declares = modifiers.has(wordAt(tokens, 0) ?? '') || wordAt(tokens, 1) !== undefined;
  const several = readSeveral(tokens);
  if (several) {
    for (const it of several) add(scope.prefix + it.name, it.span, it.value, 0);
    return;
  }
  const assigned = findAssignment(tokens);
  if (assigned) {
    const left = tokens.slice(0, assigned.left);
    const name = assignedName(left, scope, script);
    const named = left.findLast((it) => it.kind !== 'punctuation');
    if (name !== undefined && named) add(name, named.span, tokens.slice(assigned.right), 0, assigned.adds);
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
  const call = path.at(-1) ?? '';
  if (!setters.has(call) || punctuationAt(tokens, path.length * 2 - 1) !== '(') return;
  const [name, value] = splitTokens(bracketContents(tokens, path.length * 2 - 1), ',');
  const isOwn = call === 'set' && (scope.definesProperties || /^(?:ext|extra)$/.test(path.at(-2) ?? ''));
  const owner = isOwn ? '' : assignedName(tokens.slice(0, Math.max(0, path.length * 2 - 3)), scope, script);
  if (!name || owner === undefined || (call === 'set' && !isOwn)) return;
  const target = tokens[path.length * 2 - 4]?.kind === 'word' ? tokens[path.length * 2 - 4] : undefined;
  if ((call === 'putAll' || call === 'add') && !value && target?.kind === 'word')
    add(owner, target.span, name, 0, true);
  else if (call !== 'putAll' && call !== 'add' && name[0]?.kind === 'string' && value) {
    const { span } = name[0];
    add((isOwn ? '' : `${owner}.`) + script.text.slice(span.start, span.end), span, value, 0);
  }

  function add(name: string, span: Span, value: readonly Token[], depth: number, adds = false): void {
    const [first] = value;
    // Most values are one text, or one name.
    if (value.length === 1 && statement.blocks.length === 0) {
      if (first?.kind === 'word') addAlias(name, span, [value]);
      into.push({ name, span, value, scope, declares, ...(adds && { adds }) });
      return;
    }
    const branches = valuesByCondition(value, script.text, statement.blocks);
    if (branches) {
      for (const { of, condition } of branches) {
        const both = scope.condition ? `${scope.condition} and ${condition}` : condition;
        into.push({ name, span, value: of, scope: { ...scope, condition: both }, declares });
      }
      return;
    }
    const parts = splitTokens(value, '+');
    const maps = parts.map(readMapEntries);
    const entries = maps.flatMap((it) => it?.entries ?? []);
    if (entries.length > 0 && depth > MAX_MAP_DEPTH) return;
    for (const it of entries) add(`${name}.${it.name}`, it.span, it.value, depth + 1);
    const isWhole = parts.length === 1 || parts.some(isCollection);
    const others = [...(isWhole ? parts : []), ...maps.flatMap((it) => it?.spread ?? [])];
    addAlias(name, span, others);
    // A reference to a map includes all its values.
    const all = entries.length > 0 ? joinTokens([...entries.map((it) => it.value), ...others.filter(isPlain)]) : value;
    const isMap = entries.length > 0 && ({ isMap: true } as const);
    into.push({ name, span, value: all, scope: { ...scope, ...isMap }, declares, entries, ...(adds && { adds }) });
  }

  function addAlias(name: string, span: Span, values: readonly (readonly Token[])[]): void {
    const targets = values.flatMap((it) => plainName(it, script) ?? []).filter((it) => it !== name);
    if (targets.length === 0) return;
    const id = aliasId(name);
    script.aliases.set(id, targets);
    script.definitions.push({ id, span, value: { kind: 'template', parts: targets, span } });
  }

  function isPlain(tokens: readonly Token[]): boolean {
    return plainName(tokens, script) !== undefined;
  }
}

/** Calls that give a name a value: `set("a", "1")`, `libs.put("a", "g:a:1")`, `libs.putAll([a: "g:a:1"])`, `list.add("g:a:1")`. */
const setters: ReadonlySet<string> = new Set(['set', 'put', 'putAll', 'add']);

/** The name that a value consists of: `libs`, `rootProject.ext["versions"]`. */
function plainName(tokens: readonly Token[], script: Script): string | undefined {
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first?.kind !== 'word' || !last || /^(?:\d|(?:true|false|null|new|this)$)/.test(first.text)) return undefined;
  if (tokens.length === 1) return first.text;
  if (tokens.some((it) => it.kind === 'punctuation' && !/^[.[\]]$/.test(it.text))) return undefined;
  const { id } = referenceTo(script.text.slice(first.start, last.end));
  return id.startsWith('property:') ? id.slice('property:'.length) : undefined;
}

/** `def (a, b) = ['1.0', '2.0']`, `val (a, b) = listOf("1.0", "2.0")` */
function readSeveral(tokens: readonly Token[]): readonly Omit<MapEntry, 'key'>[] | undefined {
  if (!modifiers.has(wordAt(tokens, 0) ?? '') || punctuationAt(tokens, 1) !== '(') return undefined;
  const inner = bracketContents(tokens, 1);
  const equals = 2 + inner.length + 1;
  const values = punctuationAt(tokens, equals) === '=' ? listElements(tokens.slice(equals + 1)) : undefined;
  const all = values && splitTokens(values, ',');
  return splitTokens(inner, ',').flatMap((it, at) => {
    const name = (splitTokens(it, ':')[0] ?? []).findLast((one) => one.kind === 'word');
    const value = all?.[at];
    return name?.kind === 'word' && value ? [{ name: name.text, span: name.span, value }] : [];
  });
}

/**
 * Makes definitions of assignments. A text that could be an artifact becomes a dependency only where a dependency refers to
 * it.
 */
export function defineAssignments(assignments: readonly Assignment[], script: Script): void {
  let own: ReadonlySet<string> | undefined;
  const lists = new Map<string, { readonly elements: Token[]; readonly entries: MapEntry[] }>();
  for (const assignment of assignments) {
    const { span, value, scope, adds, entries = [] } = assignment;
    const name = script.order?.nameOf(assignment) ?? assignment.name;
    const id = catalogIds.library(name.replace(/^libs\./, ''));
    const elements = scope.isMap ? value : elementsOf(value);
    const before = adds ? lists.get(id) : undefined;
    if (before) {
      for (const it of [comma, ...(elements ?? value)]) before.elements.push(it);
      for (const it of entries) before.entries.push(it);
    } else if (elements) {
      const list = { elements: [...elements], entries: [...entries] };
      lists.set(id, list);
      script.named.set(id, { kind: 'list', ...list });
    } else if (!adds) define(name, span, value, scope, id);
  }

  function define(name: string, span: Span, right: readonly Token[], scope: AssignmentScope, library: string): void {
    if (isPlatformCall(right) && definesLibrary(name, span, right, scope)) return;
    const value = readArgument(right, script);
    if (!value || !(value.blank || isVersionLike(value))) return;
    if (definesLibrary(name, span, right, scope)) return;
    const { condition } = scope;
    if (/^\d/.test(value.text)) script.versions.add(`property:${name}`);
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
    const isPlatform = isPlatformCall(right);
    const [artifact] = isComposed(right) || isPlatform ? readArtifacts(right, script) : [];
    if (artifact?.kind !== 'coordinates' && !(isPlatform && artifact?.kind === 'accessor')) return false;
    const about = artifact.platform
      ? ({ scope: 'runtime', group: 'platform', inherits: { as: 'bom' } } as const)
      : ({ scope: 'runtime', group: 'ext' } as const);
    const inObject = (pieces: readonly ValuePiece[]) =>
      scope.prefix === '' ? pieces : pieces.map((it) => resolveInObject(it, scope));
    const version = artifact.kind === 'coordinates' ? inObject(artifact.version) : [];
    const whole = artifact.kind === 'coordinates' ? { ...artifact, name: inObject(artifact.name), version } : artifact;
    const dependency = dependencyOf(whole, about);
    const alias = name.replace(/^libs\./, '');
    const parts = dependency.nameParts ?? [dependency.name];
    const all = version.length > 0 ? [...parts, ':', ...partsOf(version)] : parts;
    script.definitions.push({ id: `property:${name}`, span, value: { kind: 'template', parts: all, span } });
    script.definitions.push({ id: catalogIds.library(alias), span, value: dependency.requirement });
    const value = { kind: 'template', parts, span } as const;
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
    own ??= new Set(assignments.map((it) => normalizeAlias(it.name)));
    const { id, label } = piece.to;
    const colon = id.indexOf(':') + 1;
    for (let outer = prefix; outer !== ''; outer = outer.slice(0, outer.lastIndexOf('.', outer.length - 2) + 1)) {
      const name = outer + id.slice(colon);
      if (own.has(normalizeAlias(name))) return { ...piece, to: { id: idOf(id.slice(0, colon), name), label } };
    }
    // What is not in this file is in another one of its package, or imported.
    const isName = script.imports.package !== '' && /^(?:property|library|module):/.test(id);
    const name = fullName(id.slice(colon), script.imports);
    return isName ? { ...piece, to: { id: idOf(id.slice(0, colon), name), label } } : piece;
  }
}

function idOf(kind: string, name: string): string {
  return kind === 'property:' ? kind + name : kind + normalizeAlias(name);
}

/** Adds the artifacts of all names that dependencies refer to. */
export function addReferencedArtifacts(script: Script): void {
  const open = script.dependencies.flatMap(({ requirement }) =>
    requirement.kind === 'reference' ? [requirement.to.id] : [],
  );
  const seen = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const alias = /^library:(.*)$/s.exec(id)?.[1];
    const library = id;
    const named = alias === undefined || seen.has(library) ? undefined : namedIn(script, alias);
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

/** `val bom = platform("androidx.compose:compose-bom:2024.02.00")`, `dependencies.create("g:a:1")`, for several configurations. */
function isPlatformCall(right: readonly Token[]): boolean {
  const path = dottedName(right);
  const isQualified = path.length > 1 && path.at(-2) === 'dependencies';
  if (path.length > 1 && !isQualified) return false;
  return artifactCalls.has(path.at(-1) ?? '') && punctuationAt(right, path.length * 2 - 1) === '(';
}

const artifactCalls: ReadonlySet<string> = new Set(['platform', 'enforcedPlatform', 'create']);

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

/** Where the name of an assignment ends, and its value begins, outside of brackets. */
function findAssignment(
  tokens: readonly Token[],
): { readonly left: number; readonly right: number; readonly adds: boolean } | undefined {
  for (let at = 1; at < tokens.length; at++) {
    const mark = punctuationAt(tokens, at);
    if (mark === '(') {
      // `val core get() = "1.0"`
      const isGetter = wordAt(tokens, at - 1) === 'get' && punctuationAt(tokens, at + 2) === '=';
      return isGetter ? { left: at - 1, right: at + 3, adds: false } : undefined;
    }
    const before = punctuationAt(tokens, at - 1);
    const after = punctuationAt(tokens, at + 1);
    if (mark === '<' && after === '<') return { left: at, right: at + 2, adds: true };
    if (mark !== '=') continue;
    // `+= […]` adds to a list or a map.
    const adds = before === '+' && after === '[';
    const isAlone = after !== '=' && (before === undefined || before === ']' || before === '>');
    return isAlone || adds ? { left: adds ? at - 1 : at, right: at + 1, adds } : undefined;
  }
  return undefined;
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
