/** A stretch of a text in UTF-16 offsets, `end` exclusive. The span of a quoted literal lies inside its quotes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export function contains(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

/**
 * A value that stands verbatim in a file and may be edited there.
 *
 *     "lodash": "^4.17.15"
 *                ^^^^^^^^   span; text is `^4.17.15`
 */
export interface Literal {
  readonly span: Span;
  /** The decoded value: escapes and entities resolved. */
  readonly text: string;
  /** Encodes a new value for `span`: adds the escapes that the place needs. */
  readonly encode: (value: string) => string;
}

/** A part of a file that its parser did not understand; everything else was read. */
export interface Problem {
  readonly span: Span;
  readonly message: string;
}
