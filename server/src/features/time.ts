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
