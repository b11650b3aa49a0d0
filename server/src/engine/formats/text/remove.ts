import type { TextEdit } from '../../model/graph/override.ts';
import type { Span } from '../../model/span.ts';

const commaAfter = /^(?:\s|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*,/;

/** Removes an item between commas; for the last one, the comma before it. */
export function withoutItem(text: string, all: readonly Span[], at: number): TextEdit[] {
  const own = all[at] ?? { start: 0, end: 0 };
  const comma = commaAfter.exec(text.slice(own.end))?.[0];
  // A comment between the item and its comma may belong to either.
  if (comma !== undefined && comma.trim() === ',') {
    return [removed(text, { start: own.start, end: own.end + comma.length })];
  }
  const previous = all[at - 1];
  const before = previous && commaAfter.exec(text.slice(previous.end, own.start))?.[0];
  if (previous === undefined || before === undefined) return [removed(text, own)];
  const end = previous.end + before.length;
  const cut = removed(text, own);
  if (text.slice(end, own.start).trim() === '' && cut.span.start >= own.start)
    return [{ span: { start: end - 1, end: own.end }, newText: '' }];
  if (cut.span.start <= end) return [{ span: { start: end - 1, end: cut.span.end }, newText: '' }];
  return [{ span: { start: end - 1, end }, newText: '' }, cut];
}

/** A stretch with its line, where nothing but a comment is beside it; otherwise with the blanks on one side. */
export function removed(text: string, { start, end }: Span): TextEdit {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const isFirst = text.slice(lineStart, start).replace('\uFEFF', '').trim() === '';
  const rest = /^[ \t]*(?:(?:#|\/\/)[^\r\n]*|<!--(?:(?!-->)[^\r\n])*-->[ \t]*)?(\r?\n|$)/.exec(text.slice(end));
  const from = text.startsWith('\uFEFF') && lineStart === 0 ? 1 : lineStart;
  if (isFirst && rest) return { span: { start: from, end: end + rest[0].length }, newText: '' };
  const behind = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  const before = /[ \t]*$/.exec(text.slice(lineStart, start))?.[0].length ?? 0;
  // Of ` a, b` and `[a, b]` the blanks on one side remain.
  const isOpened = isFirst || before > 0 || /[[({]$/.test(text.slice(0, start));
  const span = rest ? { start: start - before, end } : { start, end: isOpened ? end + behind : end };
  return { span, newText: '' };
}
