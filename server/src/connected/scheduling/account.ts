import * as l10n from '@vscode/l10n';
import { isRecord, oneLine } from '../../engine/base/text.ts';
import type { CallOptions } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { WeekDay } from '../../engine/model/schedule-settings.ts';
import { weekDays } from '../../engine/model/schedule-settings.ts';
import type { Rating } from '../../engine/model/severity-rating.ts';
import type { CalendarChoice } from '../model/scheduling/planned.ts';
import type { Scheduled } from '../model/scheduling/schedule.ts';
import { type Calls, failed } from './calls.ts';
import { type TimeZone, timeZone } from './time-zone.ts';

/** What belongs to the person: calendars, settings, colors. */
export interface Account {
  /** Those that events can be added to. */
  calendars(options: CallOptions): Promise<Scheduled<readonly CalendarChoice[]>>;
  /** The calendar for updates: the one that was made before, or a new one. */
  make(options: CallOptions): Promise<Scheduled<CalendarChoice>>;
  share(calendar: string, email: string, role: 'reader' | 'writer', options: CallOptions): Promise<Scheduled<void>>;
  preferences(options: CallOptions): Promise<Scheduled<Preferences>>;
  /** The color that is nearest to the one of a severity; undefined for the color of the calendar. */
  color(severity: Rating | undefined, options: CallOptions): Promise<string | undefined>;
}

export interface Preferences {
  readonly zone: TimeZone;
  readonly weekStart: WeekDay;
}

/** Not translated: a team that shares it reads one name. */
export const ownCalendarName = 'Dependency updates';

/** In ms. People move seldom. */
const PREFERENCES_LIFETIME = 3_600_000;

/** The color for each severity as calendars have them: red, orange, yellow, blue. */
const wantedColors: Readonly<Partial<Record<Rating, string>>> = {
  critical: '#dc2127',
  high: '#ff6e5a',
  medium: '#ffb878',
  low: '#fbd75b',
};

export function createAccount(calls: Calls, clock: Pick<Clock, 'now'>): Account {
  let preferred: { readonly at: number; readonly value: Preferences } | undefined;
  let colors: ReadonlyMap<string, string> | undefined;

  async function itemsOf(
    method: string,
    parameters: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<Scheduled<readonly Readonly<Record<string, unknown>>[]>> {
    const items: Readonly<Record<string, unknown>>[] = [];
    for await (const page of calls.list(method, { parameters, about: 'calendar' }, options)) {
      if (!page.ok) return { ok: false, trouble: page.trouble };
      const found = isRecord(page.value) ? page.value['items'] : undefined;
      if (Array.isArray(found)) for (const it of found) if (isRecord(it)) items.push(it);
    }
    return { ok: true, value: items };
  }

  async function calendars(options: CallOptions): Promise<Scheduled<readonly CalendarChoice[]>> {
    const listed = await itemsOf('calendarList.list', { minAccessRole: 'writer' }, options);
    return listed.ok ? { ok: true, value: listed.value.flatMap((it) => readCalendar(it) ?? []) } : listed;
  }

  async function preferences(options: CallOptions): Promise<Scheduled<Preferences>> {
    const now = clock.now();
    if (preferred && preferred.at <= now && now - preferred.at < PREFERENCES_LIFETIME)
      return { ok: true, value: preferred.value };
    const listed = await itemsOf('settings.list', {}, options);
    if (!listed.ok) return listed;
    const of = (id: string): unknown => listed.value.find((it) => it['id'] === id)?.['value'];
    const value = {
      zone: timeZone(String(of('timezone'))),
      weekStart: weekDays[Number(of('weekStart') ?? 0)] ?? 'sun',
    };
    preferred = { at: now, value };
    return { ok: true, value };
  }

  return {
    calendars,
    preferences,
    async make(options) {
      const known = await calendars(options);
      if (!known.ok) return known;
      const before = known.value.find((it) => it.name === ownCalendarName);
      if (before) return { ok: true, value: before };
      const zone = await preferences(options);
      if (!zone.ok) return zone;
      const body = {
        summary: ownCalendarName,
        description: l10n.t('Updates of dependencies, scheduled with Package Insights.'),
        timeZone: zone.value.zone.name,
      };
      const made = await calls.call('calendars.insert', { body, about: 'calendar' }, options);
      if (!made.ok) return { ok: false, trouble: made.trouble };
      const id = isRecord(made.value) ? made.value['id'] : undefined;
      if (typeof id !== 'string' || id === '')
        return failed('failed', l10n.t('the answer of the calendar service is not understood'));
      const choice: CalendarChoice = { id, name: ownCalendarName, isPrimary: false, isChosen: false };
      // Most services list a new calendar on their own.
      const listed = await calls.call(
        'calendarList.get',
        { parameters: { calendarId: id }, about: 'calendar' },
        options,
      );
      if (listed.ok) return { ok: true, value: choice };
      if (listed.status !== 404) return { ok: false, trouble: listed.trouble };
      const added = await calls.call('calendarList.insert', { body: { id }, about: 'calendar' }, options);
      return added.ok ? { ok: true, value: choice } : { ok: false, trouble: added.trouble };
    },
    async share(calendarId, email, role, options) {
      const body = { role, scope: { type: 'user', value: email } };
      const done = await calls.call('acl.insert', { parameters: { calendarId }, body, about: 'calendar' }, options);
      return done.ok ? { ok: true, value: undefined } : { ok: false, trouble: done.trouble };
    },
    async color(severity, options) {
      const wanted = severity && wantedColors[severity];
      if (wanted === undefined) return undefined;
      if (!colors) {
        const got = await calls.call('colors.get', { about: 'calendar' }, options);
        // An event without a color is better than none.
        if (!got.ok) return undefined;
        colors = readColors(got.value);
      }
      const near = [...colors].map(([id, color]) => ({ id, distance: distanceOf(color, wanted) }));
      return near.sort((a, b) => a.distance - b.distance)[0]?.id;
    },
  };
}

function readCalendar(entry: Readonly<Record<string, unknown>>): CalendarChoice | undefined {
  const { id, summary, summaryOverride, primary, accessRole, deleted } = entry;
  if (typeof id !== 'string' || deleted === true || !/^(?:owner|writer)/.test(String(accessRole))) return undefined;
  const name = [summaryOverride, summary, id].find((it) => typeof it === 'string' && it !== '');
  return { id, name: oneLine(String(name), 200), isPrimary: primary === true, isChosen: false };
}

function readColors(value: unknown): ReadonlyMap<string, string> {
  const events = isRecord(value) ? value['event'] : undefined;
  return new Map(
    Object.entries(isRecord(events) ? events : {}).flatMap(([id, it]): [string, string][] => {
      const color = isRecord(it) ? it['background'] : undefined;
      return typeof color === 'string' && /^#[\da-f]{6}$/i.test(color) ? [[id, color]] : [];
    }),
  );
}

/** Of two colors `#rrggbb`, squared. */
function distanceOf(a: string, b: string): number {
  const parts = (it: string): number[] => [1, 3, 5].map((at) => Number.parseInt(it.slice(at, at + 2), 16));
  const other = parts(b);
  return parts(a).reduce((sum, it, at) => sum + (it - (other[at] ?? 0)) ** 2, 0);
}
