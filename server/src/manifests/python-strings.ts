import * as l10n from '@vscode/l10n';
import type { Span } from '../model/span.ts';
import { plainText, type SpecifierText } from './python-requirement.ts';
import type { PythonString } from './python-tokens.ts';

/**
 * Strings that stand behind one another are one string to Python.
 *
 *     "requests" ">=2.31"     requests>=2.31
 */
export function joinedText(strings: readonly PythonString[]): SpecifierText {
  const [first, second] = strings;
  if (first && second === undefined) return plainText(first.text, first.start);
  const text = strings.map((it) => it.text).join('');
  const place = (offset: number): number => {
    let left = offset;
    for (const it of strings) {
      if (left < it.text.length) return it.start + left;
      left -= it.text.length;
    }
    return strings.at(-1)?.end ?? 0;
  };
  // The end of a stretch belongs to the string of its last character.
  const span = (from: number, to: number): Span => ({
    start: place(from),
    end: to > from ? place(to - 1) + 1 : place(from),
  });
  const isSplit = (from: number, to: number): boolean => span(from, to).end - span(from, to).start !== to - from;
  return {
    text,
    span,
    literal: (from, to) => ({ span: span(from, to), text: text.slice(from, to), encode: (value) => value }),
    frozen: (from, to) => (isSplit(from, to) ? l10n.t('its version is put together from several strings') : undefined),
  };
}
