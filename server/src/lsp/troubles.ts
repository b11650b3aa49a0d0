import * as l10n from '@vscode/l10n';
import { refreshOf } from '../model/facts.ts';
import { closedBy } from '../model/settings.ts';
import type { Subject } from '../model/subject.ts';
import type { Session } from './session.ts';

/** Reasons that are told before the service answers again: one that is worded anew each time must not fill the log. */
const most = 5;

/** Writes to the log why the service could not be asked, each reason once, and that it answers again. */
export function logTroubles(
  { troubles, settings, connection }: Session,
  documents: readonly { readonly failures: ReadonlySet<string>; readonly isAnswered: boolean }[],
): void {
  if (settings.offline || closedBy(settings)) return;
  const reasons = new Set(documents.flatMap((it) => [...it.failures]));
  for (const reason of reasons) {
    if (troubles.has(reason) || troubles.size >= most) continue;
    troubles.add(reason);
    connection.console.warn(l10n.t('the service could not be asked: {0}', reason));
  }
  if (troubles.size === 0 || reasons.size > 0 || !documents.some((it) => it.isAnswered)) return;
  troubles.clear();
  connection.console.info(l10n.t('the service answers again'));
}

/** Whether what is known of a dependency is being asked for once more. */
export function isRefreshing({ version }: Subject): boolean {
  return refreshOf(version) === 'pending';
}

/** Whether the service has answered about a dependency, and that answer holds. */
export function isAnswered({ version }: Subject): boolean {
  return (version?.state === 'unknown' || version?.state === 'ready') && version.refresh === undefined;
}
