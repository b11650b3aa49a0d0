import * as l10n from '@vscode/l10n';

/**
 * A day in the form of the reader's language: `2019-07-19`, or `19.07.2019`.
 * @param at in ms since the epoch
 */
export function dayOf(at: number): string {
  const date = new Date(at);
  return l10n.t({
    message: '{0}-{1}-{2}',
    args: [date.getUTCFullYear(), padded(date.getUTCMonth() + 1), padded(date.getUTCDate())],
    comment: 'year, month and day of a date',
  });
}

/**
 * A local time of day, to the second: `18:37:14`.
 * @param at in ms since the epoch
 */
export function timeOf(at: number): string {
  const date = new Date(at);
  return l10n.t({
    message: '{0}:{1}:{2}',
    args: [padded(date.getHours()), padded(date.getMinutes()), padded(date.getSeconds())],
    comment: 'hours, minutes and seconds of a time of day',
  });
}

/**
 * A local time of day: `18:37`.
 * @param at in ms since the epoch
 */
export function shortTimeOf(at: number): string {
  const date = new Date(at);
  return l10n.t({
    message: '{0}:{1}',
    args: [padded(date.getHours()), padded(date.getMinutes())],
    comment: 'hours and minutes of a time of day',
  });
}

/**
 * A day in the form of files, in every language: `2019-07-19`.
 * @param at in ms since the epoch
 */
export function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function padded(part: number): string {
  return `${part}`.padStart(2, '0');
}
