import { Temporal } from 'temporal-polyfill';
import { type Answer, type Call, etagOf } from './call.ts';
import { endOfEvent, linesOf, startOf } from './event-body.ts';
import { rewritten } from './recurrence.ts';
import { openCalendar } from './roles.ts';
import type { Fields, Item } from './store.ts';
import { compact, DAY, dateAt, type EventTime, instantOf, zoned } from './times.ts';

/** How far the time zones of a file reach after its last start, in ms. */
const ZONE_RANGE = 10 * 366 * DAY;

/** Bytes of a line. Source: RFC 5545, 3.1. */
const LINE = 75;

/** A calendar as a file of RFC 5545. */
export function exportCalendar(call: Call): Answer {
  const { id, item, timeZone } = openCalendar(call, call.values[0] ?? '', 'reader');
  const items = call.store.list(`events/${id}`, { withDeleted: true });
  const living = new Map(items.filter((it) => !it.isDeleted).map((it) => [it.id, it]));
  const events = [...living.values()].filter((it) => it.index.master === undefined || living.has(it.index.master));
  const cancelled = items.filter((it) => it.isDeleted && it.index.master !== undefined);
  const zones = new Set(events.flatMap((it) => zonesOf(it, living, timeZone)));
  const first = Math.min(call.now, ...events.map((it) => it.index.starts ?? call.now));
  const last = Math.max(call.now, ...events.map((it) => it.index.starts ?? call.now)) + ZONE_RANGE;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Package Insights//Scheduling//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(String(item.body['summary'] ?? ''))}`,
    `X-WR-TIMEZONE:${timeZone}`,
    ...[...zones].flatMap((it) => zoneLines(it, first - 366 * DAY, last)),
    ...events.flatMap((it) => eventLines(it, living, cancelled, timeZone)),
    'END:VCALENDAR',
  ];
  const content = lines.map((it) => `${folded(it)}\r\n`).join('');
  return {
    text: { type: 'text/calendar; charset=utf-8', content },
    etag: `"${call.store.revision()}-${etagOf(item).slice(1)}`,
  };
}

type Living = ReadonlyMap<string, Item>;

/** The zone in which an event repeats; undefined for an event that does not, or that has no time. */
function repeatingZone(item: Item, living: Living, calendarZone: string): string | undefined {
  const master = item.index.master === undefined ? item : living.get(item.index.master);
  if (!master || linesOf(master.body).length === 0) return undefined;
  const start = startOf(master.body);
  return start.date === undefined ? (start.timeZone ?? calendarZone) : undefined;
}

function zonesOf(item: Item, living: Living, calendarZone: string): string[] {
  const zone = repeatingZone(item, living, calendarZone);
  return zone === undefined || zone === 'UTC' ? [] : [zone];
}

function eventLines(item: Item, living: Living, cancelled: readonly Item[], calendarZone: string): string[] {
  const { body } = item;
  const zone = repeatingZone(item, living, calendarZone) ?? 'UTC';
  const time = (name: string, it: EventTime): string => timeLine(name, it, zone, calendarZone);
  const original = body['originalStartTime'] as EventTime | undefined;
  const excluded = cancelled.filter((it) => it.index.master === item.id);
  const text = (name: string, key: string): string[] =>
    typeof body[key] === 'string' && body[key] !== '' ? [`${name}:${escaped(body[key])}`] : [];
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(String(body['iCalUID'] ?? item.id))}`,
    `DTSTAMP:${compact(item.updated)}`,
    time('DTSTART', startOf(body)),
    time('DTEND', endOfEvent(body)),
    ...(original ? [time('RECURRENCE-ID', original)] : []),
    ...rewritten(linesOf(body), startOf(body), calendarZone),
    ...excluded.map((it) => time('EXDATE', (it.body['originalStartTime'] ?? {}) as EventTime)),
    `SEQUENCE:${Number(body['sequence'] ?? 0)}`,
    ...text('SUMMARY', 'summary'),
    ...text('DESCRIPTION', 'description'),
    ...text('LOCATION', 'location'),
    `STATUS:${String(body['status'] ?? 'confirmed').toUpperCase()}`,
    `TRANSP:${body['transparency'] === 'transparent' ? 'TRANSPARENT' : 'OPAQUE'}`,
    ...(body['visibility'] === 'private' || body['visibility'] === 'confidential'
      ? [`CLASS:${body['visibility'].toUpperCase()}`]
      : []),
    ...(typeof body['created'] === 'string' ? [`CREATED:${compact(Date.parse(body['created']))}`] : []),
    `LAST-MODIFIED:${compact(item.updated)}`,
    ...attendeeLines(body),
    'END:VEVENT',
  ];
}

function attendeeLines({ attendees }: Fields): string[] {
  if (!Array.isArray(attendees)) return [];
  const states: Readonly<Record<string, string>> = {
    needsAction: 'NEEDS-ACTION',
    declined: 'DECLINED',
    tentative: 'TENTATIVE',
    accepted: 'ACCEPTED',
  };
  return attendees.map(({ email, responseStatus = 'needsAction' }) => {
    // Such an address would end the line.
    const address = String(email).replace(/[\p{Cc}\s]/gu, '');
    return `ATTENDEE;PARTSTAT=${states[responseStatus] ?? 'NEEDS-ACTION'}:mailto:${address}`;
  });
}

function timeLine(name: string, time: EventTime, zone: string, calendarZone: string): string {
  if (time.date !== undefined) return `${name};VALUE=DATE:${time.date.replaceAll('-', '')}`;
  const at = instantOf(time, calendarZone);
  return zone === 'UTC' ? `${name}:${compact(at)}` : `${name};TZID=${zone}:${localTime(zoned(at, zone))}`;
}

function localTime(at: Temporal.ZonedDateTime): string {
  return at.toPlainDateTime().toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}

/** The offsets of a zone within a time: the one at its beginning, then every change. */
function zoneLines(zone: string, from: number, to: number): string[] {
  const start = zoned(from, zone);
  const lines = ['BEGIN:VTIMEZONE', `TZID:${zone}`];
  lines.push(
    ...observance('STANDARD', start.offset, start.offset, [`${dateAt(from, zone).replaceAll('-', '')}T000000`]),
  );
  const changes = new Map<string, { before: string; after: string; isLater: boolean; times: string[] }>();
  let at = start.getTimeZoneTransition('next');
  while (at && at.epochMilliseconds < to) {
    const former = Temporal.Instant.fromEpochMilliseconds(at.epochMilliseconds - 1).toZonedDateTimeISO(zone);
    const [before, after] = [former.offset, at.offset];
    const change = changes.get(`${before} ${after}`) ?? {
      before,
      after,
      isLater: at.offsetNanoseconds > former.offsetNanoseconds,
      times: [],
    };
    // A change begins at the time that the clocks showed before it.
    change.times.push(
      localTime(
        Temporal.Instant.fromEpochMilliseconds(
          at.epochMilliseconds + former.offsetNanoseconds / 1e6,
        ).toZonedDateTimeISO('UTC'),
      ),
    );
    changes.set(`${before} ${after}`, change);
    at = at.getTimeZoneTransition('next');
  }
  for (const { before, after, isLater, times } of changes.values())
    lines.push(...observance(isLater ? 'DAYLIGHT' : 'STANDARD', before, after, times));
  return [...lines, 'END:VTIMEZONE'];
}

function observance(name: string, before: string, after: string, [first = '', ...others]: readonly string[]): string[] {
  return [
    `BEGIN:${name}`,
    `DTSTART:${first}`,
    `TZOFFSETFROM:${before.replaceAll(':', '')}`,
    `TZOFFSETTO:${after.replaceAll(':', '')}`,
    ...others.map((it) => `RDATE:${it}`),
    `END:${name}`,
  ];
}

/** Source: RFC 5545, 3.3.11. */
function escaped(text: string): string {
  return text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/(?!\t)\p{Cc}/gu, '');
}

/** A line in parts of 75 bytes at the most; no character is divided. */
function folded(line: string): string {
  let size = 0;
  return [...line]
    .map((it) => {
      const bytes = Buffer.byteLength(it);
      const isFull = size + bytes > LINE;
      size = isFull ? 1 + bytes : size + bytes;
      return isFull ? `\r\n ${it}` : it;
    })
    .join('');
}
