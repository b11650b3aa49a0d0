import { type Answer, type Call, etagOf } from './call.ts';
import { notFound } from './errors.ts';
import { listEtag, pageOf, readPaging } from './pages.ts';
import type { Item } from './store.ts';

/** The settings of a new user. Source: documentation of the interface, “Settings”; `timezone` is that of the calendar. */
export const initialSettings: Readonly<Record<string, string>> = {
  autoAddHangouts: 'false',
  dateFieldOrder: 'YMD',
  defaultEventLength: '60',
  format24HourTime: 'true',
  hideInvitations: 'false',
  hideWeekends: 'false',
  locale: 'en',
  remindOnRespondedEventsOnly: 'false',
  showDeclinedEvents: 'true',
  useKeyboardShortcuts: 'true',
  weekStart: '1',
};

export function getSetting(call: Call): Answer {
  const item = call.store.get(`settings/${call.caller}`, call.values[0] ?? '');
  if (item === undefined || item.isDeleted) throw notFound();
  return { body: resourceOf(item), etag: etagOf(item) };
}

export function listSettings(call: Call): Answer {
  const collection = `settings/${call.caller}`;
  const paging = readPaging(call, collection, { usual: 100, most: 250 });
  const items = call.store.list(collection, { ...(paging.since !== undefined && { since: paging.since }) });
  const { values, tokens } = pageOf(
    call,
    paging,
    items.map((it) => ({ key: [0, it.id] as const, value: resourceOf(it) })),
  );
  const etag = listEtag(values);
  return { body: { kind: 'calendar#settings', etag, items: values, ...tokens }, etag };
}

function resourceOf(item: Item): object {
  return { kind: 'calendar#setting', etag: etagOf(item), id: item.id, value: item.body['value'] };
}

const calendarColors =
  '#ac725e #d06b64 #f83a22 #fa573c #ff7537 #ffad46 #42d692 #16a765 #7bd148 #b3dc6c #fbe983 #fad165 #92e1c0 #9fe1e7 #9fc6e7 #4986e7 #9a9cff #b99aff #c2c2c2 #cabdbf #cca6ac #f691b2 #cd74e6 #a47ae2'.split(
    ' ',
  );
const eventColors = '#a4bdfc #7ae7bf #dbadff #ff887c #fbd75b #ffb878 #46d6db #e1e1e1 #5484ed #51b749 #dc2127'.split(
  ' ',
);

/** The text color on all of them. */
const FOREGROUND = '#1d1d1d';

export function getColors(): Answer {
  const body = {
    kind: 'calendar#colors',
    updated: '2012-02-14T00:00:00.000Z',
    calendar: paletteOf(calendarColors),
    event: paletteOf(eventColors),
  };
  return { body, etag: listEtag(body) };
}

/** The colors of a calendar by the id of its color. */
export function calendarColor(id: string): { readonly background: string; readonly foreground: string } | undefined {
  return paletteOf(calendarColors)[id];
}

export function isEventColor(id: string): boolean {
  return Object.hasOwn(paletteOf(eventColors), id);
}

/** The id of the color that is next to a given one: `#00ff00`. */
export function nearestColor(background: string): string {
  const distances = calendarColors.map((it, at) => {
    const parts = [1, 3, 5].map(
      (from) => Number.parseInt(it.slice(from, from + 2), 16) - Number.parseInt(background.slice(from, from + 2), 16),
    );
    return { id: `${at + 1}`, distance: parts.reduce((sum, part) => sum + part * part, 0) };
  });
  return distances.sort((a, b) => a.distance - b.distance)[0]?.id ?? '1';
}

function paletteOf(colors: readonly string[]): Readonly<Record<string, { background: string; foreground: string }>> {
  return Object.fromEntries(colors.map((background, at) => [`${at + 1}`, { background, foreground: FOREGROUND }]));
}
