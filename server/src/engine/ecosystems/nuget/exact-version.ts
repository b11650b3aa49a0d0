import type { JsonValue } from '../../formats/json/tree.ts';
import { jsonLiteral } from '../../formats/json/tree.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { Literal } from '../../model/span.ts';

/** The requirement of a JSON value that is an exact version. */
export function exactRequirement(value: JsonValue | undefined): Pick<Dependency, 'requirement' | 'blank'> {
  if (value?.kind !== 'string') return { requirement: { kind: 'none' } };
  const at = exactLiteral(jsonLiteral(value));
  return value.text === '' ? { requirement: { kind: 'none' }, blank: at } : { requirement: { kind: 'literal', at } };
}

/**
 * A literal that NuGet reads as an exact version, without the brackets of a range: `13.0.1` reads as `[13.0.1]`, and is
 * written back without them.
 */
export function exactLiteral(literal: Literal): Literal {
  if (/^[[(]/.test(literal.text)) return literal;
  return {
    span: literal.span,
    text: `[${literal.text}]`,
    encode: (value) => literal.encode(value.replace(/^\[(.*)\]$/, '$1')),
  };
}
