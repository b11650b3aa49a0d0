import { truncate } from '../../base/text.ts';
import type { XmlAttribute, XmlElement } from '../../formats/xml/tree.ts';
import type { Literal, Span } from '../../model/span.ts';

/** A piece of text in a project file: the value of an attribute, the content of an element, or one entry of a list. */
export interface Value {
  readonly text: string;
  readonly span: Span;
  /** Absent where the text can't be edited as one. */
  readonly literal?: Literal;
  /** Of the element that holds it. */
  readonly condition?: string;
}

/** MSBuild reads the names of items, properties and metadata without regard to case. `name` is lower case. */
export function attributeOf(element: XmlElement, name: string): XmlAttribute | undefined {
  return element.attributes.find((it) => it.name.toLowerCase() === name);
}

/** The value of an attribute without the white space around it; undefined where there is no such attribute. */
export function attributeValue(source: string, element: XmlElement, name: string): Value | undefined {
  const attribute = attributeOf(element, name);
  if (!attribute) return undefined;
  const { value, valueSpan, literal } = attribute;
  return trimmed(source, unescaped({ text: value, span: valueSpan, ...(literal && { literal }) }));
}

/** MSBuild writes special characters as `%` with two digits. A text with them is not edited. */
function unescaped(value: Value): Value {
  if (!value.text.includes('%')) return value;
  const text = value.text.replace(/%[\da-f]{2}/gi, (it) => String.fromCharCode(Number.parseInt(it.slice(1), 16)));
  if (text === value.text) return value;
  const { literal: _, ...rest } = value;
  return { ...rest, text };
}

/**
 * Metadata of an item, written either way. Only elements can have conditions, and so be several.
 *
 *     <PackageReference Include="A" Version="1.0" />
 *     <PackageReference Include="A"><Version>1.0</Version></PackageReference>
 */
export function metadataOf(source: string, item: XmlElement, name: string): readonly Value[] {
  const attribute = attributeValue(source, item, name);
  const elements = item.children.filter((it) => it.name.toLowerCase() === name).map(contentOf);
  return attribute ? [attribute, ...elements] : elements;
}

export function contentOf(element: XmlElement): Value {
  const { text, textSpan, literal = element.blank } = element;
  const condition = conditionOf(element);
  return unescaped({ text, span: textSpan, ...(literal && { literal }), ...(condition && { condition }) });
}

/** The condition of an element, on one line: `'$(TargetFramework)' == 'net48'`. */
export function conditionOf(element: XmlElement): string | undefined {
  const condition = attributeOf(element, 'condition')?.value.trim().replace(/\s+/g, ' ');
  return condition === '' ? undefined : condition;
}

/** Both must hold. One around many that is too long to be read is cut. */
export function bothConditions(outer: string | undefined, inner: string | undefined): string | undefined {
  return outer && inner ? `${truncate(outer)} and ${inner}` : (outer ?? inner);
}

/** The entries of a list: `A; B` → `A` and `B`, each with its span. */
export function entriesOf(source: string, value: Value): readonly Value[] {
  if (!value.text.includes(';')) return value.text === '' ? [] : [value];
  const { span, literal, condition } = value;
  const raw = source.slice(span.start, span.end);
  // Where an entity or an escape was decoded, offsets in the text are not those in the file, and an entry has no place of its own.
  const placed = !/[&%]/.test(raw);
  const entries: Value[] = [];
  let start = span.start;
  for (const text of (placed ? raw : value.text).split(';')) {
    const at = placed ? { start, end: start + text.length } : span;
    const entry = { text, span: at, ...(placed && literal && { literal: { ...literal, span: at, text } }) };
    start = at.end + 1;
    if (text.trim() !== '') entries.push({ ...trimmed(source, entry), ...(condition && { condition }) });
  }
  return entries;
}

function trimmed(source: string, value: Value): Value {
  const text = value.text.trim();
  if (text === value.text) return value;
  const raw = source.slice(value.span.start, value.span.end);
  const end = value.span.start + raw.trimEnd().length;
  const span = { start: Math.min(end, value.span.start + raw.length - raw.trimStart().length), end };
  return { text, span, ...(value.literal && { literal: { ...value.literal, span, text } }) };
}
