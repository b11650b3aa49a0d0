import type { Literal } from '../model/span.ts';

/**
 * A literal of a place where NuGet takes a version for the only one that will do, without the brackets a range would
 * have: what stands there as `13.0.1` reads as `[13.0.1]`, and is written back without them.
 */
export function exactly(literal: Literal): Literal {
  if (/^[[(]/.test(literal.text)) return literal;
  return {
    span: literal.span,
    text: `[${literal.text}]`,
    encode: (value) => literal.encode(value.replace(/^\[(.*)\]$/, '$1')),
  };
}
