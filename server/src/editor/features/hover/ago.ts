import * as l10n from '@vscode/l10n';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A relative time: `just now`, `5 min ago`, `3 h ago`, `2 days ago`. */
export function ago(at: number, now: number): string {
  const passed = Math.max(0, now - at);
  if (passed < MINUTE_MS) return l10n.t('just now');
  if (passed < HOUR_MS) return l10n.t('{0} min ago', Math.floor(passed / MINUTE_MS));
  if (passed < DAY_MS) return l10n.t('{0} h ago', Math.floor(passed / HOUR_MS));
  const days = Math.floor(passed / DAY_MS);
  return days === 1 ? l10n.t('yesterday') : l10n.t('{0} days ago', days);
}
