import { sanitize } from '../engine/report/formats/texts.ts';

/**
 * A text that a spreadsheet would take for a formula gets an apostrophe in front; some separate cells by semicolons.
 * Source: OWASP, “CSV Injection”.
 */
export function csvCell(value: string | number | bigint): string {
  if (typeof value !== 'string') return `${value}`;
  const text = sanitize(value);
  const guarded = /^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",;]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
