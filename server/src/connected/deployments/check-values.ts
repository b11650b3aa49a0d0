import * as l10n from '@vscode/l10n';
import { oneLine } from '../../engine/base/text.ts';
import type { YamlScalar } from '../../engine/formats/yaml/scalar.ts';
import { resolved, type YamlEntry, type YamlMap, type YamlValue } from '../../engine/formats/yaml/tree.ts';
import type { Span } from '../../engine/model/span.ts';
import type { Checks, ManifestFix } from './checks.ts';
import { addBelow, addMember, firstValue, type ManifestEdit, plainText, replace } from './edits.ts';
import { isComputed } from './references.ts';
import { itemOf, kindText, memberOf, membersOf, type SchemaNode, viewOf } from './schema.ts';

/** Compares the properties of a resource with the schema of its type. */
export function checkProperties(
  text: string,
  entry: YamlEntry,
  schema: SchemaNode,
  { report, similar: near, isFull }: Checks,
): void {
  if (entry.value === undefined)
    missingMembers(entry.key.span, [], schema, (name, value) => addBelow(text, entry, name, value));
  else checkValue(entry.value, schema, undefined, entry.key.span);

  /**
   * @param elsewhere where to report: the alias, if the value stands at its anchor
   * @param owner the key of the value, where missing members are reported; absent in a list
   */
  function checkValue(value: YamlValue, node: SchemaNode, elsewhere: Span | undefined, owner?: Span): void {
    const target = resolved(value);
    const at = elsewhere ?? (value.kind === 'alias' ? value.span : undefined);
    if (!target || isFull()) return;
    if (target.kind === 'scalar') {
      checkScalar(target, node, at);
      return;
    }
    const kind = target.kind === 'map' ? 'object' : 'array';
    if (!accepts(node, [kind])) {
      wrongKind(at ?? beginning(target, text), node);
      return;
    }
    if (target.kind === 'map') checkMap(target, node, at, owner);
    else {
      const items = itemOf(node);
      if (items) for (const it of target.items) checkValue(it, items, at);
    }
  }

  function checkMap(map: YamlMap, node: SchemaNode, at: Span | undefined, owner: Span | undefined): void {
    const view = viewOf(node);
    const members = membersOf(node);
    for (const { key, value, merged } of map.entries) {
      if (isFull()) return;
      const place = at ?? (merged ? (map.entries.find((it) => !it.merged)?.key.span ?? map.span) : undefined);
      const member = memberOf(node, key.text);
      if (member) {
        if (value) checkValue(value, member, place, key.span);
        else if (view.required.includes(key.text) && !place) noValue(key);
      } else if (isKnownWhole(node, members)) unknownMember(key, members, node, place);
    }
    const given = map.entries.map((it) => it.key.text);
    const add = (name: string, value: string): ManifestEdit | undefined => addMember(text, map, name, value);
    missingMembers(at ?? owner ?? nameSpan(map, text), given, node, at ? undefined : add);
  }

  function missingMembers(
    span: Span,
    given: readonly string[],
    node: SchemaNode,
    add: ((name: string, value: string) => ManifestEdit | undefined) | undefined,
  ): void {
    const view = viewOf(node);
    for (const name of view.required) {
      if (isFull()) return;
      if (given.includes(name)) continue;
      const member = view.properties.get(name);
      const edit = isPlainKey(name) ? add?.(name, member ? firstValue(member) : '') : undefined;
      const fix: ManifestFix | undefined = edit && {
        title: l10n.t('Add {0}', name),
        edits: [edit],
        isPreferred: true,
      };
      report({
        code: 'missing-property',
        severity: 'error',
        span,
        message: l10n.t('The required property {0} is missing.', shown(name)),
        fixes: fix ? [fix] : [],
      });
    }
  }

  function noValue(key: YamlScalar): void {
    const message = l10n.t('The required property {0} has no value.', shown(key.text));
    report({ code: 'missing-property', severity: 'error', span: key.span, message, fixes: [] });
  }

  function unknownMember(
    key: YamlScalar,
    members: ReadonlyMap<string, SchemaNode>,
    node: SchemaNode,
    at: Span | undefined,
  ): void {
    const similar = near(key.text, members.keys());
    const name = shown(key.text);
    const meant = similar.join(', ');
    const message =
      meant === ''
        ? l10n.t('The type has no property {0}.', name)
        : l10n.t('The type has no property {0}; did you mean {1}?', name, oneLine(meant));
    report({
      code: 'unknown-property',
      severity: viewOf(node).additional === 'forbidden' ? 'error' : 'warning',
      span: at ?? key.span,
      message,
      fixes: at ? [] : replacements(key, similar),
    });
  }

  function checkScalar(scalar: YamlScalar, node: SchemaNode, at: Span | undefined): void {
    if (isComputed(scalar.text)) return;
    const kinds = kindsOfScalar(scalar, viewOf(node).format);
    if (kinds.includes('null')) return;
    if (!accepts(node, kinds)) {
      wrongKind(at ?? scalar.span, node, at ? undefined : scalar);
      return;
    }
    const values = viewOf(node).values;
    if (values.length === 0) return;
    const texts = values.map((it) => (typeof it === 'string' ? it : plainText(it)));
    if (texts.includes(scalar.text)) return;
    const similar = near(scalar.text, texts);
    const allowed = oneLine(texts.slice(0, MAX_LISTED).join(', ')) + (texts.length > MAX_LISTED ? ', …' : '');
    report({
      code: 'wrong-value',
      severity: 'error',
      span: at ?? scalar.span,
      message: l10n.t('{0} is not allowed here. Allowed: {1}.', shown(scalar.text), allowed),
      fixes: at ? [] : replacements(scalar, similar.length > 0 ? similar : texts.length <= MAX_LISTED ? texts : []),
    });
  }

  function wrongKind(span: Span, node: SchemaNode, scalar?: YamlScalar): void {
    const expected = kindText(node);
    const fix = scalar && quoted(scalar, node);
    report({
      code: 'wrong-value',
      severity: 'error',
      span,
      message: l10n.t('A value of kind {0} is required here.', oneLine(expected)),
      fixes: fix ? [fix] : [],
    });
  }

  /** Quotes a number that has to be a text, and the reverse. */
  function quoted(scalar: YamlScalar, node: SchemaNode): ManifestFix | undefined {
    const { span, text: value, style } = scalar;
    const isRequired = (kind: string): boolean => accepts(node, [kind]);
    if (style === 'plain' && isRequired('string')) {
      const edit = { span, newText: `'${value.replaceAll("'", "''")}'` };
      return { title: l10n.t('Write {0} as text', shown(value)), edits: [edit], isPreferred: true };
    }
    if ((style !== 'single' && style !== 'double') || text[span.end] !== text[span.start - 1]) return undefined;
    const kinds = kindsOfScalar({ ...scalar, style: 'plain' }, undefined);
    if (kinds.includes('string') || kinds.includes('null') || !kinds.some(isRequired)) return undefined;
    const edit = { span: { start: span.start - 1, end: span.end + 1 }, newText: value };
    return { title: l10n.t('Write {0} without quotes', shown(value)), edits: [edit], isPreferred: true };
  }
}

/** Values in a message. */
const MAX_LISTED = 8;
/** In characters. */
const MAX_SHOWN = 60;

export function shown(text: string): string {
  return oneLine(text, MAX_SHOWN);
}

export function replacements(scalar: YamlScalar, names: readonly string[]): ManifestFix[] {
  return names.map((it, at) => ({
    title: l10n.t('Change to {0}', shown(it)),
    edits: [replace(scalar, it)],
    ...(at === 0 && { isPreferred: true as const }),
  }));
}

/** Whether the schema names all members there can be. */
function isKnownWhole(node: SchemaNode, members: ReadonlyMap<string, SchemaNode>): boolean {
  const all = [viewOf(node), ...viewOf(node).alternatives.map(viewOf)];
  if (all.some((it) => it.hasPatterns || it.additional === 'any' || typeof it.additional === 'object')) return false;
  // An alternative without members of its own may be anything.
  if (all.slice(1).some((it) => it.properties.size === 0 && it.required.length === 0)) return false;
  return members.size > 0 || viewOf(node).additional === 'forbidden';
}

/** Whether the schema allows one of some kinds. */
function accepts(node: SchemaNode, kinds: readonly string[]): boolean {
  const view = viewOf(node);
  if (view.kinds.length > 0) return view.kinds.some((it) => isKind(it, kinds));
  if (view.alternatives.length === 0) return true;
  return view.alternatives.some((it) => {
    const own = viewOf(it).kinds;
    return own.length === 0 || own.some((kind) => isKind(kind, kinds));
  });
}

function isKind(expected: string, kinds: readonly string[]): boolean {
  return kinds.includes(expected) || (expected === 'number' && kinds.includes('integer')) || !knownKinds.has(expected);
}

const knownKinds = new Set(['string', 'integer', 'number', 'boolean', 'null', 'array', 'object']);

/**
 * What a scalar can be. Readers of YAML 1.1 and 1.2 differ in some words, which are both then.
 * Source: YAML 1.2.2, chapter 10.3, and the types of YAML 1.1.
 */
function kindsOfScalar({ style, text }: Pick<YamlScalar, 'style' | 'text'>, format: string | undefined): string[] {
  if (style !== 'plain') return ['string'];
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return ['null'];
  if (/^(?:true|false)$/i.test(text)) return ['boolean'];
  if (/^(?:yes|no|on|off)$/i.test(text)) return ['boolean', 'string'];
  if (/^[-+]?(?:0o?[0-7]+|0x[\da-f]+|\d[\d_]*)$/i.test(text)) {
    // Services write 64 bits as text, and read them as both.
    return format === 'int64' || format === 'uint64' ? ['integer', 'string'] : ['integer'];
  }
  if (/^[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?$/i.test(text)) return ['number'];
  return ['string'];
}

function isPlainKey(name: string): boolean {
  return /^[A-Za-z_][\w.-]*$/.test(name);
}

/** The first line of a collection. */
function beginning({ span }: { readonly span: Span }, text: string): Span {
  const line = text.slice(span.start, span.end);
  return { start: span.start, end: span.start + Math.max(1, line.trimEnd().search(/\r?\n|$/)) };
}

/** Where a missing member is reported: the first key of its map. */
function nameSpan(map: YamlMap, text: string): Span {
  return map.entries.find((it) => !it.merged)?.key.span ?? beginning(map, text);
}
