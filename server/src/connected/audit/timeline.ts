import { isoDay } from '../../engine/base/dates.ts';
import { type ConnectionName, connectionNames, type Ledger } from '../../engine/model/connection.ts';
import type { AuditEvent, TimelineEntry } from '../model/audit.ts';
import { eventText } from './activity.ts';

/** The requests that this machine sent. */
export type SentRequests = Pick<Ledger, 'requestsOn' | 'requestsByHour'>;

const HOUR = 3_600_000;

/** The clocks of a service and of this machine differ by less, in ms, and few requests take longer. */
const CLOCK_TOLERANCE = 5 * 60_000;

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
  requests: SentRequests,
): TimelineEntry[] {
  const own = clientId === undefined ? events : events.filter((it) => it.clientId === clientId);
  const sorted = [...own].sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const take = requestTaker(requests);
  const entries = sorted.map((event): TimelineEntry => {
    const connection = connectionOf(event);
    const { at, name } = event;
    const isCompared = connection !== undefined && at !== undefined && name === 'activity' && clientId !== undefined;
    return {
      event,
      text: eventText(event),
      ...(connection && { connection }),
      ...(isCompared && !take(connection, at) && { isFromElsewhere: true }),
    };
  });
  return entries.reverse();
}

/**
 * Finds a counted request for each event, in the order of time: one of the same hour, or of the next one where that is
 * near, or one of the day whose hour is not known. Returns whether there was one left.
 */
function requestTaker(requests: SentRequests): (connection: ConnectionName, at: number) => boolean {
  const left = new Map<string, number>();

  function takeFrom(id: string, count: () => number): boolean {
    const rest = left.get(id) ?? count();
    left.set(id, Math.max(0, rest - 1));
    return rest > 0;
  }

  return (connection, at) => {
    const hours = new Set([at - CLOCK_TOLERANCE, at, at + CLOCK_TOLERANCE].map((it) => Math.floor(it / HOUR)));
    for (const hour of hours) {
      const inHour = (): number => requests.requestsByHour(connection, hour * HOUR).get(hour % 24) ?? 0;
      if (takeFrom(`${connection} ${hour}`, inHour)) return true;
    }
    return takeFrom(`${connection} ${isoDay(at)}`, () => {
      const counted = [...requests.requestsByHour(connection, at).values()].reduce((sum, it) => sum + it, 0);
      return requests.requestsOn(connection, at) - counted;
    });
  };
}

function connectionOf({ api = '', productBucket }: AuditEvent): ConnectionName | undefined {
  const name = api.toLowerCase();
  if (productBucket === 'CALENDAR') return 'scheduling';
  return connectionNames.find((it) => it === name) ?? connectionsByApi[name];
}
