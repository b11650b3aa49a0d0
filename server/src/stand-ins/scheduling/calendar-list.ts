import { isRecord } from '../../engine/base/text.ts';
import {
  type Answer,
  bodyOf,
  type Call,
  checkMatch,
  choice,
  etagOf,
  flag,
  only,
  patched,
  put,
  requiredText,
  textIn,
} from './call.ts';
import { duplicate, invalid, notFound } from './errors.ts';
import { listEtag, pageOf, readPaging, refuseWithSyncToken } from './pages.ts';
import { calendarId, includes, openCalendar, roleOf, roles } from './roles.ts';
import { calendarColor, nearestColor } from './settings.ts';
import type { Fields, Item } from './store.ts';

/** What a client may set. */
const members = [
  'summaryOverride',
  'colorId',
  'backgroundColor',
  'foregroundColor',
  'hidden',
  'selected',
  'defaultReminders',
  'notificationSettings',
  'autoAcceptInvitations',
];

export function getEntry(call: Call): Answer {
  return answerOf(call, entryOf(call));
}

export function insertEntry(call: Call): Answer {
  const body = bodyOf(call);
  const { id } = openCalendar(call, requiredText(body, 'id'), 'freeBusyReader');
  const known = call.store.get(collectionOf(call), id);
  if (known && !known.isDeleted) throw duplicate();
  return written(call, id, only(body, members), body, { colorId: '16' });
}

export function updateEntry(call: Call): Answer {
  const entry = entryOf(call);
  checkMatch(call, entry);
  const body = bodyOf(call);
  return written(call, entry.id, only(body, members), body, entry.body);
}

export function patchEntry(call: Call): Answer {
  const entry = entryOf(call);
  checkMatch(call, entry);
  const body = bodyOf(call);
  return written(call, entry.id, only(patched(entry.body, body), members), body, entry.body);
}

export function deleteEntry(call: Call): Answer {
  const entry = entryOf(call);
  checkMatch(call, entry);
  if (entry.id === call.caller) throw invalid('The primary calendar cannot be removed from the list.', 'calendarId');
  put(call, collectionOf(call), entry.id, entry.body, { isDeleted: true });
  return {};
}

export function listEntries(call: Call): Answer {
  refuseWithSyncToken(call, ['minAccessRole']);
  const collection = collectionOf(call);
  const minimum = choice(call, 'minAccessRole', roles) ?? 'freeBusyReader';
  const [showHidden, showDeleted] = [flag(call, 'showHidden') ?? false, flag(call, 'showDeleted') ?? false];
  const paging = readPaging(call, collection, { usual: 100, most: 250 });
  const { since } = paging;
  const isIncremental = since !== undefined;
  const items = call.store
    .list(collection, { ...(isIncremental && { since }), withDeleted: isIncremental || showDeleted })
    .filter((it) => isIncremental || it.isDeleted || includes(roleOf(call.store, it.id, call.caller), minimum))
    .filter((it) => isIncremental || showHidden || it.body['hidden'] !== true);
  const { values, tokens } = pageOf(
    call,
    paging,
    items.map((it) => ({ key: [it.id === call.caller ? 0 : 1, it.id] as const, value: resourceOf(call, it) })),
    !call.parameters.has('minAccessRole'),
  );
  const etag = listEtag(values);
  return { body: { kind: 'calendar#calendarList', etag, items: values, ...tokens }, etag };
}

function collectionOf({ caller }: Call): string {
  return `list/${caller}`;
}

function entryOf(call: Call): Item {
  const id = calendarId(call, call.values[0] ?? '');
  const entry = call.store.get(collectionOf(call), id);
  if (!entry || entry.isDeleted || roleOf(call.store, id, call.caller) === 'none') throw notFound();
  return entry;
}

function written(call: Call, id: string, body: Fields, given: Fields, former: Fields): Answer {
  return answerOf(call, put(call, collectionOf(call), id, checked(call, body, given, former)));
}

/** @param given the body of the request */
function checked(call: Call, body: Fields, given: Fields, former: Fields): Fields {
  for (const name of ['summaryOverride', 'colorId', 'backgroundColor', 'foregroundColor']) textIn(body, name);
  for (const name of ['hidden', 'selected', 'autoAcceptInvitations']) {
    if (body[name] !== undefined && typeof body[name] !== 'boolean') throw invalid(`Invalid value for ${name}`);
  }
  const {
    defaultReminders,
    notificationSettings,
    colorId: _,
    backgroundColor: __,
    foregroundColor: ___,
    ...rest
  } = body;
  if (defaultReminders !== undefined && !(Array.isArray(defaultReminders) && defaultReminders.every(isRecord)))
    throw invalid('Invalid value for defaultReminders');
  if (notificationSettings !== undefined && !isRecord(notificationSettings))
    throw invalid('Invalid value for notificationSettings');
  const others = {
    ...rest,
    ...(defaultReminders !== undefined && { defaultReminders }),
    ...(notificationSettings !== undefined && { notificationSettings }),
    // What is hidden is not shown.
    ...(body['hidden'] === true && { selected: false }),
  };
  return { ...others, ...colorsOf(call, given, former) };
}

/** Colors by their value count only with a parameter, as documented; the colors of an entry stay without others. */
function colorsOf(call: Call, { colorId, backgroundColor, foregroundColor }: Fields, former: Fields): Fields {
  if (flag(call, 'colorRgbFormat') === true && backgroundColor !== undefined && backgroundColor !== null) {
    const colors = { backgroundColor: String(backgroundColor), foregroundColor: String(foregroundColor ?? '#1d1d1d') };
    if (!Object.values(colors).every((it) => /^#[\da-f]{6}$/i.test(it))) throw invalid('Invalid color.');
    return { colorId: nearestColor(colors.backgroundColor), ...colors };
  }
  if (colorId === undefined || colorId === null || colorId === former['colorId'])
    return only(former, ['colorId', 'backgroundColor', 'foregroundColor']);
  if (!calendarColor(String(colorId))) throw invalid('Invalid colorId.');
  return { colorId };
}

function answerOf(call: Call, item: Item): Answer {
  return { body: resourceOf(call, item), etag: etagOf(item) };
}

function resourceOf({ store, caller }: Call, item: Item): object {
  const { id, isDeleted } = item;
  const head = { kind: 'calendar#calendarListEntry', etag: etagOf(item), id };
  const calendar = store.get('calendars', id);
  const role = roleOf(store, id, caller);
  if (isDeleted || !calendar || calendar.isDeleted || role === 'none') return { ...head, deleted: true };
  const { summary, description, location, timeZone, conferenceProperties, dataOwner } = calendar.body;
  const color = calendarColor(String(item.body['colorId'] ?? '16'));
  return {
    ...head,
    summary,
    ...(description !== undefined && { description }),
    ...(location !== undefined && { location }),
    timeZone,
    ...(color && { backgroundColor: color.background, foregroundColor: color.foreground }),
    ...(conferenceProperties !== undefined && { conferenceProperties }),
    defaultReminders: [],
    ...item.body,
    ...(id !== caller && dataOwner !== undefined && { dataOwner }),
    accessRole: role,
    ...(id === caller && { primary: true }),
  };
}
