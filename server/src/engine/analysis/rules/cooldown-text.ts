import * as l10n from '@vscode/l10n';
import { dayOf } from '../../base/dates.ts';
import type { CooldownLimit, CooldownRule, HeldBack } from '../../model/registries/cooldown.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Whose setting it is: `min-release-age in .npmrc` */
export function ruleSourceText({ key, from, isDefault }: CooldownRule): string {
  if (isDefault) return l10n.t('default of {0}', key);
  return from === undefined || from === key ? key : l10n.t('{0} in {1}', key, from);
}

/** A clause: `within the cooldown of 7 days (min-release-age in .npmrc)` */
export function heldBackText({ rule, limit }: Pick<HeldBack, 'rule' | 'limit'>): string {
  const source = ruleSourceText(rule);
  switch (limit.kind) {
    case 'age':
      return l10n.t('within the cooldown of {0} ({1})', lengthText(limit.age), source);
    case 'date':
      return l10n.t('published after {0} ({1})', dayOf(limit.before), source);
    case 'until':
      return l10n.t('kept back by the service until {0}', dayOf(limit.end));
    case 'unclear':
      return l10n.t('the cooldown is unknown ({0}: {1})', source, limit.text);
  }
}

/** `newest outside the cooldown of 7 days` */
export function outsideText(limit: CooldownLimit): string {
  return limit.kind === 'age'
    ? l10n.t('newest outside the cooldown of {0}', lengthText(limit.age))
    : l10n.t('newest outside the cooldown');
}

/** The length of a cooldown: `7 days`, `90 minutes` */
function lengthText(ms: number): string {
  if (ms === DAY_MS) return l10n.t({ message: '1 day', comment: 'the length of a cooldown' });
  if (ms % DAY_MS === 0)
    return l10n.t({ message: '{0} days', args: [ms / DAY_MS], comment: 'the length of a cooldown' });
  if (ms === HOUR_MS) return l10n.t({ message: '1 hour', comment: 'the length of a cooldown' });
  if (ms % HOUR_MS === 0)
    return l10n.t({ message: '{0} hours', args: [ms / HOUR_MS], comment: 'the length of a cooldown' });
  return l10n.t({
    message: '{0} minutes',
    args: [Math.ceil(ms / MINUTE_MS)],
    comment: 'the length of a cooldown',
  });
}

/** `3 hours old` */
export function ageText(ms: number): string {
  const [days, hours] = [Math.floor(ms / DAY_MS), Math.floor(ms / HOUR_MS)];
  if (days > 1) return l10n.t('{0} days old', days);
  if (days === 1) return l10n.t('1 day old');
  if (hours > 1) return l10n.t('{0} hours old', hours);
  return hours === 1 ? l10n.t('1 hour old') : l10n.t('less than an hour old');
}
