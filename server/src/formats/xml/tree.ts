import type { Literal, Span } from '../../model/span.ts';

/**
 * An element. Offsets are those of the file, line ends and byte order mark included.
 *
 *     <m:version> 1.0 </m:version>
 *        ^^^^^^^                      nameSpan; name is `version`
 *                 ^^^                 textSpan, and the span of `literal`
 */
export interface XmlElement {
  /** Without its namespace prefix. */
  readonly name: string;
  readonly nameSpan: Span;
  /** From `<` to behind the end tag, or as far as the element goes where that is missing. */
  readonly span: Span;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
  /** What stands directly in it: entities and CDATA decoded, comments and white space around it left out. */
  readonly text: string;
  /** Of the trimmed text as it stands, inside a CDATA section; empty, at the start of the content, where there is none. */
  readonly textSpan: Span;
  /** Absent where the text can't be edited as one: it is empty, a comment splits it, or an entity of the file's own is in it. */
  readonly literal?: Literal;
  /** The place between its tags, where nothing stands there. */
  readonly blank?: Literal;
}

export interface XmlAttribute {
  /** Without its namespace prefix. */
  readonly name: string;
  readonly value: string;
  /** Inside the quotes. */
  readonly valueSpan: Span;
  /** Absent where the value stands without quotes, or an entity of the file's own is in it. */
  readonly literal?: Literal;
}

/** The first child of this name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((it) => it.name === name);
}

/** All children of this name. */
export function childrenOf(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((it) => it.name === name) ?? [];
}
