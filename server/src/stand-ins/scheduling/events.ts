import { randomBytes } from 'node:crypto';
import { isRecord } from '../../engine/base/text.ts';
import {
  type Answer,
  bodyOf,
  type Call,
  checkMatch,
  choice,
  etagOf,
  patched,
  put,
  requiredText,
  textIn,
} from './call.ts';
import { duplicate, invalid, notFound, Refused } from './errors.ts';
import { creatorOf, indexOf, readEvent, recurrenceOf, shapeOf, typeRestriction } from './event-body.ts';
import { eventResource, instanceOf } from './event-view.ts';
import { quickEvent } from './quick-add.ts';
import { occurrenceOf } from './recurrence.ts';
import { type Calendar, openCalendar } from './roles.ts';
import type { Fields, Item } from './store.ts';

/** Source: documentation of `id`: base32hex in lower case. */
const idForm = /^[a-v0-9]{5,1024}$/;

/** The domain of `iCalUID` of events that are made here. */
const UID_DOMAIN = 'package-insights.example';

/** They can be made in primary calendars alone. Source: documentation of status events. */
const primaryAlone = ['outOfOffice', 'focusTime', 'workingLocation'];

export function collectionOf({ id }: Pick<Calendar, 'id'>): string {
  return `events/${id}`;
}

export function getEvent(call: Call): Answer {
  const calendar = openCalendar(call, call.values[0] ?? '', 'freeBusyReader');
  const item = findEvent(call, calendar, call.values[1] ?? '');
  if (item === undefined) throw notFound();
  return answerOf(call, calendar, item);
}

export function insertEvent(call: Call): Answer {
  checkSendUpdates(call);
  const calendar = openWritable(call);
  const body = bodyOf(call);
  const id = textIn(body, 'id') ?? newId();
  if (!idForm.test(id)) throw invalid('Invalid resource id value.');
  const given = readEvent(body, calendar);
  checkType(given, calendar);
  // An id is never used again, also that of a deleted event.
  if (call.store.get(collectionOf(calendar), id)) throw duplicate();
  const uid = textIn(body, 'iCalUID');
  if (uid !== undefined && withUid(call, calendar, uid)) throw duplicate();
  return insert(call, calendar, id, given);
}

function insert(call: Call, calendar: Calendar, id: string, given: Fields, organizer?: unknown): Answer {
  const uid = `${id}@${UID_DOMAIN}`;
  const event = {
    status: 'confirmed',
    created: new Date(call.now).toISOString(),
    creator: creatorOf(call),
    organizer: organizer ?? { email: calendar.id, ...nameOf(calendar) },
    iCalUID: uid,
    sequence: 0,
    reminders: { useDefault: true },
    eventType: 'default',
    ...given,
  };
  return stored(call, calendar, id, event);
}

export function updateEvent(call: Call): Answer {
  return changeEvent(call, (former, body) => {
    // Times and repetition are part of the whole, and absent ones are gone.
    const { creator, organizer, created, iCalUID, recurringEventId, originalStartTime, eventType } = former;
    const next = { eventType, ...body };
    return { next, kept: { creator, organizer, created, iCalUID, recurringEventId, originalStartTime } };
  });
}

export function patchEvent(call: Call): Answer {
  return changeEvent(call, (former, body) => {
    const { creator, organizer, created, iCalUID, recurringEventId, originalStartTime } = former;
    const next = withTimes(former, body, patched(former, body));
    return { next, kept: { creator, organizer, created, iCalUID, recurringEventId, originalStartTime } };
  });
}

/** A day replaces a time, and a time a day, without a null for the other one. */
function withTimes(former: Fields, patch: Fields, next: Fields): Fields {
  const names = ['start', 'end'].filter((name) => {
    const [own, given] = [former[name], patch[name]];
    return (
      isRecord(own) && isRecord(given) && typeof given[own['date'] === undefined ? 'date' : 'dateTime'] === 'string'
    );
  });
  return { ...next, ...Object.fromEntries(names.map((name) => [name, patch[name]])) };
}

type Change = (former: Fields, body: Fields) => { readonly next: Fields; readonly kept: Fields };

function changeEvent(call: Call, change: Change): Answer {
  checkSendUpdates(call);
  const calendar = openWritable(call);
  const former = findEvent(call, calendar, call.values[1] ?? '');
  if (former === undefined) throw notFound();
  checkMatch(call, former);
  const body = bodyOf(call);
  const { next, kept } = change(former.body, body);
  const given = readEvent({ status: 'confirmed', reminders: { useDefault: true }, ...next }, calendar);
  if ((given['eventType'] ?? 'default') !== (former.body['eventType'] ?? 'default'))
    throw typeRestriction('The type of an event cannot be changed.');
  if (former.index.master !== undefined && given['recurrence'] !== undefined)
    throw invalid('An instance of a recurring event cannot be recurring itself.');
  const event: Record<string, unknown> = { ...given, ...defined(kept) };
  event['sequence'] = sequenceOf(former.body, body, event);
  return stored(call, calendar, former.id, event, former);
}

/** It grows whenever the event takes place at another time. */
function sequenceOf(former: Fields, body: Fields, next: Fields): number {
  const own = Number(former['sequence'] ?? 0);
  const { sequence } = body;
  if (typeof sequence === 'number' && sequence < own)
    throw invalid('Invalid sequence value. The specified sequence number is below the current sequence number.');
  const given = typeof sequence === 'number' ? Math.max(own, sequence) : own;
  const timesOf = (it: Fields): string => JSON.stringify([shapeOf(it), it['end']]);
  return timesOf(former) === timesOf(next) || given > own ? given : own + 1;
}

export function deleteEvent(call: Call): Answer {
  checkSendUpdates(call);
  const calendar = openWritable(call);
  const former = findEvent(call, calendar, call.values[1] ?? '');
  if (former === undefined) throw notFound();
  if (former.isDeleted || former.body['status'] === 'cancelled')
    throw new Refused(410, 'deleted', 'Resource has been deleted');
  checkMatch(call, former);
  stored(call, calendar, former.id, { ...former.body, status: 'cancelled' }, former);
  return {};
}

/** Adds a copy of an event that others organize; a newer version replaces the copy. */
export function importEvent(call: Call): Answer {
  const calendar = openWritable(call);
  const body = bodyOf(call);
  const uid = requiredText(body, 'iCalUID');
  const given = readEvent(body, calendar);
  if ((given['eventType'] ?? 'default') !== 'default') throw typeRestriction('Only default events can be imported.');
  const { organizer } = body;
  if (organizer !== undefined && organizer !== null && !isRecord(organizer))
    throw invalid('Invalid value for organizer');
  const former = withUid(call, calendar, uid);
  if (!former) return insert(call, calendar, newId(), given, organizer);
  const [own, next] = [Number(former.body['sequence'] ?? 0), Number(given['sequence'] ?? former.body['sequence'] ?? 0)];
  if (next < own && !former.isDeleted) throw duplicate();
  const { created, creator, organizer: formerOrganizer } = former.body;
  const event = {
    status: 'confirmed',
    eventType: 'default',
    reminders: { useDefault: true },
    sequence: next,
    ...given,
    ...{ created, creator, organizer: organizer ?? formerOrganizer },
  };
  return stored(call, calendar, former.id, event, former);
}

export function moveEvent(call: Call): Answer {
  checkSendUpdates(call);
  const destination = call.parameters.get('destination');
  if (destination === null || destination === '') {
    const location = { locationType: 'parameter', location: 'destination' } as const;
    throw new Refused(400, 'required', 'Required parameter: destination', { location });
  }
  const source = openWritable(call);
  const target = openCalendar(call, destination, 'writer');
  const item = findEvent(call, source, call.values[1] ?? '');
  if (item === undefined || item.isDeleted) throw notFound();
  checkMatch(call, item);
  if ((item.body['eventType'] ?? 'default') !== 'default') throw typeRestriction('Only default events can be moved.');
  if (item.index.master !== undefined)
    throw new Refused(400, 'cannotMoveInstance', 'An instance of a recurring event cannot be moved.', {
      domain: 'calendar',
    });
  if (source.id === target.id) throw invalid('The event is in this calendar already.', 'destination');
  const there = call.store.get(collectionOf(target), item.id);
  if (there && !there.isDeleted) throw duplicate();
  const organizer = { email: target.id, ...nameOf(target) };
  const exceptions = call.store.list(collectionOf(source), { master: item.id, withDeleted: true });
  for (const it of [item, ...exceptions]) {
    const body = { ...it.body, organizer };
    put(call, collectionOf(source), it.id, { ...it.body, status: 'cancelled' }, { isDeleted: true, index: it.index });
    put(call, collectionOf(target), it.id, body, { isDeleted: it.isDeleted, index: indexOf(body, target.timeZone) });
  }
  const moved = call.store.get(collectionOf(target), item.id);
  if (!moved) throw notFound();
  return answerOf(call, target, moved);
}

export function quickAddEvent(call: Call): Answer {
  checkSendUpdates(call);
  const calendar = openWritable(call);
  const text = call.parameters.get('text')?.trim() ?? '';
  if (text === '') {
    const location = { locationType: 'parameter', location: 'text' } as const;
    throw new Refused(400, 'required', 'Required parameter: text', { location });
  }
  const minutes = Number(call.store.get(`settings/${call.caller}`, 'defaultEventLength')?.body['value'] ?? 60);
  const event = quickEvent(text.slice(0, 1000), call.now, calendar.timeZone, minutes);
  return insert(call, calendar, newId(), readEvent(event, calendar));
}

/** The event or instance of an id; deleted ones are found, too. */
export function findEvent(call: Call, calendar: Calendar, id: string): Item | undefined {
  const item = call.store.get(collectionOf(calendar), id);
  if (item && !(item.isDeleted && item.index.master === undefined)) return item;
  const [, masterId, suffix = ''] = /^(.+)_(\d{8}(?:T\d{6}Z)?)$/.exec(id) ?? [];
  const master = masterId === undefined ? undefined : call.store.get(collectionOf(calendar), masterId);
  const recurrence = master && recurrenceOf(master.body, calendar.timeZone);
  const found = recurrence && occurrenceOf(recurrence, suffix);
  return master && found ? instanceOf(master, found, calendar.timeZone) : item;
}

function withUid(call: Call, calendar: Calendar, uid: string): Item | undefined {
  const found = call.store.list(collectionOf(calendar), { uid, withDeleted: true });
  return found.find((it) => it.index.master === undefined);
}

function stored(call: Call, calendar: Calendar, id: string, event: Fields, former?: Item): Answer {
  const isDeleted = event['status'] === 'cancelled';
  const index = indexOf(event, calendar.timeZone, former);
  const item = put(call, collectionOf(calendar), id, event, { isDeleted, index });
  if (former && former.index.master === undefined) followExceptions(call, calendar, item);
  return answerOf(call, calendar, item);
}

/** Exceptions end with their event, and with the repetition that they are an exception of. */
function followExceptions(call: Call, calendar: Calendar, master: Item): void {
  const exceptions = call.store.list(collectionOf(calendar), { master: master.id, withDeleted: true });
  if (exceptions.length === 0) return;
  const recurrence = master.isDeleted ? undefined : recurrenceOf(master.body, calendar.timeZone);
  for (const it of exceptions) {
    const suffix = it.id.slice(master.id.length + 1);
    if (recurrence && occurrenceOf(recurrence, suffix)) continue;
    const body: Fields = { ...it.body, status: 'cancelled' };
    if (recurrence) {
      // What remains for lists of changes is no exception, so it hides no instance that comes back.
      const { recurringEventId: _, originalStartTime: __, ...rest } = body;
      const { master: ___, uid: ____, ...index } = it.index;
      put(call, collectionOf(calendar), it.id, rest, { isDeleted: true, index });
    } else if (!it.isDeleted) put(call, collectionOf(calendar), it.id, body, { isDeleted: true, index: it.index });
  }
}

function openWritable(call: Call): Calendar {
  return openCalendar(call, call.values[0] ?? '', 'writer');
}

function checkType({ eventType = 'default' }: Fields, { item }: Calendar): void {
  const type = String(eventType);
  if (type === 'fromGmail') throw typeRestriction('Events of this type cannot be created.');
  if (primaryAlone.includes(type) && item.body['isPrimary'] !== true)
    throw typeRestriction('Events of this type are possible in primary calendars only.');
}

function checkSendUpdates(call: Call): void {
  choice(call, 'sendUpdates', ['all', 'externalOnly', 'none']);
}

function nameOf({ item }: Calendar): object {
  return item.body['isPrimary'] === true ? {} : { displayName: item.body['summary'] };
}

function newId(): string {
  return randomBytes(13).toString('hex');
}

function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function answerOf(call: Call, calendar: Calendar, item: Item): Answer {
  return { body: eventResource(call, calendar, item), etag: etagOf(item) };
}
