import type { Literal } from '../../model/span.ts';

/** A stretch of a text that stands for itself, where nothing is ever escaped. */
export function verbatim(text: string, start: number, end: number): Literal {
  return { span: { start, end }, text: text.slice(start, end), encode: asItIs };
}

function asItIs(value: string): string {
  return value;
}
