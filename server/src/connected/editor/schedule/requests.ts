import * as l10n from '@vscode/l10n';
import type { CancellationToken, ProgressToken } from 'vscode-languageserver';
import { signalOf } from '../../../editor/dispatch.ts';
import type { OwnRequest } from '../../../editor/extension.ts';
import { findDependency, readPlace } from '../../../editor/features/commands.ts';
import { fieldsIn, textIn } from '../../../editor/params.ts';
import { awaitDocument, awaitFolders } from '../../../editor/requests/updates.ts';
import { tokenIn } from '../../../editor/util/progress.ts';
import { longMomentText, momentText, periodText, type Reader } from '../../../engine/base/moments.ts';
import { isRecord, oneLine } from '../../../engine/base/text.ts';
import { allRatings } from '../../../engine/model/severity-rating.ts';
import {
  type CalendarChoice,
  type EventDraft,
  type MaintenanceWindow,
  type ManifestPlace,
  type PlannedEvent,
  placeText,
  type UpdateDraft,
} from '../../model/scheduling/planned.ts';
import type { Schedule, Scheduled } from '../../model/scheduling/schedule.ts';
import type { Calendar } from './calendar.ts';
import { type PlannableUpdate, plannableUpdate, plannableUpdates } from './plannable.ts';
import { readTime } from './time-input.ts';

/** An event for a list. */
export interface PlannedRow {
  readonly id: string;
  /** Untrusted text. */
  readonly title: string;
  /** `Tue 24 Nov 14:00` */
  readonly when: string;
  /** `Tuesday 24 November 2026 14:00` */
  readonly inFull: string;
  /** In ms since the epoch. */
  readonly start: number;
  readonly end: number;
  /** Its page in the calendar. */
  readonly link?: string;
  /** `app/package.json:12` */
  readonly places: readonly string[];
  readonly isPast: boolean;
}

export interface SlotRow {
  readonly start: number;
  readonly end: number;
  /** `Tue 24 Nov 14:00–14:30` */
  readonly text: string;
}

export interface SlotsAnswer {
  readonly slots: readonly SlotRow[];
  /** `Europe/Berlin` */
  readonly timeZone: string;
  readonly isInWindow?: true;
  /** Ids of calendars whose busy times are not known. */
  readonly unchecked: readonly string[];
}

export interface TimeAnswer {
  /** In ms since the epoch; absent if the text is no time. */
  readonly at?: number;
  /** The time in full, or why the text is not a time. */
  readonly text: string;
}

export interface AddedRows {
  readonly events: readonly (PlannedRow & { readonly isNew: boolean })[];
  /** Why the rest was not added. */
  readonly problem?: string;
}

/** What a person does with planned updates, by the name of the action. */
export interface ScheduleActions {
  /** The update of one dependency, to a version or to the recommended one. */
  readonly draft: Action<{ uri: string; offset: number; name: string; version?: string }, readonly PlannableUpdate[]>;
  /**
   * @param count 1 to 50, default: 3
   * @param isInRow the earliest ones, for several events, instead of some to choose from
   */
  readonly slots: Action<{ from?: number; count?: number; isInRow?: boolean }, SlotsAnswer>;
  readonly readTime: Action<{ text: string; timeZone?: string }, TimeAnswer>;
  readonly add: Action<{ drafts: readonly EventDraft[] }, AddedRows>;
  /** Those of the folders of the workspace that are not done, by time. */
  readonly list: Action<object, readonly PlannedRow[]>;
  readonly move: Action<{ id: string; start: number }, PlannedRow>;
  readonly cancel: Action<{ id: string }, PlannedRow>;
  readonly calendars: Action<object, readonly CalendarChoice[]>;
  readonly chooseCalendar: Action<{ id: string }, CalendarChoice>;
  readonly makeCalendar: Action<object, CalendarChoice>;
  readonly share: Action<{ email: string; role: 'reader' | 'writer' }, null>;
  readonly windows: Action<object, readonly MaintenanceWindow[]>;
  readonly addWindow: Action<{ start: number; end: number; rule: string }, MaintenanceWindow>;
}

type Action<Params, Value> = (params: Params) => Scheduled<Value>;

export type ScheduleParams = {
  [Name in keyof ScheduleActions]: { readonly action: Name } & Parameters<ScheduleActions[Name]>[0];
}[keyof ScheduleActions];

export type ScheduleAnswer = ReturnType<ScheduleActions[keyof ScheduleActions]>;

/** One for each event of a person's day. */
const MAX_SLOTS = 50;

/** How an action is carried out. @param params untrusted; undefined if they are invalid */
type Run<Value> = (params: unknown, given: Given) => Promise<Scheduled<Value>> | undefined;

interface Given {
  readonly schedule: Schedule;
  readonly calendar: Calendar;
  readonly signal: AbortSignal;
}

const actions: { [Name in keyof ScheduleActions]: Run<ValueOf<Name>> } = {
  draft(params, given) {
    const place = readPlace(params);
    return place && draftOf(place, textIn(params, 'version'), given);
  },
  slots(params, { schedule, calendar, signal }) {
    const [from, count] = [numberIn(params, 'from'), numberIn(params, 'count')];
    const wanted = {
      isInRow: fieldsIn(params)['isInRow'] === true,
      ...(from !== undefined && { from }),
      ...(count !== undefined && { count: Math.min(Math.max(1, Math.floor(count)), MAX_SLOTS) }),
    };
    return mapped(schedule.slots(wanted, signal), (found) => {
      const reader = { ...calendar.reader, timeZone: found.timeZone };
      const slots = found.slots.map((it) => ({ ...it, text: periodText(it.start, it.end, reader) }));
      return { ...found, slots, unchecked: found.unchecked.map((it) => oneLine(it)) };
    });
  },
  readTime(params, { calendar }) {
    const text = textIn(params, 'text') ?? '';
    const timeZone = textIn(params, 'timeZone');
    const reader: Reader = { ...calendar.reader, ...(timeZone !== undefined && { timeZone }) };
    const read = readTime(text, reader);
    const value: TimeAnswer = read.ok
      ? { at: read.at, text: longMomentText({ at: read.at }, reader) }
      : { text: read.reason };
    return Promise.resolve({ ok: true, value });
  },
  add(params, { schedule, calendar, signal }) {
    const drafts = readDrafts(fieldsIn(params)['drafts']);
    if (drafts === undefined) return undefined;
    return mapped(schedule.add(drafts, signal), ({ events, trouble }) => ({
      events: events.map(({ event, isNew }) => ({ ...rowOf(event, calendar.reader), isNew })),
      ...(trouble && { problem: trouble.reason }),
    }));
  },
  async list(_, { schedule, calendar, signal }) {
    const folders = await foldersOf(schedule, calendar);
    const listed = await schedule.list(undefined, signal);
    if (!listed.ok) return listed;
    const own = listed.value.filter((it) => it.status === 'planned' && (folders.size === 0 || folders.has(it.folder)));
    return { ok: true, value: own.map((it) => rowOf(it, calendar.reader)) };
  },
  move(params, { schedule, calendar, signal }) {
    const id = textIn(params, 'id');
    const start = numberIn(params, 'start');
    if (id === undefined || start === undefined) return undefined;
    return mapped(schedule.move(id, start, signal), (it) => rowOf(it, calendar.reader));
  },
  cancel(params, { schedule, calendar, signal }) {
    const id = textIn(params, 'id');
    return id === undefined ? undefined : mapped(schedule.cancel(id, signal), (it) => rowOf(it, calendar.reader));
  },
  calendars: (_, { schedule, signal }) => schedule.calendars(signal),
  chooseCalendar(params, { schedule, signal }) {
    const id = textIn(params, 'id');
    return id === undefined ? undefined : schedule.chooseCalendar(id, signal);
  },
  makeCalendar: (_, { schedule, signal }) => schedule.makeCalendar(signal),
  share(params, { schedule, signal }) {
    const email = textIn(params, 'email');
    const { role } = fieldsIn(params);
    if (email === undefined || (role !== 'reader' && role !== 'writer')) return undefined;
    return mapped(schedule.share(email, role, signal), () => null);
  },
  windows: (_, { schedule, signal }) => schedule.windows(signal),
  addWindow(params, { schedule, signal }) {
    const [start, end, rule] = [numberIn(params, 'start'), numberIn(params, 'end'), textIn(params, 'rule')];
    if (start === undefined || end === undefined || rule === undefined) return undefined;
    return schedule.addWindow({ start, end, rule }, signal);
  },
};

type ValueOf<Name extends keyof ScheduleActions> = Extract<
  ReturnType<ScheduleActions[Name]>,
  { readonly ok: true }
>['value'];

/** Plans updates in the connected calendar. Everything that it sends, a person has asked for. */
export const scheduleRequest = (calendar: Calendar): OwnRequest<object, ScheduleAnswer> => ({
  method: 'packageInsights/schedule',
  read: (params) => (Object.hasOwn(actions, String(fieldsIn(params)['action'])) ? fieldsIn(params) : undefined),
  async answer(params, _, token) {
    const run = actions[fieldsIn(params)['action'] as keyof ScheduleActions] as Run<never>;
    const schedule = await calendar.load();
    if (schedule === undefined) return notConnected();
    const answered = await run(params, { schedule, calendar, signal: signalOf(token) });
    return answered ?? { ok: false, trouble: { kind: 'invalid', reason: l10n.t('invalid parameters') } };
  },
});

function notConnected(): Extract<ScheduleAnswer, { readonly ok: false }> {
  return { ok: false, trouble: { kind: 'not-connected', reason: l10n.t('not connected') } };
}

async function mapped<A, B>(asked: Promise<Scheduled<A>>, map: (value: A) => B): Promise<Scheduled<B>> {
  const answer = await asked;
  return answer.ok ? { ok: true, value: map(answer.value) } : answer;
}

async function draftOf(
  place: NonNullable<ReturnType<typeof readPlace>>,
  version: string | undefined,
  { schedule, calendar, signal }: Given,
): Promise<Scheduled<readonly PlannableUpdate[]>> {
  // Others may have planned it meanwhile. Without a calendar there is nowhere to plan it.
  const known = await schedule.list(undefined, signal);
  if (!known.ok) return known;
  const snapshot = await calendar.server.engine.workspace.snapshot(place.uri);
  const evaluated = snapshot && findDependency(snapshot, place);
  const value = evaluated ? await plannableUpdate(evaluated, version, snapshot, schedule, calendar) : [];
  return { ok: true, value };
}

async function foldersOf(schedule: Schedule, { server }: Calendar): Promise<ReadonlySet<string>> {
  const roots = [
    ...server.folders.all.map((it) => `${it}package.json`),
    ...server.engine.workspace.documents.map((it) => it.uri),
  ];
  const found = await Promise.all(roots.map((it) => schedule.folderOf(it, server.folders.of(it))));
  return new Set(found.map((it) => it.id));
}

function rowOf({ id, title, start, end, isAllDay, link, updates }: PlannedEvent, reader: Reader): PlannedRow {
  const at = { at: start, isAllDay };
  const places = updates.flatMap((it) => it.places.map(placeText));
  return {
    id,
    title: oneLine(title),
    when: momentText(at, reader),
    inFull: longMomentText(at, reader),
    start,
    end,
    ...(link !== undefined && { link }),
    places: [...new Set(places)].map((it) => oneLine(it)),
    isPast: end < reader.now,
  };
}

function numberIn(params: unknown, name: string): number | undefined {
  const value = fieldsIn(params)[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** More events than a person plans at a time. */
const MAX_DRAFTS = 500;

function readDrafts(value: unknown): readonly EventDraft[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_DRAFTS) return undefined;
  const drafts = value.map(readDraft);
  return drafts.every((it) => it !== undefined) ? drafts : undefined;
}

function readDraft(value: unknown): EventDraft | undefined {
  const folder = textIn(value, 'folder');
  const [start, end] = [numberIn(value, 'start'), numberIn(value, 'end')];
  const { updates } = fieldsIn(value);
  if (folder === undefined || start === undefined || end === undefined || !Array.isArray(updates)) return undefined;
  const read = updates.map(readUpdate);
  return read.length > 0 && read.every((it) => it !== undefined) ? { folder, updates: read, start, end } : undefined;
}

function readUpdate(value: unknown): UpdateDraft | undefined {
  const [purl, target, name] = [textIn(value, 'purl'), textIn(value, 'target'), textIn(value, 'name')];
  const [from, how] = [textIn(value, 'from'), textIn(value, 'how')];
  const { places, why, severity } = fieldsIn(value);
  if (purl === undefined || target === undefined || name === undefined) return undefined;
  const rating = allRatings.find((it) => it === severity);
  return {
    purl,
    target,
    name,
    ...(from !== undefined && { from }),
    ...(how !== undefined && { how }),
    ...(rating && { severity: rating }),
    places: Array.isArray(places) ? places.flatMap(readManifestPlace) : [],
    why: Array.isArray(why) ? why.filter((it) => typeof it === 'string') : [],
  };
}

function readManifestPlace(value: unknown): ManifestPlace[] {
  const path = textIn(value, 'path');
  const line = numberIn(value, 'line');
  return path === undefined || !isRecord(value) ? [] : [{ path, ...(line !== undefined && { line }) }];
}

export interface PlannableParams {
  /** An open manifest; absent for all manifests of the workspace folders. */
  readonly textDocument?: { readonly uri: string };
  /** The token for `$/progress`. */
  readonly workDoneToken?: ProgressToken;
}

/** All updates that can be planned; null after a cancellation, or while scheduling is not connected. */
export const plannableRequest = (
  calendar: Calendar,
): OwnRequest<PlannableParams, readonly PlannableUpdate[] | null> => ({
  method: 'packageInsights/plannable',
  isHeavy: true,
  read(params) {
    const { textDocument } = fieldsIn(params);
    const uri = textIn(textDocument, 'uri');
    if (textDocument !== undefined && uri === undefined) return undefined;
    return { ...(uri !== undefined && { textDocument: { uri } }), ...tokenIn(params) };
  },
  async answer({ textDocument, workDoneToken }, server, token: CancellationToken) {
    const schedule = await calendar.load();
    if (schedule === undefined) return null;
    const snapshots = textDocument
      ? await awaitDocument(textDocument.uri, 'default', server, token, workDoneToken)
      : (await awaitFolders('default', server, token, workDoneToken)).snapshots;
    return token.isCancellationRequested ? null : plannableUpdates(snapshots, schedule, calendar);
  },
});
