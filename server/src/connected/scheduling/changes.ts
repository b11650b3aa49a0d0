import * as l10n from '@vscode/l10n';
import { backOff } from '../../engine/base/back-off.ts';
import { isRecord } from '../../engine/base/text.ts';
import type { CallOptions } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { Scheduled, Trouble } from '../model/scheduling/schedule.ts';
import { type Called, type Calls, failed } from './calls.ts';
import { type EventBody, isOwnEvent } from './event.ts';

/** Changes of events. None overwrites what others changed since it was read. */
export interface Changes {
  /**
   * Inserts an event with an id of its own choice, so that a lost answer, or another process, makes no second one.
   * @param body for a generation of its id
   * @param revive what becomes of a canceled or completed event of the same id; undefined if it stays as it is
   */
  insert(
    calendar: string,
    body: (generation: number) => EventBody,
    revive: (event: EventBody) => EventBody | undefined,
    options: CallOptions,
  ): Promise<Scheduled<Inserted>>;
  /**
   * Reads an event, and replaces it unless it has changed meanwhile; then it is read again.
   * @param apply undefined if nothing is to be changed
   */
  update(
    calendar: string,
    id: string,
    apply: (event: EventBody) => EventBody | undefined,
    options: CallOptions,
  ): Promise<Scheduled<EventBody>>;
  /** Deletes an event in the same way. One that is gone counts as deleted. */
  remove(calendar: string, id: string, options: CallOptions): Promise<Scheduled<void>>;
}

export interface Inserted {
  readonly event: EventBody;
  readonly isNew: boolean;
}

export const changeLimits = {
  /** Attempts at one change, where others change the same event, or answers are lost. */
  attempts: 5,
  /** The longest wait before the second attempt, in ms; before each further one it is twice as long. */
  firstWait: 100,
  /** Ids that are tried where the service neither shows a deleted event nor frees its id. */
  generations: 4,
} as const;

export function createChanges({
  calls,
  clock,
  random,
}: {
  readonly calls: Calls;
  readonly clock: Clock;
  readonly random: () => number;
}): Changes {
  const waits = { first: changeLimits.firstWait, longest: Number.POSITIVE_INFINITY };
  const pause = (failures: number): Promise<void> =>
    new Promise((resolve) => void clock.after(random() * backOff(failures, waits), resolve));

  function get(calendarId: string, eventId: string, options: CallOptions): Promise<Called> {
    return calls.call('events.get', { parameters: { calendarId, eventId }, about: 'event' }, options);
  }

  async function update(
    calendarId: string,
    eventId: string,
    apply: (event: EventBody) => EventBody | undefined,
    options: CallOptions,
  ): Promise<Scheduled<EventBody>> {
    let last: Trouble | undefined;
    for (let attempt = 1; attempt <= changeLimits.attempts; attempt++) {
      if (attempt > 1) await pause(attempt - 1);
      const read = await get(calendarId, eventId, options);
      if (!read.ok) return { ok: false, trouble: read.trouble };
      if (!isOwnEvent(read.value)) return notOwn();
      const body = apply(read.value);
      if (body === undefined) return { ok: true, value: read.value };
      const parameters = { calendarId, eventId };
      const done = await calls.call('events.update', { parameters, body, about: 'event' }, options);
      if (done.ok && isRecord(done.value)) return { ok: true, value: done.value };
      // After an answer that was lost or not understood, the event shows whether it was changed.
      if (!done.ok && done.status !== 412 && !isPassing(done)) return { ok: false, trouble: done.trouble };
      last = done.ok ? notUnderstood() : done.trouble;
    }
    return { ok: false, trouble: last ?? notUnderstood() };
  }

  async function remove(calendarId: string, eventId: string, options: CallOptions): Promise<Scheduled<void>> {
    let last: Trouble | undefined;
    for (let attempt = 1; attempt <= changeLimits.attempts; attempt++) {
      if (attempt > 1) await pause(attempt - 1);
      const read = await get(calendarId, eventId, options);
      if (!read.ok && (read.status === 404 || read.status === 410)) return { ok: true, value: undefined };
      if (!read.ok) return { ok: false, trouble: read.trouble };
      if (!isOwnEvent(read.value)) return notOwn();
      const { etag, status } = read.value;
      if (status === 'cancelled') return { ok: true, value: undefined };
      const given = { confirm: eventId, ...(typeof etag === 'string' && { etag }) };
      const done = await calls.call(
        'events.delete',
        { parameters: { calendarId, eventId }, options: given, about: 'event' },
        options,
      );
      if (done.ok || done.status === 404 || done.status === 410) return { ok: true, value: undefined };
      if (done.status !== 412 && !isPassing(done)) return { ok: false, trouble: done.trouble };
      last = done.trouble;
    }
    return { ok: false, trouble: last ?? notUnderstood() };
  }

  /** One attempt at one id. `again`: nothing is known, or the id cannot be used. */
  async function insertOnce(
    calendarId: string,
    body: EventBody,
    revive: (event: EventBody) => EventBody | undefined,
    options: CallOptions,
  ): Promise<Scheduled<Inserted> | { readonly again: 'same id' | 'next id'; readonly trouble: Trouble }> {
    const done = await calls.call('events.insert', { parameters: { calendarId }, body, about: 'calendar' }, options);
    if (done.ok && isOwnEvent(done.value) && done.value['id'] === body['id'])
      return { ok: true, value: { event: done.value, isNew: true } };
    const trouble = done.ok ? notUnderstood() : done.trouble;
    const isTaken = !done.ok && done.status === 409;
    if (!isTaken && !done.ok && !isPassing(done)) return { ok: false, trouble };
    const id = String(body['id']);
    const there = await get(calendarId, id, options);
    if (!there.ok) {
      if (there.status !== 404 && there.status !== 410) return { ok: false, trouble: there.trouble };
      return { again: isTaken ? 'next id' : 'same id', trouble };
    }
    if (!isOwnEvent(there.value)) return { again: 'next id', trouble };
    const planned = revive(there.value);
    if (planned === undefined) return { ok: true, value: { event: there.value, isNew: !isTaken } };
    const revived = await update(calendarId, id, revive, options);
    return revived.ok ? { ok: true, value: { event: revived.value, isNew: true } } : revived;
  }

  return {
    update,
    remove,
    async insert(calendar, body, revive, options) {
      let generation = 0;
      let trouble = notUnderstood();
      for (let attempt = 1; attempt <= changeLimits.attempts; attempt++) {
        if (generation >= changeLimits.generations) break;
        const result = await insertOnce(calendar, body(generation), revive, options);
        if ('ok' in result) return result;
        trouble = result.trouble;
        if (result.again === 'next id') generation++;
        else await pause(attempt);
      }
      return { ok: false, trouble };
    },
  };
}

/** Whether a failure may pass: no answer, or one that shows a failure of the service. */
function isPassing({ status, trouble }: Extract<Called, { readonly ok: false }>): boolean {
  return status === undefined ? trouble.kind === 'failed' : status >= 500;
}

function notUnderstood(): Trouble {
  return { kind: 'failed', reason: l10n.t('the answer of the calendar service is not understood') };
}

function notOwn(): Scheduled<never> {
  return failed('invalid', l10n.t('the event is not a scheduled update, so it stays as it is'));
}
