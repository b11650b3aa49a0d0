import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { invalid } from './errors.ts';
import { addDays, compact, dateAt, type EventTime, instantOf, startOfDay, textOf } from './times.ts';

/** When a recurring event takes place. */
export interface Recurrence {
  /** Of its first instance. */
  readonly start: EventTime;
  /** Instances repeat at the same time of day in this zone; days are those of the calendar. */
  readonly zone: string;
  readonly rules: readonly RRuleTemporal[];
  readonly excludedRules: readonly RRuleTemporal[];
  /** In ms since the epoch, as the rules count time. */
  readonly added: readonly number[];
  readonly excluded: ReadonlySet<number>;
  readonly isFinite: boolean;
  /** Of the rules with `UNTIL`: no instance is later. */
  readonly until: readonly number[];
  /** The rules with `COUNT`. */
  readonly counted: readonly RRuleTemporal[];
}

/** One instance of a recurring event, before any exception. */
export interface Occurrence {
  /** In ms since the epoch. */
  readonly at: number;
  readonly start: EventTime;
  /** The end of the id of the instance: `20261124T130000Z`, or `20261124` for a day. */
  readonly suffix: string;
}

const limits = {
  /** Lines of one event, and rules among them. */
  lines: 50,
  rules: 4,
  /** Characters of one line. */
  line: 4000,
  /** Of a rule. */
  count: 10_000,
  perDay: 8,
  /** Instances of one event in one answer. */
  instances: 20_000,
} as const;

const lineForm = /^(RRULE|EXRULE|RDATE|EXDATE)((?:;[^:]*)?):(.+)$/i;

/** How far a list follows an event that ends, after its first wanted time, in ms. */
export const LONGEST = 20 * 366 * 86_400_000;

/**
 * Reads the lines of RFC 5545.
 * @throws `Refused`
 */
export function readRecurrence(lines: readonly string[], start: EventTime, calendarZone: string): Recurrence {
  if (lines.length > limits.lines || lines.some((it) => it.length > limits.line)) throw badRule('it is too long');
  if (lines.filter((it) => /^\s*(?:RRULE|EXRULE)/i.test(it)).length > limits.rules) throw badRule('too many rules');
  const isDay = start.date !== undefined;
  const zone = isDay ? calendarZone : (start.timeZone ?? calendarZone);
  // Days have no zone: their rules count in UTC.
  const ruleZone = isDay ? 'UTC' : zone;
  const first = isDay ? startOfDay(start.date, 'UTC') : instantOf(start, zone);
  const dtstart = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(ruleZone);
  const rules: RRuleTemporal[] = [];
  const excludedRules: RRuleTemporal[] = [];
  const added: number[] = [];
  const excluded = new Set<number>();
  const until: number[] = [];
  const counted: RRuleTemporal[] = [];
  let ends = true;
  for (const line of lines) {
    const [, name = '', parameters = '', value = ''] = lineForm.exec(line.trim()) ?? [];
    const kind = name.toUpperCase();
    if (kind === '') throw badRule(line);
    if (kind === 'RDATE' || kind === 'EXDATE') {
      for (const it of readDates(value, parameters, isDay, zone)) {
        if (kind === 'RDATE') added.push(it);
        else excluded.add(it);
      }
      continue;
    }
    if (!isModest(value)) throw badRule(line);
    const text = withUntil(value, isDay, zone);
    const rule = ruleOf(text, dtstart, line);
    const last = /UNTIL=(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(text)?.slice(1).join(' ');
    if (kind === 'RRULE' && last !== undefined)
      until.push(Date.parse(last.replace(/^(\S+) (\S+) (\S+) (\S+) (\S+) (\S+)$/, '$1-$2-$3T$4:$5:$6Z')));
    if (kind === 'RRULE' && last === undefined) counted.push(rule);
    if (kind === 'RRULE') rules.push(rule);
    else excludedRules.push(rule);
    if (kind === 'RRULE' && !/(?:^|;)(?:COUNT|UNTIL)=/i.test(value)) ends = false;
  }
  // Without a rule, the start is an instance beside the dates.
  if (rules.length === 0) added.push(first);
  return { start, zone, rules, excludedRules, added, excluded, isFinite: ends, until, counted };
}

/** Whether a rule has at most a few instances a day, so that lists of it are short. */
function isModest(value: string): boolean {
  const parts = new Map(
    value
      .toUpperCase()
      .split(';')
      .map((it) => [it.replace(/=.*/, ''), it.replace(/^[^=]*=/, '')]),
  );
  if (['HOURLY', 'MINUTELY', 'SECONDLY'].includes(parts.get('FREQ') ?? '')) return false;
  const count = parts.get('COUNT');
  if (count !== undefined && !(/^\d{1,9}$/.test(count) && Number(count) > 0 && Number(count) <= limits.count))
    return false;
  const times = ['BYHOUR', 'BYMINUTE', 'BYSECOND'].map((it) => (parts.get(it) ?? '').split(',').length);
  return times.reduce((product, it) => product * it, 1) <= limits.perDay;
}

function ruleOf(value: string, dtstart: Temporal.ZonedDateTime, line: string): RRuleTemporal {
  try {
    const rule = new RRuleTemporal({ rruleString: `RRULE:${value}`, dtstart });
    // Some contradictions are found by counting only.
    rule.between(new Date(dtstart.epochMilliseconds), new Date(dtstart.epochMilliseconds + 1), true);
    return rule;
  } catch {
    throw badRule(line);
  }
}

/** The end of a rule in UTC, as the library expects it: a day includes its evening. */
function withUntil(value: string, isDay: boolean, zone: string): string {
  return value.replace(/(^|;)UNTIL=([^;]*)/i, (_, before: string, text: string) => {
    const [, date = '', time, utc] = /^(\d{8})(?:T(\d{6})(Z?))?$/i.exec(text) ?? [];
    if (date === '') throw badRule(`UNTIL=${text}`);
    if (isDay) return `${before}UNTIL=${date}T000000Z`;
    if (time !== undefined && utc) return `${before}UNTIL=${date}T${time}Z`;
    const local = `${isoDate(date)}T${(time ?? '235959').replace(/(..)(..)(..)/, '$1:$2:$3')}`;
    return `${before}UNTIL=${compact(localInstant(local, zone))}`;
  });
}

function readDates(value: string, parameters: string, isDay: boolean, zone: string): number[] {
  const named = /;TZID=([^;]+)/i.exec(parameters)?.[1] ?? zone;
  return value.split(',').map((text) => {
    const [, date = '', time, utc] = /^(\d{8})(?:T(\d{6})(Z?))?$/i.exec(text.trim()) ?? [];
    if (date === '') throw badRule(text);
    const day = isoDate(date);
    if (isDay) return localInstant(`${day}T00:00:00`, 'UTC');
    // A day excludes or adds nothing of an event that has a time.
    if (time === undefined) throw badRule(text);
    return localInstant(`${day}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}`, utc ? 'UTC' : named);
  });
}

function localInstant(text: string, zone: string): number {
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    throw badRule(text);
  }
}

function isoDate(text: string): string {
  return text.replace(/(....)(..)(..)/, '$1-$2-$3');
}

function badRule(what: string): Error {
  return invalid(`Invalid recurrence rule: ${what.slice(0, 100)}`);
}

/** The lines as a file has them: the end of a rule in UTC, dates with their time zone. */
export function rewritten(lines: readonly string[], start: EventTime, calendarZone: string): readonly string[] {
  const isDay = start.date !== undefined;
  const zone = isDay ? calendarZone : (start.timeZone ?? calendarZone);
  return lines.flatMap((line) => {
    const [, name = '', parameters = '', value = ''] = lineForm.exec(line.trim()) ?? [];
    const kind = name.toUpperCase();
    if (kind === 'RRULE' || kind === 'EXRULE') {
      const rule = withUntil(value, isDay, zone);
      return [`${kind}:${isDay ? rule.replace(/(UNTIL=\d{8})T000000Z/, '$1') : rule}`];
    }
    return readDates(value, parameters, isDay, zone).map((it) =>
      isDay ? `${kind};VALUE=DATE:${compact(it).slice(0, 8)}` : `${kind}:${compact(it)}`,
    );
  });
}

/** The instances that begin within a time, in ms since the epoch; the second bound is not included. */
export function occurrences(recurrence: Recurrence, from: number, to: number): readonly Occurrence[] {
  const isDay = recurrence.start.date !== undefined;
  // The rules of days count in UTC, at most a day away from the zone.
  const [low, high] = isDay ? [from - 86_400_000, to + 86_400_000] : [from, to];
  if (!(high > low)) return [];
  const found = new Set<number>(recurrence.added.filter((it) => it >= low && it < high));
  for (const rule of recurrence.rules) for (const it of between(rule, low, high)) found.add(it);
  // An exclusion need not end.
  const sorted = [...found].sort((a, b) => a - b);
  const [first = low, last = low] = [sorted[0], sorted.at(-1)];
  for (const rule of recurrence.excludedRules) for (const it of between(rule, first, last + 1)) found.delete(it);
  const wanted = [...found].filter((it) => !recurrence.excluded.has(it)).sort((a, b) => a - b);
  const all = wanted.slice(0, limits.instances).map((it) => occurrenceAt(recurrence, it));
  return all.filter((it) => it.at >= from && it.at < to);
}

function between(rule: RRuleTemporal, from: number, to: number): number[] {
  try {
    return rule.between(new Date(from), new Date(to - 1), true).map((it) => it.epochMilliseconds);
  } catch {
    // A rule that the library does not count to its end has no instance there.
    return [];
  }
}

function occurrenceAt({ start, zone }: Recurrence, counted: number): Occurrence {
  if (start.date !== undefined) {
    const date = dateAt(counted, 'UTC');
    return { at: startOfDay(date, zone), start: { date }, suffix: date.replaceAll('-', '') };
  }
  const dateTime = textOf(counted, zone);
  return { at: counted, start: { dateTime, timeZone: zone }, suffix: compact(counted) };
}

/** The instance with this end of its id. */
export function occurrenceOf(recurrence: Recurrence, suffix: string): Occurrence | undefined {
  const at = instantOfSuffix(suffix, recurrence.start.date !== undefined);
  if (at === undefined) return undefined;
  // A day in its zone begins up to a day away from the one in UTC.
  return occurrences(recurrence, at - 86_400_000, at + 86_400_000).find((it) => it.suffix === suffix);
}

function instantOfSuffix(suffix: string, isDay: boolean): number | undefined {
  const form = isDay ? /^(\d{4})(\d\d)(\d\d)$/ : /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
  const parts = form.exec(suffix)?.slice(1).map(Number);
  if (!parts) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** A time after which no instance begins; undefined without an end. */
export function lastStart(recurrence: Recurrence): number | undefined {
  if (!recurrence.isFinite) return undefined;
  const ends = recurrence.counted.flatMap((rule) => {
    try {
      return rule.previous(new Date(8.64e15 / 4), true)?.epochMilliseconds ?? [];
    } catch {
      return 8.64e15 / 4;
    }
  });
  return Math.max(...ends, ...recurrence.until, ...recurrence.added);
}

/** The end of an instance that begins elsewhere than the first one. Days keep their number, times their duration. */
export function endOf(start: EventTime, at: number, duration: number): EventTime {
  if (start.date !== undefined) return { date: addDays(start.date, duration) };
  const zone = start.timeZone ?? 'UTC';
  return { dateTime: textOf(at + duration, zone), timeZone: zone };
}
