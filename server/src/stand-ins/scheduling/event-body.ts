import { isRecord } from '../../engine/base/text.ts';
import { type Call, only, textIn } from './call.ts';
import { invalid, Refused } from './errors.ts';
import { lastStart, type Recurrence, readRecurrence } from './recurrence.ts';
import type { Calendar } from './roles.ts';
import { isEventColor } from './settings.ts';
import type { Fields, Item, ItemIndex } from './store.ts';
import { DAY, daysBetween, type EventTime, instantOf, readEventTime } from './times.ts';

/** What a client may set. */
const members = [
  'summary',
  'description',
  'location',
  'colorId',
  'start',
  'end',
  'endTimeUnspecified',
  'recurrence',
  'transparency',
  'visibility',
  'status',
  'attendees',
  'attendeesOmitted',
  'extendedProperties',
  'conferenceData',
  'gadget',
  'anyoneCanAddSelf',
  'guestsCanInviteOthers',
  'guestsCanModify',
  'guestsCanSeeOtherGuests',
  'privateCopy',
  'reminders',
  'source',
  'attachments',
  'eventType',
  'eventLabelId',
  'sequence',
  'iCalUID',
  'outOfOfficeProperties',
  'focusTimeProperties',
  'workingLocationProperties',
  'birthdayProperties',
] as const;

const texts = ['summary', 'description', 'location', 'colorId', 'iCalUID', 'eventLabelId'];
const objects = ['extendedProperties', 'conferenceData', 'gadget', 'reminders', 'source'];
const lists = ['attendees', 'attachments'];
const flags = [
  'endTimeUnspecified',
  'attendeesOmitted',
  'anyoneCanAddSelf',
  'guestsCanInviteOthers',
  'guestsCanModify',
  'guestsCanSeeOtherGuests',
  'privateCopy',
];
const choices: Readonly<Record<string, readonly string[]>> = {
  status: ['confirmed', 'tentative', 'cancelled'],
  transparency: ['opaque', 'transparent'],
  visibility: ['default', 'public', 'private', 'confidential'],
  eventType: ['default', 'outOfOffice', 'focusTime', 'workingLocation', 'fromGmail', 'birthday'],
};
const responses = ['needsAction', 'declined', 'tentative', 'accepted'];

/** Source: documentation of extended properties. */
const limits = { extendedProperties: 300, attendees: 500, key: 44, value: 1024, text: 100_000 } as const;

/** Of `{type}Properties`, each belongs to one type of events. */
const typeMembers: Readonly<Record<string, string>> = {
  outOfOfficeProperties: 'outOfOffice',
  focusTimeProperties: 'focusTime',
  workingLocationProperties: 'workingLocation',
  birthdayProperties: 'birthday',
};

/**
 * What a client may set of an event, checked.
 * @throws `Refused`
 */
export function readEvent(body: Fields, calendar: Calendar): Fields {
  const given = only(body, members);
  for (const it of texts) if ((textIn(given, it)?.length ?? 0) > limits.text) throw invalid(`${it} is too long`);
  for (const it of objects)
    if (given[it] !== undefined && !isRecord(given[it])) throw invalid(`Invalid value for ${it}`);
  for (const it of lists) {
    const value = given[it];
    if (value !== undefined && !(Array.isArray(value) && value.every(isRecord)))
      throw invalid(`Invalid value for ${it}`);
  }
  for (const it of flags) {
    if (given[it] !== undefined && typeof given[it] !== 'boolean') throw invalid(`Invalid value for ${it}`);
  }
  for (const [name, allowed] of Object.entries(choices)) {
    const value = textIn(given, name);
    if (value !== undefined && !allowed.includes(value))
      throw invalid(`Invalid value for ${name}: ${value.slice(0, 60)}`);
  }
  const { colorId, sequence, recurrence } = given;
  if (typeof colorId === 'string' && !isEventColor(colorId)) throw invalid('Invalid colorId.');
  if (sequence !== undefined && !(Number.isInteger(sequence) && Number(sequence) >= 0))
    throw invalid('Invalid sequence value.');
  if (recurrence !== undefined && !(Array.isArray(recurrence) && recurrence.every((it) => typeof it === 'string')))
    throw invalid('Invalid value for recurrence');
  checkAttendees(given['attendees']);
  checkProperties(given['extendedProperties']);
  const type = given['eventType'] ?? 'default';
  for (const [name, owner] of Object.entries(typeMembers)) {
    if (given[name] !== undefined && owner !== type) throw typeRestriction(`${name} requires the event type ${owner}.`);
  }
  return { ...given, ...timesIn(given, calendar) };
}

export function typeRestriction(message: string): Refused {
  return new Refused(400, 'eventTypeRestriction', message, { domain: 'calendar' });
}

function timesIn(given: Fields, calendar: Calendar): { readonly start: EventTime; readonly end: EventTime } {
  const start = readEventTime(given['start'], 'start');
  const end = readEventTime(given['end'], 'end');
  if ((start.date === undefined) !== (end.date === undefined))
    throw invalid('The start and end times must either both be date or both be dateTime.');
  const isEmpty =
    start.date !== undefined
      ? daysBetween(start.date, end.date ?? '') < 1
      : instantOf(end, calendar.timeZone) < instantOf(start, calendar.timeZone);
  if (isEmpty) throw new Refused(400, 'timeRangeEmpty', 'The specified time range is empty.', { domain: 'calendar' });
  const lines = linesOf(given);
  if (lines.length === 0) return { start, end };
  if (start.date === undefined && start.timeZone === undefined)
    throw invalid('Missing time zone definition for start time.');
  readRecurrence(lines, start, calendar.timeZone);
  return { start, end };
}

function checkAttendees(attendees: unknown): void {
  if (!Array.isArray(attendees)) return;
  if (attendees.length > limits.attendees) throw invalid('There are too many attendees.');
  for (const { email, responseStatus } of attendees) {
    if (typeof email !== 'string' || !email.includes('@')) throw invalid('Invalid attendee email.');
    if (responseStatus !== undefined && !responses.includes(responseStatus)) throw invalid('Invalid response status.');
  }
}

function checkProperties(properties: unknown): void {
  if (!isRecord(properties)) return;
  for (const kind of ['private', 'shared']) {
    const values = properties[kind];
    if (values === undefined || values === null) continue;
    if (!isRecord(values)) throw invalid('Invalid value for extendedProperties');
    const entries = Object.entries(values);
    if (entries.length > limits.extendedProperties) throw invalid('There are too many extended properties.');
    for (const [name, value] of entries) {
      const isValid = typeof value === 'string' && name.length <= limits.key && value.length <= limits.value;
      if (!isValid) throw invalid(`Invalid extended property ${name.slice(0, 60)}.`);
    }
  }
}

export function linesOf({ recurrence }: Fields): readonly string[] {
  return Array.isArray(recurrence) ? recurrence : [];
}

export function startOf(body: Fields): EventTime {
  return isRecord(body['start']) ? body['start'] : {};
}

export function endOfEvent(body: Fields): EventTime {
  return isRecord(body['end']) ? body['end'] : {};
}

export function recurrenceOf(body: Fields, zone: string): Recurrence | undefined {
  const lines = linesOf(body);
  return lines.length === 0 ? undefined : readRecurrence(lines, startOf(body), zone);
}

/** The number of days, or of ms. */
export function durationOf(body: Fields, zone: string): number {
  const [start, end] = [startOf(body), endOfEvent(body)];
  if (start.date !== undefined) return daysBetween(start.date, end.date ?? start.date);
  return instantOf(end, zone) - instantOf(start, zone);
}

/** What an event is found by. */
export function indexOf(body: Fields, zone: string, former?: Item): ItemIndex {
  const starts = instantOf(startOf(body), zone);
  const duration = instantOf(endOfEvent(body), zone) - starts;
  const recurrence = recurrenceOf(body, zone);
  const last = recurrence ? lastStart(recurrence) : starts;
  const master = typeof body['recurringEventId'] === 'string' ? body['recurringEventId'] : undefined;
  const uid = typeof body['iCalUID'] === 'string' ? body['iCalUID'] : undefined;
  const isSameShape = former !== undefined && shapeOf(former.body) === shapeOf(body);
  const reshaped = isSameShape ? former.index.reshaped : Number.POSITIVE_INFINITY;
  return {
    // Dates of a rule may be before its start.
    starts: recurrence ? Math.min(starts, ...recurrence.added) : starts,
    // A day is up to an hour longer than usual.
    ...(last !== undefined && { ends: last + duration + (recurrence && startOf(body).date !== undefined ? DAY : 0) }),
    ...(master !== undefined && { master }),
    ...(uid !== undefined && { uid }),
    ...((recurrence || former?.index.reshaped !== undefined) && reshaped !== undefined && { reshaped }),
  };
}

/** What decides which instances there are. */
export function shapeOf(body: Fields): string {
  return JSON.stringify([body['start'], body['recurrence'] ?? []]);
}

/** The entry of the owner of a calendar among the attendees. */
export function isDeclined(body: Fields, calendar: string): boolean {
  const { attendees } = body;
  if (!Array.isArray(attendees)) return false;
  return attendees.some((it) => it.email?.toLowerCase() === calendar && it.responseStatus === 'declined');
}

export function creatorOf({ caller }: Call): object {
  return { email: caller };
}
