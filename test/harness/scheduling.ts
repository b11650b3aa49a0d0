import assert from 'node:assert/strict';
import { callersOf } from '../../server/src/service/callers.ts';
import { createSchedulingService } from '../../server/src/stand-ins/scheduling/service.ts';
import { openCalendarStore } from '../../server/src/stand-ins/scheduling/store.ts';
import { fakeClock } from './fake-clock.ts';

export interface Asked {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are JSON of many shapes
  readonly body: any;
  readonly etag: string;
  /** Of the error, if it is one. */
  readonly reason: string | undefined;
}

/** The emails of the users, whose tokens are their names before the @. */
export const [me, other, third] = ['me@a.example', 'other@a.example', 'third@b.example'] as const;

/** The scheduling service in this process; its clock stands at noon UTC of Monday, 23 November 2026. */
export function schedulingHere(path = ':memory:') {
  const clock = fakeClock(Date.UTC(2026, 10, 23, 12));
  const store = openCalendarStore(path);
  const callerOf = callersOf([me, other, third].map((email) => ({ email, token: email.split('@')[0] ?? '' })));
  const service = createSchedulingService({ store, clock, callerOf, timeZone: 'Europe/Berlin' });

  /** `GET users/me/settings`, as a user who is `me` unless another one is named. */
  function ask(line: string, body?: object | string, headers: Record<string, string> = {}, user = 'me'): Asked {
    const [method = '', path = ''] = line.split(' ');
    const reply = service.answer({
      method,
      target: `/v3/${path}`,
      body: typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body),
      headers: { host: '127.0.0.1:1/scheduling', authorization: `Bearer ${user}`, ...headers },
      address: '127.0.0.1',
    });
    assert.ok(reply, line);
    const isJson = reply.headers['Content-Type']?.startsWith('application/json');
    const value = isJson && reply.body !== '' ? JSON.parse(reply.body) : reply.body;
    const reason = value?.error?.errors?.[0]?.reason;
    return { status: reply.status, body: value, etag: reply.headers['ETag'] ?? '', reason };
  }

  return {
    ask,
    clock,
    service,
    store,
    as: (user: string) => (line: string, body?: object) => ask(line, body, {}, user),
  };
}

/** The body of an event of an hour. */
export function hourAt(start: string, more: object = {}): { start: object; end: object; summary: string } {
  const end = new Date(Date.parse(start) + 3_600_000).toISOString();
  return { summary: 'one', start: { dateTime: start }, end: { dateTime: end }, ...more };
}
