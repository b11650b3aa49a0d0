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
  /** From `<` to behind the end tag, or to the end of the element without one. */
  readonly span: Span;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
  /** Its direct text: entities and CDATA decoded, without comments and surrounding white space. */
  readonly text: string;
  /** Of the trimmed text, inside a CDATA section; empty, at the start of the content, without a text. */
  readonly textSpan: Span;
  /** Absent where the text cannot be edited as one: it is empty, a comment splits it, or it has an entity of the file's own. */
  readonly literal?: Literal;
  /** The empty place between its tags. */
  readonly blank?: Literal;
}

export interface XmlAttribute {
  /** Without its namespace prefix. */
  readonly name: string;
  readonly value: string;
  /** Inside the quotes. */
  readonly valueSpan: Span;
  /** Absent where the value has no quotes, or has an entity of the file's own. */
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
