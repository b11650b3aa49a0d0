import type { Literal } from '../model/span.ts';
import type { System } from '../model/system.ts';

/**
 * A version that is there and no other, as its system writes that in a requirement: `2.31.0` of PyPI reads as
 * `==2.31.0`. What npm, Go and Maven write for it is the version alone.
 */
export function stated(system: System, { span, text, encode }: Literal): Literal {
  const { before, behind } = marks[system];
  const bare = (value: string): string =>
    value.startsWith(before) && value.endsWith(behind)
      ? value.slice(before.length, value.length - behind.length)
      : value;
  return { span, text: `${before}${text}${behind}`, encode: (value) => encode(bare(value)) };
}

const marks = {
  GO: { before: '', behind: '' },
  NPM: { before: '', behind: '' },
  CARGO: { before: '=', behind: '' },
  MAVEN: { before: '', behind: '' },
  PYPI: { before: '==', behind: '' },
  NUGET: { before: '[', behind: ']' },
} as const satisfies Record<System, { readonly before: string; readonly behind: string }>;
