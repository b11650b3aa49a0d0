/** What a person has set for planned updates. */
export interface SchedulingSettings {
  /** The id of the calendar for events; empty for the one that was chosen with a command. */
  readonly calendar: string;
  /** The ids of the calendars whose events are busy times. */
  readonly busyCalendars: readonly string[];
  readonly workingHours: WorkingHours;
  /** The length of an event, in minutes. */
  readonly slotMinutes: number;
  /** The address that is notified of changes, instead of requests at intervals; empty for none. */
  readonly notifications: string;
}

/** In the time zone of the person. */
export interface WorkingHours {
  /** In minutes since midnight. `to` is later than `from`. */
  readonly from: number;
  readonly to: number;
  readonly days: readonly WeekDay[];
}

/** Sunday first, as `Date.getDay` counts them. */
export const weekDays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type WeekDay = (typeof weekDays)[number];

/** Two times of a day of 24 hours: `09:00-17:00`. */
export const hoursPattern = '^([01]\\d|2[0-3]):([0-5]\\d)-([01]\\d|2[0-3]|24(?=:00)):([0-5]\\d)$';

/** Reads `09:00-17:30`, in minutes since midnight; undefined if it is invalid, or ends before it begins. */
export function readHours(text: string): Pick<WorkingHours, 'from' | 'to'> | undefined {
  const [, ...parts] = new RegExp(hoursPattern).exec(text) ?? [];
  if (parts.length === 0) return undefined;
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = parts.map(Number);
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
  return from < to ? { from, to } : undefined;
}
