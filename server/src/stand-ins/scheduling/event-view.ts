import { isRecord } from '../../engine/base/text.ts';
import { type Call, count, etagOf } from './call.ts';
import { invalid } from './errors.ts';
import { durationOf, endOfEvent, startOf } from './event-body.ts';
import { endOf, type Occurrence } from './recurrence.ts';
import { type Calendar, includes } from './roles.ts';
import type { Fields, Item } from './store.ts';
import { type EventTime, instantOf, isTimeZone, textOf } from './times.ts';

/** What a user sees of an event without access to its details. */
const busyMembers = ['start', 'end', 'iCalUID', 'sequence', 'recurrence', 'transparency', 'eventType'];
const instanceMembers = ['recurringEventId', 'originalStartTime'];

/** The time zone of the times in an answer. */
export function zoneOf(call: Call, calendar: Calendar): string {
  const given = call.parameters.get('timeZone');
  if (given === null) return calendar.timeZone;
  if (!isTimeZone(given)) throw invalid('Invalid time zone.', 'timeZone');
  return given;
}

/** An event as an answer has it. */
export function eventResource(call: Call, calendar: Calendar, item: Item): object {
  const { body, id } = item;
  const zone = zoneOf(call, calendar);
  const shown = isHidden(calendar, body) ? hidden(body) : withSelf(call, calendar, body);
  const { start, end, originalStartTime, ...rest } = shown;
  const times = Object.entries({ start, end, originalStartTime }).filter(([, it]) => it !== undefined);
  return {
    kind: 'calendar#event',
    etag: etagOf(item),
    id,
    status: 'confirmed',
    ...rest,
    ...Object.fromEntries(times.map(([name, it]) => [name, shownTime(it as EventTime, zone, calendar.timeZone)])),
    updated: new Date(item.updated).toISOString(),
  };
}

function isHidden({ role }: Calendar, { visibility }: Fields): boolean {
  if (role === 'freeBusyReader') return true;
  return !includes(role, 'writer') && (visibility === 'private' || visibility === 'confidential');
}

function hidden(body: Fields): Fields {
  const shown = [...busyMembers, ...instanceMembers, 'status', 'created'].filter((it) => body[it] !== undefined);
  return { ...Object.fromEntries(shown.map((it) => [it, body[it]])), visibility: 'private' };
}

function withSelf(call: Call, { id }: Calendar, body: Fields): Fields {
  const { creator, organizer, attendees } = body;
  const mark = (value: unknown, own: string): unknown =>
    isRecord(value) && String(value['email']).toLowerCase() === own ? { ...value, self: true } : value;
  const most = count(call, 'maxAttendees');
  const people = Array.isArray(attendees) ? attendees.map((it) => mark(it, id)) : undefined;
  const isCut = people !== undefined && most !== undefined && people.length > most;
  // Only the participant is returned beside the first ones.
  const own = isCut ? people.filter((it) => isRecord(it) && it['self'] === true) : [];
  return {
    ...body,
    ...(creator !== undefined && { creator: mark(creator, call.caller) }),
    ...(organizer !== undefined && { organizer: mark(organizer, id) }),
    ...(people !== undefined && { attendees: isCut ? [...new Set([...own, ...people])].slice(0, most) : people }),
    ...(isCut && { attendeesOmitted: true }),
  };
}

function shownTime(time: EventTime, zone: string, calendarZone: string): EventTime {
  if (time.dateTime === undefined) return time;
  const dateTime = textOf(instantOf(time, calendarZone), zone);
  return { dateTime, timeZone: time.timeZone ?? calendarZone };
}

/** An instance that no exception has changed, in the form of a stored event. */
export function instanceOf(master: Item, { at, start, suffix }: Occurrence, zone: string): Item {
  const { recurrence: _, ...body } = master.body;
  const own = startOf(master.body);
  const named = start.date !== undefined || own.timeZone === undefined ? start : { ...start, timeZone: own.timeZone };
  const endZone = endOfEvent(master.body).timeZone;
  const end = endOf(named, at, durationOf(master.body, zone));
  return {
    ...master,
    id: `${master.id}_${suffix}`,
    body: {
      ...body,
      start: named,
      end: end.dateTime !== undefined && endZone !== undefined ? { ...end, timeZone: endZone } : end,
      recurringEventId: master.id,
      originalStartTime: named,
    },
    index: { starts: at, ends: instantOf(end, zone), master: master.id },
  };
}
