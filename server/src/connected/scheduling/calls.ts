import * as l10n from '@vscode/l10n';
import type { ApiAnswer, ApiRequest, CallOptions, ConnectionClient } from '../../engine/model/connection.ts';
import type { GivenParameters } from '../api/build-request.ts';
import type { ApiError } from '../api/errors.ts';
import { type CallResult, callMethod, pages } from '../api/pages.ts';
import type { RequestOptions } from '../api/rules.ts';
import { methodsOf, type ServiceMethod } from '../api/service-method.ts';
import type { Scheduled, Trouble } from '../model/scheduling/schedule.ts';

/** Calls methods of the scheduling service, within the rules of its contract. Never rejects. */
export interface Calls {
  /** @param method without the service: `events.get` */
  call(method: string, given: CallGiven, options: CallOptions): Promise<Called>;
  /** The pages of a list, joined by `read`. */
  list(method: string, given: CallGiven, options: CallOptions): AsyncGenerator<Called, void>;
}

export interface CallGiven {
  readonly parameters?: GivenParameters;
  readonly body?: unknown;
  readonly options?: RequestOptions;
  /** What a 404 or 410 is about. */
  readonly about: 'calendar' | 'event';
}

/** `status` of the answer, if there was one that was no success. */
export type Called = Scheduled<unknown> & { readonly status?: number };

export function createCalls(client: ConnectionClient, clock: { now(): number }): Calls {
  /** Notes the last answer: why nothing was sent, and until when, is in it. */
  function sender({ priority, signal }: CallOptions) {
    const seen: { last?: ApiAnswer } = {};
    const send = async (request: ApiRequest): Promise<ApiAnswer> => {
      const answer = await client.send(request, { priority, ...(signal && { signal }) });
      seen.last = answer;
      return answer;
    };
    return { send, seen };
  }

  return {
    async call(name, { parameters = {}, body, options, about }, callOptions) {
      const { send, seen } = sender(callOptions);
      const result = await callMethod(send, await methodOf(name), parameters, body, options, callOptions.signal);
      return calledOf(result, seen.last, about, clock.now());
    },
    async *list(name, { parameters = {}, body, about }, callOptions) {
      const { send, seen } = sender(callOptions);
      const method = await methodOf(name);
      for await (const page of pages(send, method, parameters, body, callOptions.signal))
        yield calledOf(page, seen.last, about, clock.now());
    },
  };
}

export async function methodOf(name: string): Promise<ServiceMethod> {
  const found = (await methodsOf('scheduling')).find((it) => it.id === `scheduling.${name}`);
  if (!found) throw new Error(`no method ${name}`);
  return found;
}

function calledOf(result: CallResult, last: ApiAnswer | undefined, about: CallGiven['about'], now: number): Called {
  switch (result.kind) {
    case 'done':
      return { ok: true, value: result.value };
    case 'error': {
      const headers = last?.kind === 'answer' ? last.headers : {};
      const trouble = troubleOf(result.error, about, headers, now);
      return { ok: false, trouble, status: result.error.status };
    }
    case 'refused':
      return failed('invalid', result.problems.map((it) => it.message).join(', '));
    case 'aborted':
      return failed('aborted', l10n.t('interrupted'));
    case 'not-connected':
      return failed('not-connected', result.reason);
    case 'failed': {
      if (last?.kind !== 'held' && last?.kind !== 'over-budget') return failed('failed', result.reason);
      return { ok: false, trouble: { kind: last.kind, reason: last.reason, until: last.until } };
    }
  }
}

export function failed(kind: Trouble['kind'], reason: string): { readonly ok: false; readonly trouble: Trouble } {
  return { ok: false, trouble: { kind, reason } };
}

/** In ms, where a service that limits calls does not say how long. */
const DEFAULT_WAIT = 60_000;

function troubleOf(
  { kind, message }: ApiError,
  about: CallGiven['about'],
  headers: Readonly<Record<string, string>>,
  now: number,
): Trouble {
  switch (kind) {
    case 'unauthorized':
      return { kind, reason: l10n.t('the calendar service does not accept the credential') };
    case 'forbidden':
      return { kind, reason: l10n.t('the calendar service does not permit this: {0}', message) };
    case 'not-found':
    case 'gone':
      return about === 'calendar'
        ? { kind: 'calendar-gone', reason: l10n.t('the calendar does not exist any more, or is not shared with you') }
        : { kind: 'event-gone', reason: l10n.t('the event does not exist any more') };
    case 'limited': {
      const seconds = Number(headers['retry-after']);
      const wait = seconds > 0 ? seconds * 1000 : DEFAULT_WAIT;
      return { kind: 'held', reason: requestedText(seconds), until: now + wait };
    }
    case 'changed':
    case 'conflict':
      return { kind: 'changed', reason: l10n.t('others changed the event meanwhile: {0}', message) };
    case 'invalid':
      return { kind, reason: l10n.t('the calendar service does not accept this: {0}', message) };
    case 'moved':
    case 'failed':
      return { kind: 'failed', reason: l10n.t('the calendar service failed: {0}', message) };
  }
}

function requestedText(seconds: number): string {
  return seconds > 0
    ? l10n.t('the service requested a wait of {0} s', seconds)
    : l10n.t('the service requested a wait');
}
