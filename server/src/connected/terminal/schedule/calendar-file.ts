import { type PlannedEvent, placeText } from '../../model/scheduling/planned.ts';

/** In bytes, of a line without its end. Source: RFC 5545, section 3.1. */
const MAX_LINE = 75;

/** Planned updates as an iCalendar file, which calendars import. Source: RFC 5545. */
export function calendarFile(events: readonly PlannedEvent[], version: string, now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Package Insights//Package Insights ${textOf(version)}//EN`,
    'CALSCALE:GREGORIAN',
    ...events.flatMap((it) => eventLines(it, now)),
    'END:VCALENDAR',
  ];
  return lines.map((it) => `${folded(it)}\r\n`).join('');
}

function eventLines({ id, title, status, start, end, isAllDay, updates, link }: PlannedEvent, now: number): string[] {
  const description = updates.map(({ purl, from, target, places }) =>
    [`${purl} ${from === undefined ? '' : `${from} `}→ ${target}`, ...places.map(placeText)].join('\n'),
  );
  return [
    'BEGIN:VEVENT',
    `UID:${id}@package-insights`,
    `DTSTAMP:${instant(now)}`,
    ...(isAllDay
      ? [`DTSTART;VALUE=DATE:${instant(start).slice(0, 8)}`, `DTEND;VALUE=DATE:${instant(end).slice(0, 8)}`]
      : [`DTSTART:${instant(start)}`, `DTEND:${instant(end)}`]),
    `SUMMARY:${textOf(title)}`,
    `DESCRIPTION:${textOf(description.join('\n\n'))}`,
    ...(link === undefined ? [] : [`URL:${link}`]),
    `STATUS:${status === 'canceled' ? 'CANCELLED' : 'CONFIRMED'}`,
    `TRANSP:${status === 'planned' ? 'OPAQUE' : 'TRANSPARENT'}`,
    'END:VEVENT',
  ];
}

/** `20261124T130000Z` */
function instant(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
}

/** Control characters are not allowed in texts. */
function textOf(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\n/g, '\\n');
}

/** A long line continues after a line end and a space, never within a character. */
function folded(line: string): string {
  let text = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MAX_LINE) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return text;
}
