import type { Span } from '../../model/span.ts';

/**
 * The names in the tags of an element without children, by that of its start tag.
 *
 *     <v>1.0</v>      <v />
 *      ^       ^       ^
 */
export function tagNames(text: string, start: Span): readonly Span[] {
  const name = text.slice(start.start, start.end);
  const close = text.indexOf('>', start.end);
  if (close < 0 || text[close - 1] === '/') return [start];
  for (let at = text.indexOf('</', close); at >= 0; at = text.indexOf('</', at + 1)) {
    const end = text.indexOf('>', at);
    const written = text.slice(at + 2, end).trimEnd();
    const local = written.slice(written.indexOf(':') + 1);
    if (end >= 0 && local === name)
      return [start, { start: at + 2 + written.length - name.length, end: at + 2 + written.length }];
  }
  return [start];
}
