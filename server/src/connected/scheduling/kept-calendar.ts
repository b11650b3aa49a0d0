import { isRecord, oneLine } from '../../engine/base/text.ts';
import type { CallOptions } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { FolderId, MaintenanceWindow, PlannedEvent } from '../model/scheduling/planned.ts';
import type { Scheduled } from '../model/scheduling/schedule.ts';
import type { Called, Calls } from './calls.ts';
import { readEvent, readWindow } from './event.ts';
import type { EventStore, KeptEvent } from './event-store.ts';

/** What is known of one calendar, in memory and on disk. */
export interface KeptCalendar {
  readonly identity: string;
  readonly id: string;
  /** As its list of events names it. Untrusted text. */
  name(): string | undefined;
  /** When it was last brought up to date, in ms since the epoch; undefined if never. */
  at(): number | undefined;
  /** Reads what other processes have written since. */
  reload(): void;
  /** Requests the changes since the last time, or everything. */
  sync(options: CallOptions): Promise<Scheduled<void>>;
  events(): readonly PlannedEvent[];
  event(id: string): PlannedEvent | undefined;
  planned(folder: FolderId, purl: string): readonly PlannedEvent[];
  windows(): readonly MaintenanceWindow[];
  reached(id: string): readonly string[];
  /** What the service has answered about one event. */
  put(event: PlannedEvent, reached?: readonly string[]): void;
  putWindow(window: MaintenanceWindow): void;
}

export interface KeptCalendarParts {
  readonly identity: string;
  readonly id: string;
  readonly calls: Calls;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly onChange: () => void;
}

/** Events of one page. Source: the default of the service. */
const PAGE = 250;

/** Of the name of a calendar, in characters. */
const MAX_NAME = 100;

export function createKeptCalendar({ identity, id, calls, store, clock, onChange }: KeptCalendarParts): KeptCalendar {
  const nameKey = `name of ${id}`;
  let name = store.choice(identity, nameKey);
  let kept = new Map<string, KeptEvent>();
  let index: ReadonlyMap<string, readonly PlannedEvent[]> | undefined;
  let token: string | undefined;
  let at: number | undefined;
  let revision: number | undefined;
  /** Counts the events that were put one by one. What a list that began before says about them is older. */
  let puts = 0;
  const lastPut = new Map<string, number>();

  function changed(): void {
    index = undefined;
    onChange();
  }

  function reload(): void {
    const now = store.revision(identity, id);
    if (now === undefined || now === revision) return;
    const read = store.read(identity, id);
    if (!read) return;
    revision = now;
    kept = new Map(read.events.map((it) => [it.event.id, it]));
    token = read.token;
    at = read.at > 0 ? read.at : undefined;
    changed();
  }

  /** Keeps changes in memory, even where they cannot be written. */
  function write(
    put: readonly KeptEvent[],
    removed: readonly string[] = [],
    synced?: { readonly token?: string; readonly at: number },
    isAll = false,
  ): void {
    const before = store.revision(identity, id);
    store.write(identity, id, { put, removed, isAll, ...(synced && { synced }) });
    // What another process wrote in between is read at the next opportunity.
    if (before !== undefined && before === (revision ?? 0) && store.revision(identity, id) === before + 1)
      revision = before + 1;
    if (isAll) kept = new Map();
    for (const it of removed) kept.delete(it);
    for (const it of put) kept.set(it.event.id, it);
    if (synced) ({ token, at } = { token: synced.token, at: synced.at });
    if (isAll || put.length > 0 || removed.length > 0) changed();
  }

  async function sync(options: CallOptions, mayRepeat = true): Promise<Scheduled<void>> {
    reload();
    const startedWith = token;
    const putsBefore = puts;
    let listed = await list(startedWith, options);
    // The token is too old: everything is listed anew. Source: the documentation of synchronization.
    const isTooOld = !listed.ok && (listed.status === 410 || listed.status === 400);
    const isAll = startedWith === undefined || isTooOld;
    if (startedWith !== undefined && isTooOld) listed = await list(undefined, options);
    if (!listed.ok) return { ok: false, trouble: listed.trouble };
    // Meanwhile another request has brought it up to date: what follows on that is asked for.
    if (token !== startedWith && mayRepeat) return sync(options, false);
    const isNewer = (eventId: string): boolean => (lastPut.get(eventId) ?? 0) > putsBefore;
    const put: KeptEvent[] = [];
    const removed: string[] = [];
    for (const it of listed.items) {
      const eventId = isRecord(it) ? String(it['id']) : '';
      const read = keptOf(it);
      if (isNewer(eventId)) continue;
      if (read) put.push(read);
      else if (kept.has(eventId)) removed.push(eventId);
    }
    if (isAll) for (const it of kept.values()) if (isNewer(it.event.id)) put.push(it);
    const { next } = listed;
    write(put, removed, { at: clock.now(), ...(next !== undefined && { token: next }) }, isAll);
    return { ok: true, value: undefined };
  }

  /** What is kept of an event; undefined if nothing is. */
  function keptOf(item: unknown): KeptEvent | undefined {
    if (!isRecord(item) || item['recurringEventId'] !== undefined) return undefined;
    const former = kept.get(String(item['id']));
    const event = readEvent(item, id);
    if (event) return { kind: 'update', event, reached: former?.kind === 'update' ? former.reached : [] };
    // Of a deleted event the service reports little more than its id.
    if (item['status'] === 'cancelled' && former?.kind === 'update')
      return { ...former, event: { ...former.event, status: 'canceled' } };
    const window = readWindow(item);
    return window && { kind: 'window', event: window };
  }

  type Listed =
    | { readonly ok: true; readonly items: readonly unknown[]; readonly next?: string }
    | Extract<Called, { readonly ok: false }>;

  async function list(syncToken: string | undefined, options: CallOptions): Promise<Listed> {
    const parameters = {
      calendarId: id,
      showDeleted: 'true',
      maxResults: `${PAGE}`,
      ...(syncToken !== undefined && { syncToken }),
    };
    const items: unknown[] = [];
    let next: string | undefined;
    for await (const page of calls.list('events.list', { parameters, about: 'calendar' }, options)) {
      if (!page.ok) return page;
      const { items: found, nextSyncToken, summary } = isRecord(page.value) ? page.value : {};
      if (typeof summary === 'string' && summary !== '' && oneLine(summary, MAX_NAME) !== name) {
        name = oneLine(summary, MAX_NAME);
        store.choose(identity, nameKey, name);
      }
      // Of events that do not matter nothing is kept, not even in memory.
      if (Array.isArray(found)) for (const it of found) if (matters(it)) items.push(it);
      if (typeof nextSyncToken === 'string') next = nextSyncToken;
    }
    return { ok: true, items, ...(next !== undefined && { next }) };
  }

  function matters(item: unknown): boolean {
    return isRecord(item) && (keptOf(item) !== undefined || kept.has(String(item['id'])));
  }

  function indexed(): ReadonlyMap<string, readonly PlannedEvent[]> {
    if (index) return index;
    const made = new Map<string, PlannedEvent[]>();
    for (const it of kept.values()) {
      if (it.kind !== 'update') continue;
      for (const purl of new Set(it.event.updates.map((update) => update.purl))) {
        const key = `${it.event.folder} ${purl}`;
        made.set(key, [...(made.get(key) ?? []), it.event]);
      }
    }
    for (const it of made.values()) it.sort(byRelevance);
    index = made;
    return made;
  }

  return {
    identity,
    id,
    name: () => name,
    at: () => at,
    reload,
    sync: (options) => sync(options),
    events: () => [...kept.values()].flatMap((it) => (it.kind === 'update' ? it.event : [])).sort(byTime),
    event(eventId) {
      const found = kept.get(eventId);
      return found?.kind === 'update' ? found.event : undefined;
    },
    planned: (folder, purl) => indexed().get(`${folder} ${purl}`) ?? [],
    windows: () => [...kept.values()].flatMap((it) => (it.kind === 'window' ? it.event : [])),
    reached(eventId) {
      const found = kept.get(eventId);
      return found?.kind === 'update' ? found.reached : [];
    },
    put(event, reached) {
      const former = kept.get(event.id);
      lastPut.set(event.id, ++puts);
      write([{ kind: 'update', event, reached: reached ?? (former?.kind === 'update' ? former.reached : []) }]);
    },
    putWindow(window) {
      lastPut.set(window.id, ++puts);
      write([{ kind: 'window', event: window }]);
    },
  };
}

function byTime(a: PlannedEvent, b: PlannedEvent): number {
  return a.start - b.start || (a.id < b.id ? -1 : 1);
}

const ranks = { planned: 0, done: 1, canceled: 2 } as const;

/** Planned ones first, the next one of them first; of the others the latest first. */
function byRelevance(a: PlannedEvent, b: PlannedEvent): number {
  const isPlanned = a.status === 'planned' && b.status === 'planned';
  return ranks[a.status] - ranks[b.status] || (isPlanned ? byTime(a, b) : byTime(b, a));
}
