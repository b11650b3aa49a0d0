import { type Act, type Arrived, type ScriptedServer, scriptedServer } from '../../harness/scripted-server.ts';

type Value = Record<string, unknown>;

/** A small scheduling service whose answers a test can replace. */
export interface CalendarService extends ScriptedServer {
  /** Ends with `/v3`. */
  readonly baseUrl: string;
  /** Of the only calendar that events are added to. */
  readonly events: ReadonlyMap<string, Value>;
  readonly busy: { start: string; end: string }[];
  /** Of one calendar, in place of `busy`. */
  readonly busyBy: Map<string, { start: string; end: string }[]>;
  readonly settings: Record<string, string>;
  readonly calendars: Value[];
  readonly rules: Value[];
  readonly channels: readonly Value[];
  /** Of further channels, in ms since the epoch. */
  expiration: number;
  /** What people do in the calendar. */
  edit(id: string, change: Value): void;
  /** The next requests for which this returns an answer get it. */
  fault: ((request: Arrived) => Act | undefined) | undefined;
  /** Sync tokens up to now are too old. */
  expireTokens(): void;
  /** `GET events/{id}`, for each request. */
  calls(): readonly string[];
}

export const token = 'opensesame-0123456789';
export const calendarId = 'updates@calendar.example';

export async function calendarService(): Promise<CalendarService> {
  const events = new Map<string, Value & { seq: number }>();
  const busy: { start: string; end: string }[] = [];
  const busyBy: CalendarService['busyBy'] = new Map();
  const settings: Record<string, string> = { timezone: 'Europe/Berlin', weekStart: '1' };
  const calendars: Value[] = [
    { id: 'me@calendar.example', summary: 'Me', primary: true, accessRole: 'owner' },
    { id: calendarId, summary: 'Updates', accessRole: 'writer' },
    { id: 'holidays', summary: 'Holidays', accessRole: 'reader' },
  ];
  const rules: Value[] = [];
  const channels: Value[] = [];
  let expiration = Date.parse('2026-11-30T07:00:00Z');
  const calls: string[] = [];
  let seq = 1;
  let oldest = 0;

  function keep(id: string, event: Value): Value {
    seq++;
    const kept = { ...event, id, etag: `"${seq}"`, seq };
    events.set(id, kept);
    return shown(kept);
  }
  const shown = ({ seq: _, ...event }: Value): Value => ({
    ...event,
    htmlLink: `https://calendar.example/event?eid=${event['id']}`,
  });

  function route({ method, path, body, headers }: Arrived): { status: number; value?: unknown } {
    const url = new URL(path, 'http://host.example');
    const parts = url.pathname
      .replace(/^\/v3\//, '')
      .split('/')
      .map(decodeURIComponent);
    const given = body === '' ? {} : (JSON.parse(body) as Value);
    calls.push(`${method} ${parts.join('/')}`);
    if (headers.authorization !== `Bearer ${token}`) return { status: 401 };
    const [group, id, part, eventId, action] = parts;
    if (group === 'freeBusy') {
      const items = given['items'] as { id: string }[];
      const known = (it: string): Value =>
        it === 'gone' ? { errors: [{ reason: 'notFound' }], busy: [] } : { busy: busyBy.get(it) ?? busy };
      return { status: 200, value: { calendars: Object.fromEntries(items.map((it) => [it.id, known(it.id)])) } };
    }
    if (group === 'channels') {
      channels.splice(0, channels.length, ...channels.filter((it) => it['id'] !== given['id']));
      return { status: 204 };
    }
    if (group === 'colors')
      return { status: 200, value: { event: { '11': { background: '#dc2127' }, '5': { background: '#fbd75b' } } } };
    if (part === 'settings')
      return { status: 200, value: { items: Object.entries(settings).map(([id, value]) => ({ id, value })) } };
    if (part === 'calendarList' && eventId === undefined) return { status: 200, value: { items: calendars } };
    if (part === 'calendarList') {
      const found = calendars.find((it) => it['id'] === eventId);
      return found ? { status: 200, value: found } : { status: 404 };
    }
    if (group === 'calendars' && id === undefined) {
      const made = { ...given, id: `made${calendars.length}@calendar.example` };
      calendars.push({ ...made, accessRole: 'owner' });
      return { status: 200, value: made };
    }
    if (part === 'acl') {
      rules.push(given);
      return { status: 200, value: given };
    }
    if (part !== 'events' || !calendars.some((it) => it['id'] === id)) return { status: 404 };
    if (eventId === undefined && method === 'GET') return listEvents(url.searchParams);
    if (eventId === undefined) {
      const wanted = String(given['id'] ?? `event${seq}`);
      return events.has(wanted) ? { status: 409 } : { status: 200, value: keep(wanted, given) };
    }
    if (eventId === 'watch') {
      channels.push(given);
      return { status: 200, value: { id: given['id'], resourceId: 'resource', expiration: `${expiration}` } };
    }
    const event = events.get(eventId);
    if (!event) return { status: 404 };
    if (action === 'instances') {
      const instant = (it: unknown): number => Date.parse((it as { dateTime: string }).dateTime);
      const [start, end] = [instant(event['start']), instant(event['end'])] as const;
      const weeks = [0, 1, 2].map((it) => it * 7 * 86_400_000);
      const at = (ms: number) => ({ dateTime: new Date(ms).toISOString() });
      const items = weeks.map((it) => ({ recurringEventId: eventId, start: at(start + it), end: at(end + it) }));
      return { status: 200, value: { items } };
    }
    if (method === 'GET') return { status: 200, value: shown(event) };
    const match = headers['if-match'];
    if (match !== undefined && match !== event['etag']) return { status: 412 };
    if (method === 'DELETE') {
      if (event['status'] === 'cancelled') return { status: 410 };
      keep(eventId, { ...event, status: 'cancelled' });
      return { status: 204 };
    }
    return { status: 200, value: keep(eventId, given) };
  }

  function listEvents(query: URLSearchParams): { status: number; value?: unknown } {
    const since = query.get('syncToken');
    if (since !== null && Number(since) <= oldest) return { status: 410 };
    const all = [...events.values()].filter((it) => it.seq > Number(since ?? 0));
    // Two pages, as soon as there is more than one event.
    const page = Number(query.get('pageToken') ?? 0);
    const half = Math.ceil(all.length / 2) || 1;
    const items = all.slice(page, page + half);
    // Of a deleted event little is left.
    const value = items.map((it) => (it['status'] === 'cancelled' ? { id: it['id'], status: 'cancelled' } : shown(it)));
    const hasMore = page + half < all.length;
    return {
      status: 200,
      value: { items: value, ...(hasMore ? { nextPageToken: `${page + half}` } : { nextSyncToken: `${seq}` }) },
    };
  }

  const server = await scriptedServer((request, response) => {
    const fault = service.fault?.(request);
    if (fault) {
      calls.push(`fault ${request.method} ${request.path.split('?')[0]}`);
      return fault(request, response);
    }
    const { status, value } = route(request);
    const text =
      value !== undefined ? value : status < 300 ? undefined : { error: { code: status, message: `No ${token}` } };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(text === undefined ? '' : JSON.stringify(text));
  });
  const service: CalendarService = {
    ...server,
    baseUrl: `${server.url}/v3`,
    events,
    busy,
    busyBy,
    settings,
    calendars,
    rules,
    channels,
    get expiration() {
      return expiration;
    },
    set expiration(at) {
      expiration = at;
    },
    fault: undefined,
    edit: (id, change) => void keep(id, { ...events.get(id), ...change }),
    expireTokens() {
      oldest = seq;
    },
    calls: () => calls,
  };
  return service;
}
