import * as l10n from '@vscode/l10n';
import { isoDay } from '../../engine/base/dates.ts';
import { isRecord } from '../../engine/base/text.ts';
import type { Connections } from '../../engine/model/connection.ts';
import { adviceFor } from '../api/errors.ts';
import { type CallResult, pages } from '../api/pages.ts';
import { findMethod } from '../api/service-method.ts';
import type { AuditEvent, AuditQuery, AuditTimeline } from '../model/audit.ts';
import { readEvents } from './activity.ts';
import { type SentRequests, timelineOf } from './timeline.ts';

/** Lists the uses of credentials from the connected token audit. Never rejects. */
export async function listAudit(
  connections: Pick<Connections, 'client'>,
  ledger: SentRequests,
  query: AuditQuery,
  signal?: AbortSignal,
  progress?: (events: number) => void,
): Promise<AuditTimeline> {
  const { events, isCut, problem } = await eventsOf(connections, query, signal, progress);
  const entries = timelineOf(events, query.clientId, ledger).slice(0, query.limit);
  return { entries, isCut, ...(problem !== undefined && { problem }) };
}

interface Listed {
  readonly events: readonly AuditEvent[];
  readonly isCut: boolean;
  readonly problem?: string;
}

async function eventsOf(
  connections: Pick<Connections, 'client'>,
  { eventName, since, until, clientId, limit }: AuditQuery,
  signal: AbortSignal | undefined,
  progress: ((events: number) => void) | undefined,
): Promise<Listed> {
  const found = await findMethod('token-audit.activities.list');
  if (found.kind !== 'found') throw new Error('the method of the audit is missing');
  const parameters = {
    ...(eventName !== undefined && { eventName }),
    ...(since !== undefined && { startTime: `${since}T00:00:00Z` }),
    ...(until !== undefined && { endTime: `${until}T23:59:59.999Z` }),
  };
  const client = connections.client('token-audit');
  const options = { priority: 'asked', ...(signal && { signal }) } as const;
  const events: AuditEvent[] = [];
  let count = 0;
  for await (const page of pages((it) => client.send(it, options), found.method, parameters, undefined, signal)) {
    if (page.kind !== 'done') return { events, isCut: false, problem: problemOf(page) };
    const items = isRecord(page.value) ? page.value['items'] : undefined;
    const read = Array.isArray(items) ? items.flatMap(readEvents) : [];
    count += read.length;
    progress?.(count);
    for (const it of read) if (clientId === undefined || it.clientId === clientId) events.push(it);
    if (events.length > limit && isComparable(events, limit)) return { events, isCut: true };
  }
  if (events.length > limit) return { events, isCut: true };
  return { events, isCut: false };
}

/** Events that are read only to compare the shown ones. */
const MAX_MORE = 10_000;

/** Whether the day of the oldest event that is shown is complete: all of it is compared, and the latest are marked. */
function isComparable(events: readonly AuditEvent[], limit: number): boolean {
  const oldestShown = events[limit - 1]?.at;
  const oldest = events.at(-1)?.at;
  if (oldestShown === undefined || oldest === undefined) return true;
  return isoDay(oldest) < isoDay(oldestShown) || events.length > limit + MAX_MORE;
}

function problemOf(page: Exclude<CallResult, { readonly kind: 'done' }>): string {
  switch (page.kind) {
    case 'error':
      return adviceFor(page.error) ?? page.error.message;
    case 'failed':
    case 'not-connected':
      return page.reason;
    case 'refused':
      return page.problems.map((it) => it.message).join(', ');
    case 'aborted':
      return l10n.t('interrupted');
  }
}
