import type { Literal } from '../../model/span.ts';

/** The literal of a range of a text without escapes. */
export function verbatim(text: string, start: number, end: number): Literal {
  return { span: { start, end }, text: text.slice(start, end), encode: asItIs };
}

function asItIs(value: string): string {
  return value;
}
