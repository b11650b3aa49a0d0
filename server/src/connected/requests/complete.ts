import * as l10n from '@vscode/l10n';
import { getLocation } from 'jsonc-parser';
import { propertiesOf } from '../../engine/formats/json/tree.ts';
import type { ConnectionName } from '../../engine/model/connection.ts';
import { contains, type Span } from '../../engine/model/span.ts';
import { unitsText } from '../api/cost.ts';
import { allMethods, type Member, type Parameter, type ServiceMethod, type Type } from '../api/service-method.ts';
import { valueTypeOf } from '../api/value-types.ts';
import type { DocumentCompletion } from '../model/documents/service-document.ts';
import { placeOf, typeAt, typeText, wholeSpan } from './body.ts';
import { memberProse, memberText, methodProse, parameterProse, parameterText } from './describe.ts';
import type { Body, RequestText } from './parse.ts';
import { emptyValue, skeletonOf, usualValue } from './template.ts';

export interface CompletionParts {
  readonly isConnected: (name: ConnectionName) => boolean;
  readonly takesSnippets: boolean;
}

/**
 * What may stand at a place of a half typed document: methods, parameters and their values, members and theirs.
 *
 *     METHOD sched|                  scheduling.events.list …
 *     or|                            orderBy: …
 *     orderBy: |                     startTime, updated
 *     { "status": "|                 "confirmed" …
 */
export async function completeRequest(
  parsed: RequestText,
  offset: number,
  parts: CompletionParts,
): Promise<readonly DocumentCompletion[]> {
  const { text, method: line, body } = parsed;
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  const before = text.slice(start, offset);
  if (/^\s*#/.test(before)) return [];
  const methods = await allMethods();
  if (line === undefined) return /^\s*[\w.]*$/.test(before) ? methodLines(methods, wordAt(text, offset), parts) : [];
  if (contains(line.line, offset)) {
    if (offset < line.span.start || line.span.start === line.keyword.end) return [];
    return methodItems(methods, line.span, parsed, parts);
  }
  const method = methods.find((it) => it.id === line.id);
  if (method === undefined || offset < line.line.end) return [];
  if (body?.root && offset > body.span.start) return bodyItems(parsed, body, offset, method, parts);
  const given = parsed.lines.find((it) => contains(it.line, offset));
  if (given?.isComplete && offset > given.nameSpan.end) {
    const colon = text.slice(given.nameSpan.end, offset).includes(':');
    const parameter = method.parameters.find((it) => it.name === given.name);
    if (!colon) return [];
    return valueItems(given.name, parameter, valueSpanOf(given.valueSpan, offset), method, text);
  }
  if (!/^\s*[\w.-]*$/.test(before)) return [];
  const span = given?.nameSpan ?? wordAt(text, offset);
  return [...parameterItems(parsed, span, given?.isComplete === true, method), ...bodyStart(parsed, offset, method)];
}

/** Of a value of which the cursor is in front, behind blanks: the cursor is within what is replaced. */
function valueSpanOf({ start, end }: Span, offset: number): Span {
  return { start: Math.min(start, offset), end: Math.max(end, offset) };
}

function wordAt(text: string, offset: number): Span {
  const before = /[\w.-]*$/.exec(text.slice(Math.max(0, offset - MAX_WORD), offset))?.[0] ?? '';
  const behind = /^[\w.-]*/.exec(text.slice(offset, offset + MAX_WORD))?.[0] ?? '';
  return { start: offset - before.length, end: offset + behind.length };
}

/** In characters. No name is longer. */
const MAX_WORD = 200;

function methodLines(methods: readonly ServiceMethod[], span: Span, parts: CompletionParts): DocumentCompletion[] {
  return inOrder(methods, parts).map((it) => ({
    ...methodItem(it),
    label: `METHOD ${it.id}`,
    filterText: `METHOD ${it.id}`,
    span,
    ...textWithParameters(`METHOD ${it.id}`, it, parts.takesSnippets),
  }));
}

function methodItems(
  methods: readonly ServiceMethod[],
  span: Span,
  { lines, body }: RequestText,
  parts: CompletionParts,
): DocumentCompletion[] {
  const isAlone = lines.length === 0 && body === undefined;
  return inOrder(methods, parts).map((it) => ({
    ...methodItem(it),
    span,
    ...(isAlone ? textWithParameters(it.id, it, parts.takesSnippets) : { newText: it.id }),
  }));
}

function methodItem(method: ServiceMethod) {
  const detail = `${method.verb} ${method.path} · ${unitsText(method.units)}`;
  return { label: method.id, kind: 'method', detail, prose: methodProse(method) } as const;
}

/** The methods of connected services first. */
function inOrder(methods: readonly ServiceMethod[], { isConnected }: CompletionParts): readonly ServiceMethod[] {
  const rank = (it: ServiceMethod): number => (isConnected(it.connection) ? 0 : 1);
  return methods.toSorted((a, b) => rank(a) - rank(b));
}

/** With the lines of the required parameters, where the editor goes from one to the next. */
function textWithParameters(
  text: string,
  method: ServiceMethod,
  takesSnippets: boolean,
): Pick<DocumentCompletion, 'newText' | 'isSnippet'> {
  const required = method.parameters.filter((it) => it.isRequired);
  if (!takesSnippets || required.length === 0) return { newText: text };
  const lines = required.map((it, at) => `${it.name}: \${${at + 1}:${usualValue(it, method) ?? ''}}`);
  return { newText: [text, ...lines].join('\n'), isSnippet: true };
}

function parameterItems(
  { lines, text }: RequestText,
  span: Span,
  hasColon: boolean,
  method: ServiceMethod,
): DocumentCompletion[] {
  const given = new Set(lines.filter((it) => it.nameSpan.start !== span.start).map((it) => it.name));
  const offered = method.parameters.filter((it) => it.isRepeatable || !given.has(it.name));
  const isNextColon = hasColon || /^[ \t]*:/.test(text.slice(span.end, span.end + MAX_WORD));
  const items = offered
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
    .map(
      (it): DocumentCompletion => ({
        label: it.name,
        kind: 'property',
        span,
        newText: isNextColon ? it.name : `${it.name}: `,
        detail: parameterText(it, method),
        prose: parameterProse(it, method),
        continues: !isNextColon && hasValues(it, method),
      }),
    );
  const options = [
    ...(method.connection === 'scheduling' && method.effect !== 'read'
      ? [{ name: 'etag', detail: l10n.t('change only this version of the resource') }]
      : []),
    ...(method.rules.some((it) => ['update-replaces', 'fingerprint', 'policy-replaces'].includes(it))
      ? [{ name: 'replace', detail: l10n.t('replace whatever version is there') }]
      : []),
  ].filter(({ name }) => !given.has(name));
  return [
    ...items,
    ...options.map(({ name, detail }): DocumentCompletion => {
      const value = name === 'replace' ? 'true' : '';
      return { label: name, kind: 'property', span, newText: isNextColon ? name : `${name}: ${value}`, detail };
    }),
  ];
}

function hasValues(parameter: Parameter, method: ServiceMethod): boolean {
  return valuesOf(parameter, method).length > 0;
}

function valuesOf(parameter: Parameter, method: ServiceMethod): readonly string[] {
  const { type } = parameter;
  const values = method.types.enumOf(type) ?? (type === 'boolean' ? ['true', 'false'] : []);
  const usual = usualValue(parameter, method);
  return usual === undefined ? values : [...new Set([usual, ...values])];
}

function valueItems(
  name: string,
  parameter: Parameter | undefined,
  span: Span,
  method: ServiceMethod,
  text: string,
): DocumentCompletion[] {
  const values = parameter ? valuesOf(parameter, method) : name === 'replace' ? ['true'] : [];
  // A space divides the value from its colon.
  const space = text[span.start - 1] === ':' ? ' ' : '';
  return values.map((it) => ({
    label: it,
    kind: 'enum',
    span,
    newText: `${space}${it}`,
    filterText: `${space}${it}`,
    ...(it === parameter?.default && { detail: l10n.t('default') }),
  }));
}

/** A body, behind an empty line. */
function bodyStart({ text, body }: RequestText, offset: number, method: ServiceMethod): DocumentCompletion[] {
  const skeleton = skeletonOf(method);
  const isBehindLine = /(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)[ \t]*$/.test(text.slice(0, offset));
  if (skeleton === undefined || body?.root || !isBehindLine) return [];
  const detail = method.body?.type ?? '';
  return [{ label: '{ }', kind: 'value', span: { start: offset, end: offset }, newText: skeleton, detail }];
}

function bodyItems(
  { text }: RequestText,
  { blanked, root }: Body,
  offset: number,
  method: ServiceMethod,
  parts: CompletionParts,
): readonly DocumentCompletion[] {
  if (method.body === undefined) return [];
  const whole = blanked + text.slice(blanked.length);
  const { path, isAtPropertyKey } = getLocation(whole, offset);
  if (!isAtPropertyKey) {
    const type = typeAt(method.body, path, method.types);
    const { value } = placeOf(root, path);
    const known = value && wholeSpan(value);
    const span =
      known && value.kind !== 'object' && value.kind !== 'array' && contains(known, offset)
        ? known
        : jsonWord(whole, offset);
    return type === undefined ? [] : memberValues(type, span, method);
  }
  const owner = path.slice(0, -1);
  const type = typeAt(method.body, owner, method.types);
  const members = type?.kind === 'named' ? method.types.membersOf(type.name) : undefined;
  if (members === undefined) return [];
  const properties = propertiesOf(placeOf(root, owner).value);
  const current = properties.find(({ name }) =>
    contains({ start: name.span.start - 1, end: name.span.end + 1 }, offset),
  );
  const isClosed = current !== undefined && whole[current.name.span.end] === '"';
  const span = current
    ? { start: current.name.span.start - 1, end: current.name.span.end + (isClosed ? 1 : 0) }
    : jsonWord(whole, offset);
  const given = new Set(properties.filter((it) => it !== current).map((it) => it.name.text));
  const required = new Set(owner.length === 0 ? method.body.required : []);
  const rank = (it: Member): number => (required.has(it.name) ? 0 : it.isReadOnly ? 2 : 1);
  return members
    .filter((it) => !given.has(it.name) && (!it.isReadOnly || conditional.includes(it.name)))
    .toSorted((a, b) => rank(a) - rank(b))
    .map((it) => memberItem(it, span, whole, required.has(it.name), method, parts));
}

/** Set by the service, and sent back to it. */
const conditional: readonly string[] = ['etag', 'fingerprint'];

function memberItem(
  member: Member,
  span: Span,
  text: string,
  isRequired: boolean,
  method: ServiceMethod,
  { takesSnippets }: CompletionParts,
): DocumentCompletion {
  const { name, type, isReadOnly } = member;
  const behind = text.slice(span.end);
  const key = JSON.stringify(name);
  const common = {
    label: name,
    kind: 'property',
    span,
    filterText: key,
    detail: typeText(type),
    prose: memberProse(member, method, isRequired),
  } as const;
  if (/^\s*:/.test(behind)) return { ...common, newText: key };
  const comma = /^\s*"/.test(behind) ? ',' : '';
  const empty = emptyValue(type, method);
  const isText = typeof empty === 'string';
  const isEnum = type.kind === 'named' && (method.types.enumOf(type.name) !== undefined || type.name === 'boolean');
  if (!takesSnippets) return { ...common, newText: `${key}: ${JSON.stringify(empty)}${comma}` };
  const value = Array.isArray(empty) ? '[$1]' : isText ? '"$1"' : typeof empty === 'object' ? '{$1}' : '$1';
  const escaped = key.replace(/[$}\\]/g, '\\$&');
  return {
    ...common,
    newText: `${escaped}: ${value}${comma}`,
    isSnippet: true,
    continues: isEnum || (typeof empty === 'object' && !isReadOnly),
  };
}

function memberValues(type: Type, span: Span, method: ServiceMethod): DocumentCompletion[] {
  if (type.kind === 'named') {
    const values = method.types.enumOf(type.name)?.map((it) => JSON.stringify(it));
    const offered = values ?? (valueTypeOf(type.name)?.json === 'boolean' ? ['true', 'false'] : undefined);
    if (offered) {
      return offered.map((it) => ({ label: it.replaceAll('"', ''), kind: 'enum', span, newText: it, filterText: it }));
    }
    if (!method.types.membersOf(type.name)) return [];
  }
  const empty = type.kind === 'list' ? '[]' : '{}';
  const detail = memberText(type, method, false, false);
  return [{ label: empty, kind: 'value', span, newText: empty, detail }];
}

/** A word of JSON with its opening quote, and its closing one if it has one: `"stat`. */
function jsonWord(text: string, offset: number): Span {
  const before = /"?[\w.$-]*$/.exec(text.slice(Math.max(0, offset - MAX_WORD), offset))?.[0] ?? '';
  const behind = /^[\w.$-]*"?/.exec(text.slice(offset, offset + MAX_WORD))?.[0] ?? '';
  const isQuoted = before.startsWith('"');
  return { start: offset - before.length, end: offset + (isQuoted ? behind : behind.replace('"', '')).length };
}
