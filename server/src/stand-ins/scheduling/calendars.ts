import { randomBytes } from 'node:crypto';
import { isRecord } from '../../engine/base/text.ts';
import {
  type Answer,
  bodyOf,
  type Call,
  checkMatch,
  etagOf,
  only,
  patched,
  put,
  requiredText,
  textIn,
} from './call.ts';
import { invalid, Refused } from './errors.ts';
import { type Calendar, openCalendar } from './roles.ts';
import { initialSettings } from './settings.ts';
import type { Fields, Item } from './store.ts';
import { isTimeZone } from './times.ts';

/** What a client may set. */
const members = [
  'summary',
  'description',
  'location',
  'timeZone',
  'conferenceProperties',
  'labelProperties',
  'workingHours',
  'autoAcceptInvitations',
];

/** The domain of the ids of secondary calendars. */
const GROUP = 'group.calendar.package-insights.example';

/** Makes the calendar, the list and the settings of a user who has none. */
export function welcome(call: Call): void {
  const { caller, store, defaultZone } = call;
  if (store.get('calendars', caller) !== undefined) return;
  put(call, 'calendars', caller, { summary: caller, timeZone: defaultZone, dataOwner: caller, isPrimary: true });
  put(call, `acl/${caller}`, `user:${caller}`, { role: 'owner', scope: { type: 'user', value: caller } });
  const defaultReminders = [{ method: 'popup', minutes: 10 }];
  put(call, `list/${caller}`, caller, { colorId: '14', selected: true, defaultReminders });
  for (const [name, value] of Object.entries({ ...initialSettings, timezone: defaultZone }))
    put(call, `settings/${caller}`, name, { value });
}

export function getCalendar(call: Call): Answer {
  return answerOf(openCalendar(call, call.values[0] ?? '', 'freeBusyReader'));
}

export function insertCalendar(call: Call): Answer {
  const { caller } = call;
  const body = bodyOf(call);
  requiredText(body, 'summary');
  const id = `c_${randomBytes(16).toString('hex')}@${GROUP}`;
  const zone = call.store.get('calendars', caller)?.body['timeZone'] ?? call.defaultZone;
  const stored = { timeZone: zone, ...checked(only(body, members)), dataOwner: caller };
  const item = put(call, 'calendars', id, stored);
  put(call, `acl/${id}`, `user:${caller}`, { role: 'owner', scope: { type: 'user', value: caller } });
  put(call, `list/${caller}`, id, { colorId: '16', selected: true, defaultReminders: [] });
  return { body: resourceOf(item), etag: etagOf(item) };
}

export function updateCalendar(call: Call): Answer {
  const calendar = openCalendar(call, call.values[0] ?? '', 'owner');
  checkMatch(call, calendar.item);
  const body = bodyOf(call);
  requiredText(body, 'summary');
  // A calendar is never without a time zone.
  return changed(call, calendar, { timeZone: calendar.timeZone, ...only(body, members) });
}

export function patchCalendar(call: Call): Answer {
  const calendar = openCalendar(call, call.values[0] ?? '', 'owner');
  checkMatch(call, calendar.item);
  const { summary, timeZone } = calendar.item.body;
  return changed(call, calendar, { summary, timeZone, ...only(patched(calendar.item.body, bodyOf(call)), members) });
}

function changed(call: Call, { id, item, timeZone }: Calendar, body: Fields): Answer {
  const { dataOwner, isPrimary } = item.body;
  const next = { ...checked(body), dataOwner, ...(isPrimary === true && { isPrimary }) };
  const written = put(call, 'calendars', id, next);
  touchEntries(call, id);
  if (isPrimary === true && body['timeZone'] !== timeZone)
    put(call, `settings/${id}`, 'timezone', { value: body['timeZone'] });
  return { body: resourceOf(written), etag: etagOf(written) };
}

/** Entries of calendar lists show what the calendar is called and what the user may do: both have changed. */
export function touchEntries(call: Call, calendar: string, isDeleted = false): void {
  for (const collection of call.store.collectionsWith(calendar, 'list/')) {
    const entry = call.store.get(collection, calendar);
    if (entry) put(call, collection, calendar, entry.body, { isDeleted });
  }
}

/** Removes all events of the primary calendar. */
export function clearCalendar(call: Call): Answer {
  const { id, item } = openCalendar(call, call.values[0] ?? '', 'owner');
  if (item.body['isPrimary'] !== true) throw invalid('Only a primary calendar can be cleared.', 'calendarId');
  for (const event of call.store.list(`events/${id}`)) {
    const body = { ...event.body, status: 'cancelled' };
    put(call, `events/${id}`, event.id, body, { isDeleted: true, index: event.index });
  }
  return {};
}

export function deleteCalendar(call: Call): Answer {
  const { id, item } = openCalendar(call, call.values[0] ?? '', 'owner');
  if (item.body['isPrimary'] === true)
    throw new Refused(400, 'cannotDeletePrimaryCalendar', 'Cannot delete a primary calendar.', { domain: 'calendar' });
  checkMatch(call, item);
  put(call, 'calendars', id, item.body, { isDeleted: true });
  touchEntries(call, id, true);
  // Those who watch its events or rules learn of the end.
  call.changed.add(`events/${id}`).add(`acl/${id}`);
  return {};
}

function checked(body: Fields): Fields {
  for (const name of ['summary', 'description', 'location', 'timeZone']) textIn(body, name);
  const { timeZone, summary } = body;
  if (typeof timeZone === 'string' && !isTimeZone(timeZone)) throw invalid('Invalid time zone.');
  if (summary === '' || summary === undefined) throw invalid('Missing title.');
  for (const name of ['conferenceProperties', 'labelProperties', 'workingHours']) {
    if (body[name] !== undefined && !isRecord(body[name])) throw invalid(`Invalid value for ${name}`);
  }
  return body;
}

function answerOf({ item }: Calendar): Answer {
  return { body: resourceOf(item), etag: etagOf(item) };
}

function resourceOf(item: Item): object {
  const { isPrimary: _, ...shown } = item.body;
  return { kind: 'calendar#calendar', etag: etagOf(item), id: item.id, ...shown };
}
