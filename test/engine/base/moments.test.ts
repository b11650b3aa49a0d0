import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  instantOf,
  longMomentText,
  momentText,
  periodText,
  shortMomentText,
} from '../../../server/src/engine/base/moments.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const at = Date.parse('2026-11-24T13:00:00Z');
const berlin = { now, timeZone: 'Europe/Berlin' };

test('a moment is as short as it is clear, in the language and the time zone of the reader', () => {
  assert.equal(momentText({ at }, { ...berlin, locale: undefined }), 'Tue 24 Nov 14:00');
  assert.equal(momentText({ at }, { ...berlin, locale: 'en-us' }), 'Tue Nov 24 2:00 PM');
  assert.equal(momentText({ at }, { ...berlin, locale: 'de_AT.UTF-8' }), 'Di. 24. Nov. 14:00');
  assert.equal(momentText({ at }, { now, timeZone: 'Asia/Tokyo' }), 'Tue 24 Nov 22:00');
  assert.equal(momentText({ at: now }, berlin), 'today 13:00');
  assert.equal(momentText({ at: Date.parse('2027-01-05T08:00:00Z') }, berlin), 'Tue 5 Jan 2027 9:00');
  assert.deepEqual([shortMomentText({ at }, berlin), shortMomentText({ at: now }, berlin)], ['24 Nov', 'today 13:00']);
  assert.equal(longMomentText({ at }, berlin), 'Tuesday 24 November 2026 14:00');
  assert.equal(periodText(at, at + 1_800_000, berlin), 'Tue 24 Nov 14:00–14:30');
});

test('a whole day is the same day in every time zone', () => {
  const day = { at: Date.parse('2026-11-24T00:00:00Z'), isAllDay: true };
  for (const timeZone of ['Pacific/Honolulu', 'Asia/Tokyo'])
    assert.equal(momentText(day, { now, timeZone }), 'Tue 24 Nov', timeZone);
});

test('what the platform does not know is written in English, or in the time zone of this machine', () => {
  assert.equal(momentText({ at }, { ...berlin, locale: 'C' }), 'Tue 24 Nov 14:00');
  assert.match(momentText({ at }, { now, timeZone: 'Nowhere/Town', locale: 'de' }), /24 Nov/);
});

test('the clocks of a time zone may skip a time, or show it twice', () => {
  const local = (text: string): string => new Date(instantOf(Date.parse(`${text}Z`), 'Europe/Berlin')).toISOString();
  assert.equal(local('2026-11-24T14:00'), '2026-11-24T13:00:00.000Z');
  assert.equal(local('2026-03-29T02:30'), '2026-03-29T01:30:00.000Z');
  assert.equal(local('2026-10-25T02:30'), '2026-10-25T00:30:00.000Z');
});
