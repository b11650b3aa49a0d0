import * as l10n from '@vscode/l10n';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago something was, in one word or two: `just now`, `5 min ago`, `3 h ago`, `2 days ago`. */
export function ago(at: number, now: number): string {
  const passed = Math.max(0, now - at);
  if (passed < minute) return l10n.t('just now');
  if (passed < hour) return l10n.t('{0} min ago', Math.floor(passed / minute));
  if (passed < day) return l10n.t('{0} h ago', Math.floor(passed / hour));
  const days = Math.floor(passed / day);
  return days === 1 ? l10n.t('yesterday') : l10n.t('{0} days ago', days);
}

/** A day, as the reader's language writes it: `2019-07-19`, or `19.7.2019`. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const padded = (part: number): string => `${part}`.padStart(2, '0');
  return l10n.t({
    message: '{0}-{1}-{2}',
    args: [date.getUTCFullYear(), padded(date.getUTCMonth() + 1), padded(date.getUTCDate())],
    comment: 'year, month and day of a date',
  });
}
