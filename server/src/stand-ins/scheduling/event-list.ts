import { isRecord } from '../../engine/base/text.ts';
import { type Answer, type Call, choice, count, flag, instant } from './call.ts';
import { fullSyncRequired, invalid, notFound, Refused } from './errors.ts';
import { durationOf, endOfEvent, recurrenceOf, startOf } from './event-body.ts';
import { eventResource, instanceOf, zoneOf } from './event-view.ts';
import { collectionOf, findEvent } from './events.ts';
import { exclusiveOfEvents, listEtag, pageOf, readPaging, refuseWithSyncToken } from './pages.ts';
import { LONGEST, occurrences } from './recurrence.ts';
import { type Calendar, openCalendar } from './roles.ts';
import type { Fields, Item } from './store.ts';
import { DAY, instantOf } from './times.ts';

const sizes = { usual: 250, most: 2500 } as const;

/** How far instances of an event without an end are listed, after now or the first wanted time, in ms. */
const HORIZON = 2 * 366 * DAY;

/** Instances in one request: more of them would block all other requests for seconds. */
const MAX_INSTANCES = 20_000;

/** How far it is tried first whether an event recurs within a time. */
const SOON = 32 * DAY;

/** The end of time for events that end. */
const FOREVER = 8.64e15 / 4;

/** With one of these, a list is no base for a later listing of changes. */
const notSynchronized = exclusiveOfEvents.filter((it) => it !== 'timeMin' && it !== 'timeMax');

/** A time, in ms since the epoch. */
interface Range {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export function listEvents(call: Call): Answer {
  const { parameters, store } = call;
  refuseWithSyncToken(call, exclusiveOfEvents);
  const calendar = openCalendar(call, call.values[0] ?? '', 'freeBusyReader');
  const isSingle = flag(call, 'singleEvents') ?? false;
  const orderBy = choice(call, 'orderBy', ['startTime', 'updated']);
  if (orderBy === 'startTime' && !isSingle)
    throw invalid('The requested ordering is not available for the particular query.', 'orderBy');
  const showDeleted = flag(call, 'showDeleted');
  const range = rangeOf(call);
  zoneOf(call, calendar);
  const collection = collectionOf(calendar);
  const paging = readPaging(call, `${collection}${isSingle ? '?single' : ''}`, sizes);
  const isIncremental = paging.since !== undefined;
  if (isIncremental && showDeleted === false)
    throw invalid('Deleted events are part of the changes since a sync token.', 'showDeleted');
  const updatedMin = instant(call, 'updatedMin');
  const uid = parameters.get('iCalUID');
  const stored = store.list(collection, {
    ...(paging.since !== undefined && { since: paging.since }),
    ...(range.from !== undefined && { from: range.from }),
    ...(range.to !== undefined && { to: range.to }),
    ...(uid !== null && { uid }),
    withDeleted: true,
  });
  // The former instances of such an event are not known any more, also if it was deleted since.
  if (isSingle && isIncremental && stored.some((it) => (it.index.reshaped ?? 0) > (paging.since ?? 0)))
    throw fullSyncRequired();
  const withDeleted = showDeleted === true || isIncremental || updatedMin !== undefined;
  const counted = stored.filter((it) => withDeleted || !it.isDeleted || it.index.master !== undefined);
  const all = isSingle ? singles(call, calendar, counted, range) : counted;
  const isWanted = filterOf(call);
  const items = all.filter((it) => {
    const isKept =
      withDeleted || !it.isDeleted || (!isSingle && it.index.master !== undefined && isOfLivingEvent(call, it));
    if (!isKept || (updatedMin !== undefined && it.updated < updatedMin)) return false;
    return isWithin(it, calendar, range) && isWanted(it.body);
  });
  const keyOf = (it: Item): number =>
    orderBy === 'updated' ? it.updated : orderBy === 'startTime' ? startsAt(it, calendar) : 0;
  const { values, tokens } = pageOf(
    call,
    paging,
    items.map((it) => ({ key: [keyOf(it), it.id] as const, value: it })),
    !notSynchronized.some((it) => parameters.has(it)),
  );
  return listAnswer(call, calendar, values, tokens);
}

export function listInstances(call: Call): Answer {
  const calendar = openCalendar(call, call.values[0] ?? '', 'freeBusyReader');
  const master = findEvent(call, calendar, call.values[1] ?? '');
  if (!master) throw notFound();
  const range = rangeOf(call);
  zoneOf(call, calendar);
  const paging = readPaging(call, `${collectionOf(calendar)}/${master.id}`, sizes);
  const showDeleted = flag(call, 'showDeleted') ?? false;
  const original = call.parameters.get('originalStart');
  const exceptions = call.store.list(collectionOf(calendar), { master: master.id, withDeleted: true });
  const items = singles(call, calendar, [master, ...exceptions], range)
    .filter((it) => it.index.master !== undefined && (showDeleted || !it.isDeleted) && isWithin(it, calendar, range))
    .filter((it) => original === null || isOriginal(it, original, calendar));
  const { values, tokens } = pageOf(
    call,
    paging,
    items.map((it) => ({ key: [startsAt(it, calendar), it.id] as const, value: it })),
    false,
  );
  return listAnswer(call, calendar, values, tokens);
}

function listAnswer(call: Call, calendar: Calendar, values: readonly Item[], tokens: object): Answer {
  const items = values.map((it) => eventResource(call, calendar, it));
  const { summary, description } = calendar.item.body;
  const entry = call.store.get(`list/${call.caller}`, calendar.id);
  const etag = listEtag([calendar.item.revision, items]);
  const updated = values.reduce((latest, it) => Math.max(latest, it.updated), calendar.item.updated);
  const body = {
    kind: 'calendar#events',
    etag,
    summary,
    ...(description !== undefined && { description }),
    updated: new Date(updated).toISOString(),
    timeZone: zoneOf(call, calendar),
    accessRole: calendar.role,
    defaultReminders: entry?.body['defaultReminders'] ?? [],
    items,
    ...tokens,
  };
  return { body, etag };
}

function rangeOf(call: Call): Range {
  const [from, to] = [instant(call, 'timeMin'), instant(call, 'timeMax')];
  if (from !== undefined && to !== undefined && from >= to)
    throw new Refused(400, 'timeRangeEmpty', 'The specified time range is empty.', { domain: 'calendar' });
  return { from, to };
}

const tooManyInstances = 'The recurring events have too many instances in this time: give timeMin and timeMax.';

/**
 * Recurring events as their instances; exceptions take the place of theirs.
 * @throws `Refused` if there are too many
 */
export function singles(
  call: Pick<Call, 'store' | 'now'>,
  calendar: Calendar,
  items: readonly Item[],
  range: Range,
): Item[] {
  let left = MAX_INSTANCES;
  return items.flatMap((item) => {
    const recurrence = item.index.master === undefined ? recurrenceOf(item.body, calendar.timeZone) : undefined;
    if (!recurrence) return [item];
    const zone = calendar.timeZone;
    const duration = instantOf(endOfEvent(item.body), zone) - instantOf(startOf(item.body), zone);
    const from = (range.from ?? -FOREVER) - duration - DAY;
    const first = Math.max(range.from ?? 0, item.index.starts ?? 0);
    const end = recurrence.isFinite ? first + LONGEST : Math.max(call.now, first) + HORIZON;
    const to = Math.min(range.to ?? FOREVER, end);
    const exceptions = new Set(
      call.store.list(item.collection, { master: item.id, withDeleted: true }).map((it) => it.id),
    );
    const found = occurrences(recurrence, Math.max(from, (item.index.starts ?? 0) - DAY), to);
    left -= found.length;
    if (left < 0) throw new Refused(400, 'tooManyInstances', tooManyInstances, { domain: 'calendar' });
    return found.map((it) => instanceOf(item, it, zone)).filter((it) => !exceptions.has(it.id));
  });
}

/** Whether an event is within a time: it ends after the first bound, and begins before the second. */
function isWithin(item: Item, calendar: Calendar, { from, to }: Range): boolean {
  if (item.index.master === undefined && item.body['recurrence'] !== undefined)
    return isRecurringWithin(item, calendar, { from, to });
  const start = startsAt(item, calendar);
  const end = Math.max(instantOf(endOfEvent(item.body), calendar.timeZone), start + 1);
  return (from === undefined || end > from) && (to === undefined || start < to);
}

function isRecurringWithin(item: Item, { timeZone }: Calendar, { from, to }: Range): boolean {
  if (from === undefined && to === undefined) return true;
  const recurrence = recurrenceOf(item.body, timeZone);
  if (!recurrence) return false;
  const duration =
    startOf(item.body).date === undefined ? durationOf(item.body, timeZone) : durationOf(item.body, timeZone) * DAY;
  const low = from === undefined ? (item.index.starts ?? 0) : from - duration + 1;
  const high = Math.min(to ?? FOREVER, low + LONGEST);
  const [soon, near] = [Math.min(high, low + SOON), Math.min(high, low + HORIZON)];
  const isAny = (first: number, last: number): boolean => occurrences(recurrence, first, last).length > 0;
  return isAny(low, soon) || isAny(soon, near) || isAny(near, high);
}

function isOfLivingEvent({ store }: Call, item: Item): boolean {
  const master = store.get(item.collection, item.index.master ?? '');
  return master !== undefined && !master.isDeleted;
}

/** `originalStart` is the start of an instance, as the instance has it or as the same instant. */
function isOriginal({ body }: Item, text: string, { timeZone }: Calendar): boolean {
  const original = body['originalStartTime'];
  if (!isRecord(original)) return false;
  if (typeof original['date'] === 'string') return original['date'] === text;
  return instantOf(original, timeZone) === Date.parse(text);
}

function startsAt({ body }: Item, { timeZone }: Calendar): number {
  return instantOf(startOf(body), timeZone);
}

/** The parameters that select events by what they contain. */
function filterOf(call: Call): (body: Fields) => boolean {
  const { parameters } = call;
  const words = (parameters.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const types = parameters.getAll('eventTypes');
  const properties = (['private', 'shared'] as const).flatMap((kind) =>
    parameters.getAll(`${kind}ExtendedProperty`).map((text) => {
      const cut = text.indexOf('=');
      if (cut < 1) throw invalid('Extended properties are given as name=value.', `${kind}ExtendedProperty`);
      return { kind, name: text.slice(0, cut), value: text.slice(cut + 1) };
    }),
  );
  count(call, 'maxAttendees');
  return (body) => {
    if (types.length > 0 && !types.includes(String(body['eventType'] ?? 'default'))) return false;
    const extended = isRecord(body['extendedProperties']) ? body['extendedProperties'] : {};
    const hasAll = properties.every(({ kind, name, value }) => {
      const values = extended[kind];
      return isRecord(values) && Object.hasOwn(values, name) && values[name] === value;
    });
    if (!hasAll || words.length === 0) return hasAll;
    const text = searchable(body);
    return words.every((it) => text.includes(it));
  };
}

/** Source: documentation of `q`. */
function searchable({ summary, description, location, attendees, organizer }: Fields): string {
  const people = [...(Array.isArray(attendees) ? attendees : []), organizer].filter(isRecord);
  const names = people.flatMap((it) => [it['displayName'], it['email']]);
  return [summary, description, location, ...names]
    .filter((it) => typeof it === 'string')
    .join('\n')
    .toLowerCase();
}
