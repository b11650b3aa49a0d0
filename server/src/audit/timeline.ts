import { isoDay } from '../base/dates.ts';
import type { AuditEvent, TimelineEntry } from '../model/audit.ts';
import { type ConnectionName, connectionNames } from '../model/connection.ts';
import { eventText } from './activity.ts';

/** Requests that this machine sent to a connection on a day: `2026-11-23`. */
export type CountRequests = (connection: ConnectionName, day: string) => number;

/** APIs by the connection that calls them, where their name is another one. */
const connectionsByApi: Readonly<Record<string, ConnectionName>> = {
  calendar: 'scheduling',
  deploymentmanager: 'deployments',
  safebrowsing: 'link-safety',
  reports: 'token-audit',
};

/**
 * Events of one client, newest first, compared with the ledger of this machine.
 * @param clientId only its events; undefined for those of all clients, of which none is compared
 */
export function timelineOf(
  events: readonly AuditEvent[],
  clientId: string | undefined,
  count: CountRequests,
): TimelineEntry[] {
  const own = clientId === undefined ? events : events.filter((it) => it.clientId === clientId);
  const sorted = [...own].sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const seen = new Map<string, number>();
  const entries = sorted.map((event): TimelineEntry => {
    const connection = connectionOf(event);
    if (connection === undefined || event.at === undefined || event.name !== 'activity' || clientId === undefined)
      return { event, text: eventText(event), ...(connection && { connection }) };
    const day = isoDay(event.at);
    const id = `${connection} ${day}`;
    const nth = (seen.get(id) ?? 0) + 1;
    seen.set(id, nth);
    return {
      event,
      text: eventText(event),
      connection,
      ...(nth > count(connection, day) && { isFromElsewhere: true }),
    };
  });
  return entries.reverse();
}

function connectionOf({ api = '', productBucket }: AuditEvent): ConnectionName | undefined {
  const name = api.toLowerCase();
  if (productBucket === 'CALENDAR') return 'scheduling';
  return connectionNames.find((it) => it === name) ?? connectionsByApi[name];
}
