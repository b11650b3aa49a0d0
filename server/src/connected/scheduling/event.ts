import * as l10n from '@vscode/l10n';
import { detached, isRecord, oneLine } from '../../engine/base/text.ts';
import { webAddress } from '../../engine/model/links.ts';
import {
  type EventDraft,
  type MaintenanceWindow,
  type ManifestPlace,
  type PlannedEvent,
  type PlannedUpdate,
  placeText,
  type UpdateDraft,
} from '../model/scheduling/planned.ts';
import { base32Hash } from './folders.ts';

/*
 * A planned update as an event of a calendar:
 *
 *     id                                 of folder, purl and target: two windows make one event
 *     summary, description, start, end   for people, who may change all of it
 *     transparency                       opaque; transparent once it is done
 *     extendedProperties.private         for this program: which updates, where, and what it wrote itself
 */

/** A value of JSON of the type `Event` of the service. */
export type EventBody = Readonly<Record<string, unknown>>;

/** The private properties. Values have at most 1024 characters, names 44. */
const names = {
  /** `1`, the form of the others. */
  form: 'packageInsights',
  folder: 'packageInsightsFolder',
  state: 'packageInsightsState',
  /** A hash of the title, to see whether a person has changed it. */
  title: 'packageInsightsTitle',
  /** `start end` in ms since the epoch, for the same reason. */
  time: 'packageInsightsTime',
  /** With a number: `{"purl": …, "target": …, "from": …}`. */
  update: 'packageInsightsUpdate',
  /** With the same number: `["app/package.json:12"]`. */
  places: 'packageInsightsPlaces',
  /** `1` for a maintenance window. */
  window: 'packageInsightsWindow',
} as const;

export const eventLimits = {
  /** Updates of one event: the private properties of an event have 32 kB in all. */
  updates: 50,
  /** In characters, of a value of a private property. Source: the documentation of extended properties. */
  value: 1024,
  /** In characters. */
  title: 200,
  /** In characters, without the last two lines. Source: calendars cut descriptions at 8192. */
  description: 7000,
} as const;

/** The beginning of the title by which a person marks a recurring event as a maintenance window. */
const windowTitle = /^maintenance window\b/i;

/**
 * The same id wherever the same updates of the same folder are planned.
 * @param generation grows where the service keeps a deleted event of the same id
 */
export function eventIdOf({ folder, updates }: Pick<EventDraft, 'folder' | 'updates'>, generation = 0): string {
  const members = updates.map((it) => JSON.stringify([it.purl, it.target])).sort();
  return base32Hash(['package-insights event', folder, ...members, ...(generation > 0 ? [`${generation}`] : [])]);
}

/** Why a draft cannot become an event: a clause. */
export function draftProblem({ folder, updates, start, end }: EventDraft): string | undefined {
  if (updates.length === 0) return l10n.t('there is nothing to plan');
  if (updates.length > eventLimits.updates) return l10n.t('one event plans at most {0} updates', eventLimits.updates);
  if (!/^[0-9a-v]{52}$/.test(folder)) return l10n.t('the folder is not known yet');
  if (!(end > start) || !Number.isFinite(start) || !Number.isFinite(end)) return l10n.t('the time is invalid');
  const long = updates.find((it) => updateText(it).length > eventLimits.value);
  return long && l10n.t('the name or version of {0} is too long for an event', oneLine(long.name, 60));
}

/** What describes an update in a calendar. The members that the service sets itself are absent. */
export function eventBody(draft: EventDraft, zone: string, color: string | undefined, generation = 0): EventBody {
  const summary = titleOf(draft.updates);
  return {
    id: eventIdOf(draft, generation),
    summary,
    description: descriptionOf(draft.updates),
    ...timesOf(draft.start, draft.end, zone),
    status: 'confirmed',
    transparency: 'opaque',
    ...(color !== undefined && { colorId: color }),
    extendedProperties: { private: marksOf(draft, summary) },
  };
}

/** @param zone in which people see it */
export function timesOf(start: number, end: number, zone: string): EventBody {
  return {
    start: { dateTime: new Date(start).toISOString(), timeZone: zone },
    end: { dateTime: new Date(end).toISOString(), timeZone: zone },
  };
}

function marksOf({ folder, updates, start, end }: EventDraft, title: string): Record<string, string> {
  return {
    [names.form]: '1',
    [names.folder]: folder,
    [names.state]: 'planned',
    [names.title]: hashOf(title),
    [names.time]: `${start} ${end}`,
    ...Object.fromEntries(
      updates.flatMap((it, at) => [
        [`${names.update}${at}`, updateText(it)],
        [`${names.places}${at}`, placesText(it.places)],
      ]),
    ),
  };
}

function updateText({ purl, target, from }: PlannedUpdate): string {
  return JSON.stringify({ purl, target, ...(from !== undefined && { from }) });
}

/** As many places as a value can have. */
function placesText(places: readonly ManifestPlace[]): string {
  const texts: string[] = [];
  for (const it of places) {
    texts.push(placeText(it));
    if (JSON.stringify(texts).length > eventLimits.value) {
      texts.pop();
      break;
    }
  }
  return JSON.stringify(texts);
}

function hashOf(text: string): string {
  return base32Hash([text]).slice(0, 16);
}

function titleOf(updates: readonly UpdateDraft[]): string {
  const [first] = updates;
  if (first === undefined) return '';
  const one = changeText(first);
  const names = updates.map((it) => it.name).join(', ');
  const title =
    updates.length === 1 ? l10n.t('Update {0}', one) : l10n.t('Update {0} packages: {1}', updates.length, names);
  return oneLine(title, eventLimits.title);
}

/** `lodash 4.17.15 → 4.17.21` */
function changeText({ name, from, target }: UpdateDraft): string {
  return oneLine(from === undefined ? `${name} → ${target}` : `${name} ${from} → ${target}`);
}

/** Lines of a description that repeat for each update. */
const MAX_PLACES = 10;

function descriptionOf(updates: readonly UpdateDraft[]): string {
  const paragraphs: string[] = [];
  let length = 0;
  for (const it of updates.map(paragraphOf)) {
    length += it.length + 2;
    if (length > eventLimits.description) break;
    paragraphs.push(it);
  }
  const left = updates.slice(paragraphs.length).map((it) => plain(changeText(it)));
  const rest = left.length === 0 ? [] : [oneLine(l10n.t('Also: {0}', left.join(', ')), 1000)];
  return [...paragraphs, ...rest, l10n.t('Scheduled with Package Insights.')].join('\n\n');
}

function paragraphOf(update: UpdateDraft): string {
  const { purl, why, places, how } = update;
  const shown = places.slice(0, MAX_PLACES).map(placeText).join(', ');
  const where = places.length > MAX_PLACES ? l10n.t('{0} and {1} more', shown, places.length - MAX_PLACES) : shown;
  const lines = [
    changeText(update),
    purl,
    ...(why.length > 0 ? [l10n.t('Why: {0}', why.join('; '))] : []),
    ...(where !== '' ? [l10n.t('Where: {0}', where)] : []),
    l10n.t('How: {0}', how ?? l10n.t('change the version there to {0}, and update the lockfile', update.target)),
  ];
  return lines.map((it) => plain(oneLine(it, 1000))).join('\n');
}

/** Calendars show descriptions as HTML. */
function plain(text: string): string {
  return text.replace(/[<>]/g, (it) => (it === '<' ? '‹' : '›'));
}

/** Whether an event of the service is a planned update or a maintenance window of this program. */
export function isOwnEvent(value: unknown): value is EventBody {
  if (!isRecord(value)) return false;
  const marks = marksIn(value);
  return marks[names.form] !== undefined || marks[names.window] !== undefined;
}

/** An event as the service returns it; undefined if it is no planned update. */
export function readEvent(value: unknown, calendar: string): PlannedEvent | undefined {
  if (!isRecord(value)) return undefined;
  const { id, status, summary, htmlLink } = value;
  const marks = marksIn(value);
  const folder = marks[names.folder];
  const updates = readUpdates(marks);
  const times = readTimes(value);
  if (typeof id !== 'string' || marks[names.form] === undefined || typeof folder !== 'string') return undefined;
  if (updates.length === 0 || times === undefined) return undefined;
  const title = typeof summary === 'string' ? summary : '';
  const link = typeof htmlLink === 'string' ? webAddress(htmlLink) : undefined;
  const isOwnTime = marks[names.time] === `${times.start} ${times.end}`;
  return {
    id: detached(id),
    calendar,
    folder,
    updates,
    status: status === 'cancelled' ? 'canceled' : marks[names.state] === 'done' ? 'done' : 'planned',
    title: oneLine(title, eventLimits.title),
    ...times,
    ...(link !== undefined && { link }),
    isChanged: !isOwnTime || marks[names.title] !== hashOf(title),
  };
}

function marksIn(value: EventBody): Readonly<Record<string, unknown>> {
  const properties = value['extendedProperties'];
  const marks = isRecord(properties) ? properties['private'] : undefined;
  return isRecord(marks) ? marks : {};
}

function readUpdates(marks: Readonly<Record<string, unknown>>): PlannedUpdate[] {
  const updates: PlannedUpdate[] = [];
  for (let at = 0; at < eventLimits.updates; at++) {
    const value = parsed(marks[`${names.update}${at}`]);
    if (!isRecord(value)) break;
    const { purl, target, from } = value;
    if (typeof purl !== 'string' || typeof target !== 'string' || !/^pkg:[a-z]+\/\S+$/.test(purl)) continue;
    const places = parsed(marks[`${names.places}${at}`]);
    updates.push({
      purl,
      target,
      ...(typeof from === 'string' && { from }),
      places: Array.isArray(places) ? places.flatMap((it) => (typeof it === 'string' ? readPlace(it) : [])) : [],
    });
  }
  return updates;
}

function readPlace(text: string): ManifestPlace {
  const [, path = text, line] = /^(.*):(\d{1,9})$/s.exec(text) ?? [];
  return { path, ...(line !== undefined && { line: Number(line) }) };
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > eventLimits.value) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Times = Pick<PlannedEvent, 'start' | 'end' | 'isAllDay'>;

/** Undefined where an event has no valid times. */
export function readTimes(value: EventBody): Times | undefined {
  const [start, end] = [instantIn(value['start']), instantIn(value['end'])];
  if (start === undefined || end === undefined) return undefined;
  return { start: start.at, end: end.at, ...(start.isDay && { isAllDay: true }) };
}

/** In ms since the epoch. Beyond these, a time has another form, and none in some time zones. */
const [FIRST_TIME, LAST_TIME] = [0, Date.UTC(9999, 11, 31)];

function instantIn(value: unknown): { readonly at: number; readonly isDay: boolean } | undefined {
  if (!isRecord(value)) return undefined;
  const { dateTime, date } = value;
  const text = typeof dateTime === 'string' ? dateTime : date;
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return at >= FIRST_TIME && at < LAST_TIME ? { at, isDay: typeof dateTime !== 'string' } : undefined;
}

/** A maintenance window: a recurring event that this program made, or that a person marked by its title. */
export function readWindow(value: unknown): MaintenanceWindow | undefined {
  if (!isRecord(value) || value['status'] === 'cancelled') return undefined;
  const { id, recurrence, summary } = value;
  const times = readTimes(value);
  if (typeof id !== 'string' || !Array.isArray(recurrence) || recurrence.length === 0 || !times) return undefined;
  const title = typeof summary === 'string' ? summary : '';
  if (marksIn(value)[names.window] === undefined && !windowTitle.test(title)) return undefined;
  const rules = recurrence.flatMap((it) => (typeof it === 'string' ? oneLine(it) : []));
  return {
    id: detached(id),
    title: oneLine(title, eventLimits.title),
    recurrence: rules,
    start: times.start,
    end: times.end,
  };
}

/** Free time is not taken: updates happen within it. */
export function windowBody(start: number, end: number, rule: string, zone: string): EventBody {
  return {
    summary: l10n.t('Maintenance window'),
    description: l10n.t('Package Insights proposes times for updates within it.'),
    ...timesOf(start, end, zone),
    recurrence: [`RRULE:${rule}`],
    transparency: 'transparent',
    extendedProperties: { private: { [names.window]: '1' } },
  };
}

/** An event of the service with other times, which are then those of this program. Everything else stays. */
export function movedBody(event: EventBody, start: number, end: number, zone: string): EventBody {
  const own = isRecord(event['start']) ? event['start']['timeZone'] : undefined;
  return withMarks(
    { ...event, ...timesOf(start, end, typeof own === 'string' ? own : zone) },
    { [names.time]: `${start} ${end}` },
  );
}

/** An event of the service as done. A title that a person has changed stays; so does everything else of it. */
export function completedBody(event: EventBody): EventBody {
  const { summary } = event;
  const isOwnTitle = typeof summary === 'string' && marksIn(event)[names.title] === hashOf(summary);
  const title = isOwnTitle ? `✓ ${summary}` : undefined;
  const done = { ...event, transparency: 'transparent', ...(title !== undefined && { summary: title }) };
  return withMarks(done, { [names.state]: 'done', ...(title !== undefined && { [names.title]: hashOf(title) }) });
}

function withMarks(event: EventBody, marks: Readonly<Record<string, string>>): EventBody {
  const properties = isRecord(event['extendedProperties']) ? event['extendedProperties'] : {};
  return { ...event, extendedProperties: { ...properties, private: { ...marksIn(event), ...marks } } };
}

/** An event of the service that is planned anew: what a draft says replaces what was there. */
export function revivedBody(event: EventBody, body: EventBody): EventBody {
  const { recurrence: _, ...former } = event;
  return { ...former, ...body, id: event['id'] };
}
