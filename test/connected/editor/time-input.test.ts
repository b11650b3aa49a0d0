import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTime } from '../../../server/src/connected/editor/schedule/time-input.ts';

/** A Monday, 13:00 in Berlin. */
const reader = { now: Date.parse('2026-11-23T12:00:00Z'), timeZone: 'Europe/Berlin', locale: 'de' };

/** The local time that a text names; `''` if it names none. */
function read(text: string): string {
  const answer = readTime(text, reader);
  if (!answer.ok) return '';
  return new Date(answer.at + 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
}

test('a time is read as people type it, in the time zone of the calendar', () => {
  const times: Readonly<Record<string, string>> = {
    '2026-11-24 14:00': '2026-11-24 14:00',
    '2026-11-24T14:00': '2026-11-24 14:00',
    ' tomorrow 9:30 ': '2026-11-24 09:30',
    'Tomorrow, 2 pm': '2026-11-24 14:00',
    'today 12 am': '',
    'today 18:00': '2026-11-23 18:00',
    '14:00': '2026-11-23 14:00',
    '12:00': '2026-11-24 12:00',
    'fri 14:00': '2026-11-27 14:00',
    'Freitag 14:00': '2026-11-27 14:00',
    'mon 14:00': '2026-11-30 14:00',
    '24.11. 14:00': '2026-11-24 14:00',
    '24.11.2027 14:00': '2027-11-24 14:00',
    '1.2. 14:00': '2027-02-01 14:00',
  };
  for (const [text, time] of Object.entries(times)) assert.equal(read(text), time, text);
});

test('what is no time, or is in the past, is refused with an example', () => {
  for (const text of ['', 'soon', '2026-11-24', '2026-11-31 14:00', '25:00', '14:60', '13 pm', '14', 'tomorrow'])
    assert.deepEqual(readTime(text, reader), {
      ok: false,
      reason: 'Enter a day and a time, for example 2026-11-24 14:00.',
    });
  assert.deepEqual(readTime('2026-11-20 14:00', reader), { ok: false, reason: 'This time is in the past.' });
});
