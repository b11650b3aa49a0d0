import * as l10n from '@vscode/l10n';
import type { ConnectionStatus } from '../../model/connection.ts';
import { sanitize } from './texts.ts';

/** A connected service in words: its use, then a line for each hold and for the last error, indented. */
export function connectionLines({
  name,
  host,
  hasCredential,
  requestsToday,
  budget,
  holds,
  lastError,
}: ConnectionStatus): string[] {
  const use =
    budget === undefined
      ? l10n.t('{0} requests today', requestsToday)
      : l10n.t('{0} of {1} requests today', requestsToday, budget);
  const credential = hasCredential ? l10n.t('with a credential') : l10n.t('without a credential');
  const parts = host === undefined ? [l10n.t('not connected')] : [host, use, credential];
  return [
    `${name}: ${parts.join(', ')}`,
    ...holds.map(({ scope, until, reason }) => {
      const time = new Date(until).toISOString();
      return scope === '*'
        ? `  ${l10n.t('paused until {0}: {1}', time, sanitize(reason))}`
        : `  ${l10n.t('{0} paused until {1}: {2}', sanitize(scope), time, sanitize(reason))}`;
    }),
    ...(lastError ? [`  ${sanitize(l10n.t('last error: {0}', lastError.reason))}`] : []),
  ];
}
