import type { Clock } from '../../engine/model/ports.ts';
import { troubleOf } from '../../engine/storage/database.ts';
import type { CallerOf } from '../../service/callers.ts';
import type { PlainReply, ServicesHead, ServicesRequest } from '../../service/http-server.ts';
import { deleteRule, getRule, insertRule, listRules, patchRule, updateRule } from './acl.ts';
import { exportCalendar } from './calendar-file.ts';
import { deleteEntry, getEntry, insertEntry, listEntries, patchEntry, updateEntry } from './calendar-list.ts';
import {
  clearCalendar,
  deleteCalendar,
  getCalendar,
  insertCalendar,
  patchCalendar,
  updateCalendar,
  welcome,
} from './calendars.ts';
import type { Answer, Call } from './call.ts';
import { createCallbacks } from './callbacks.ts';
import { announce, stopChannel, watchEntries, watchEvents, watchRules, watchSettings } from './channels.ts';
import { errorReply, invalid, notFound, Refused, unauthorized } from './errors.ts';
import { listEvents, listInstances } from './event-list.ts';
import {
  deleteEvent,
  getEvent,
  importEvent,
  insertEvent,
  moveEvent,
  patchEvent,
  quickAddEvent,
  updateEvent,
} from './events.ts';
import { queryFreeBusy } from './free-busy.ts';
import { getColors, getSetting, listSettings } from './settings.ts';
import type { CalendarStore } from './store.ts';

export interface SchedulingOptions {
  readonly store: CalendarStore;
  readonly clock: Clock;
  readonly callerOf: CallerOf;
  /** Of the calendars of new users: `Europe/Berlin`. */
  readonly timeZone: string;
}

export interface SchedulingService {
  /** Undefined for a path of another version. */
  answer(request: ServicesRequest): PlainReply | undefined;
  readsBody(request: ServicesHead): boolean;
  close(): void;
}

interface Method {
  readonly name: string;
  readonly verb: string;
  /** `*` is one percent-encoded segment. */
  readonly path: string;
  readonly answer: (call: Call) => Answer;
}

/** Every method of the interface. What is read only sees one state of the calendars, what changes them is all or nothing. */
const methods: readonly Method[] = [
  { name: 'acl.delete', verb: 'DELETE', path: 'calendars/*/acl/*', answer: deleteRule },
  { name: 'acl.get', verb: 'GET', path: 'calendars/*/acl/*', answer: getRule },
  { name: 'acl.insert', verb: 'POST', path: 'calendars/*/acl', answer: insertRule },
  { name: 'acl.list', verb: 'GET', path: 'calendars/*/acl', answer: listRules },
  { name: 'acl.patch', verb: 'PATCH', path: 'calendars/*/acl/*', answer: patchRule },
  { name: 'acl.update', verb: 'PUT', path: 'calendars/*/acl/*', answer: updateRule },
  { name: 'acl.watch', verb: 'POST', path: 'calendars/*/acl/watch', answer: watchRules },
  { name: 'calendarList.delete', verb: 'DELETE', path: 'users/me/calendarList/*', answer: deleteEntry },
  { name: 'calendarList.get', verb: 'GET', path: 'users/me/calendarList/*', answer: getEntry },
  { name: 'calendarList.insert', verb: 'POST', path: 'users/me/calendarList', answer: insertEntry },
  { name: 'calendarList.list', verb: 'GET', path: 'users/me/calendarList', answer: listEntries },
  { name: 'calendarList.patch', verb: 'PATCH', path: 'users/me/calendarList/*', answer: patchEntry },
  { name: 'calendarList.update', verb: 'PUT', path: 'users/me/calendarList/*', answer: updateEntry },
  { name: 'calendarList.watch', verb: 'POST', path: 'users/me/calendarList/watch', answer: watchEntries },
  { name: 'calendars.clear', verb: 'POST', path: 'calendars/*/clear', answer: clearCalendar },
  { name: 'calendars.delete', verb: 'DELETE', path: 'calendars/*', answer: deleteCalendar },
  { name: 'calendars.get', verb: 'GET', path: 'calendars/*', answer: getCalendar },
  { name: 'calendars.insert', verb: 'POST', path: 'calendars', answer: insertCalendar },
  { name: 'calendars.patch', verb: 'PATCH', path: 'calendars/*', answer: patchCalendar },
  { name: 'calendars.update', verb: 'PUT', path: 'calendars/*', answer: updateCalendar },
  { name: 'channels.stop', verb: 'POST', path: 'channels/stop', answer: stopChannel },
  { name: 'colors.get', verb: 'GET', path: 'colors', answer: getColors },
  { name: 'events.delete', verb: 'DELETE', path: 'calendars/*/events/*', answer: deleteEvent },
  { name: 'events.get', verb: 'GET', path: 'calendars/*/events/*', answer: getEvent },
  { name: 'events.import', verb: 'POST', path: 'calendars/*/events/import', answer: importEvent },
  { name: 'events.insert', verb: 'POST', path: 'calendars/*/events', answer: insertEvent },
  { name: 'events.instances', verb: 'GET', path: 'calendars/*/events/*/instances', answer: listInstances },
  { name: 'events.list', verb: 'GET', path: 'calendars/*/events', answer: listEvents },
  { name: 'events.move', verb: 'POST', path: 'calendars/*/events/*/move', answer: moveEvent },
  { name: 'events.patch', verb: 'PATCH', path: 'calendars/*/events/*', answer: patchEvent },
  { name: 'events.quickAdd', verb: 'POST', path: 'calendars/*/events/quickAdd', answer: quickAddEvent },
  { name: 'events.update', verb: 'PUT', path: 'calendars/*/events/*', answer: updateEvent },
  { name: 'events.watch', verb: 'POST', path: 'calendars/*/events/watch', answer: watchEvents },
  { name: 'freebusy.query', verb: 'POST', path: 'freeBusy', answer: queryFreeBusy },
  { name: 'settings.get', verb: 'GET', path: 'users/me/settings/*', answer: getSetting },
  { name: 'settings.list', verb: 'GET', path: 'users/me/settings', answer: listSettings },
  { name: 'settings.watch', verb: 'POST', path: 'users/me/settings/watch', answer: watchSettings },
  // Not of the contract: a calendar as a file of RFC 5545.
  { name: 'calendars.export', verb: 'GET', path: 'calendars/*/ical', answer: exportCalendar },
];

/** Calendars and events in a file. */
export function createSchedulingService(options: SchedulingOptions): SchedulingService {
  const { store, clock, callerOf } = options;
  const callbacks = createCallbacks(clock);

  function perform(request: ServicesRequest, found: { method: Method; values: readonly string[] }): Answer {
    const { headers, target, body } = request;
    const caller = callerOf(headers);
    if (caller === undefined) throw unauthorized();
    const cut = target.indexOf('?');
    const call: Call = {
      store,
      now: clock.now(),
      caller,
      values: found.values,
      parameters: new URLSearchParams(cut < 0 ? '' : target.slice(cut + 1)),
      headers,
      base: `http://${headers['host'] ?? 'localhost'}/v3`,
      target,
      text: body,
      changed: new Set(),
      messages: [],
      defaultZone: options.timeZone,
    };
    if (store.get('calendars', caller) === undefined) store.write(() => welcome(call));
    const isRead = found.method.verb === 'GET' || found.method.name === 'freebusy.query';
    if (isRead) return store.read(() => found.method.answer(call));
    const answer = store.write(() => {
      const made = found.method.answer(call);
      announce(call);
      return made;
    });
    for (const { address, headers: sent } of call.messages) callbacks.send(address, sent);
    return answer;
  }

  return {
    answer(request) {
      const { method: verb, target, headers } = request;
      if (!target.startsWith('/v3/')) return undefined;
      try {
        const found = methodOf(verb === 'HEAD' ? 'GET' : verb, target);
        if (!found) return errorReply(callerOf(headers) === undefined ? unauthorized() : notFound());
        return replyOf(request, perform(request, found));
      } catch (error) {
        if (error instanceof Refused) return errorReply(error);
        if (troubleOf(error) === 'busy')
          return errorReply(new Refused(503, 'backendError', 'Another process is writing.'));
        throw error;
      }
    },
    readsBody({ method, target, headers }) {
      const isWrite = method === 'POST' || method === 'PUT' || method === 'PATCH';
      return isWrite && target.startsWith('/v3/') && callerOf(headers) !== undefined && hasMethod(method, target);
    },
    close() {
      callbacks.close();
      store.close();
    },
  };
}

function methodOf(verb: string, target: string): { method: Method; values: readonly string[] } | undefined {
  const segments = target.slice('/v3/'.length).replace(/\?.*$/s, '').split('/');
  for (const method of methods) {
    const pattern = method.path.split('/');
    if (method.verb !== verb || pattern.length !== segments.length) continue;
    if (!pattern.every((it, at) => (it === '*' ? segments[at] !== '' : it === segments[at]))) continue;
    return { method, values: segments.filter((_, at) => pattern[at] === '*').map(decoded) };
  }
  return undefined;
}

/** Whether there is one; a path that cannot be read has none. */
function hasMethod(verb: string, target: string): boolean {
  try {
    return methodOf(verb, target) !== undefined;
  } catch {
    return false;
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid('The path is not percent-encoded correctly.');
  }
}

function replyOf({ method, headers }: ServicesRequest, { body, etag, text }: Answer): PlainReply {
  const tags: Record<string, string> = etag === undefined ? {} : { ETag: etag };
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && etag !== undefined && headers['if-none-match'] === etag)
    return { status: 304, headers: tags, body: '' };
  if (text) return { status: 200, headers: { ...tags, 'Content-Type': text.type }, body: text.content };
  if (!body) return { status: 204, headers: {}, body: '' };
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status: 200, headers: { ...tags, ...type }, body: JSON.stringify(body) };
}
