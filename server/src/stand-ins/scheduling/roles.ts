import type { Call } from './call.ts';
import { notFound, Refused } from './errors.ts';
import type { CalendarStore, Item } from './store.ts';

/** In ascending order: each includes those before it. */
export const roles = ['none', 'freeBusyReader', 'reader', 'writerWithoutPrivateAccess', 'writer', 'owner'] as const;

export type Role = (typeof roles)[number];

/** A calendar that the caller may use. */
export interface Calendar {
  readonly id: string;
  readonly item: Item;
  readonly role: Role;
  readonly timeZone: string;
}

export function includes(role: Role, other: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(other);
}

export function isRole(value: unknown): value is Role {
  return roles.some((it) => it === value);
}

/** `primary` is the calendar of the caller. Addresses are equal in upper and lower case. */
export function calendarId({ caller }: Pick<Call, 'caller'>, given: string): string {
  return given === 'primary' ? caller : given.toLowerCase();
}

/** The highest role that a rule gives to a user. Groups have no members here. */
export function roleOf(store: CalendarStore, calendar: string, user: string): Role {
  const domain = user.slice(user.lastIndexOf('@') + 1);
  const ids = ['default', `user:${user}`, `domain:${domain}`];
  const found = ids.flatMap((id) => {
    const rule = store.get(`acl/${calendar}`, id);
    const role = rule?.isDeleted ? undefined : rule?.body['role'];
    return isRole(role) ? [role] : [];
  });
  return found.reduce<Role>((best, it) => (includes(it, best) ? it : best), 'none');
}

/**
 * The calendar of a request.
 * @param minimum the role that the method requires
 * @throws `Refused`: 404 for an unknown calendar and for one without any access, 403 for too little access
 */
export function openCalendar(call: Call, given: string, minimum: Role): Calendar {
  const id = calendarId(call, given);
  const item = call.store.get('calendars', id);
  if (item === undefined || item.isDeleted) throw notFound();
  const role = roleOf(call.store, id, call.caller);
  if (role === 'none') throw notFound();
  if (!includes(role, minimum)) {
    const message = `You need to have ${minimum} access to this calendar.`;
    throw new Refused(403, 'requiredAccessLevel', message, { domain: 'calendar' });
  }
  return { id, item, role, timeZone: String(item.body['timeZone'] ?? 'UTC') };
}
