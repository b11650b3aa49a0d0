import * as l10n from '@vscode/l10n';
import { timeOf } from '../../engine/base/dates.ts';
import { isRecord } from '../../engine/base/text.ts';
import type { ApiAnswer, CallPriority, ConnectionClient } from '../../engine/model/connection.ts';
import type { GivenParameters } from '../api/build-request.ts';
import type { CallResult } from '../api/pages.ts';
import { callMethod, joinPages, pages } from '../api/pages.ts';
import type { RequestOptions } from '../api/rules.ts';
import { methodsOf, type ServiceMethod } from '../api/service-method.ts';

/** Calls methods of the deployment service by their names: `types.list`. Never rejects. */
export interface ServiceCalls {
  call(name: string, parameters: GivenParameters, more?: CallMore): Promise<ServiceAnswer>;
  /** All pages of a list as one. */
  list(name: string, parameters: GivenParameters, more?: CallMore): Promise<ServiceAnswer>;
}

export interface CallMore {
  readonly body?: unknown;
  readonly options?: RequestOptions;
  /** Default: `asked`. */
  readonly priority?: CallPriority;
  readonly signal?: AbortSignal;
}

export type ServiceAnswer =
  | { readonly kind: 'done'; readonly value: unknown }
  | {
      readonly kind: 'failed';
      /** A clause. */
      readonly reason: string;
      /** Of an answer of the service. */
      readonly status?: number;
      /** When to try again, in ms since the epoch. */
      readonly until?: number;
      readonly isOverBudget?: true;
      /** It may have arrived: no answer came, or one that cannot be read. */
      readonly isLost?: true;
    }
  | { readonly kind: 'aborted' };

export function createServiceCalls(client: ConnectionClient): ServiceCalls {
  async function methodCalled(name: string): Promise<ServiceMethod> {
    const id = `deployments.${name}`;
    const method = (await methodsOf('deployments')).find((it) => it.id === id);
    if (!method) throw new Error(`no method ${id}`);
    return method;
  }

  /** The answers are remembered, because results do not give the time of a hold. */
  function sender({ priority = 'asked' }: CallMore) {
    const sender = {
      last: undefined as ApiAnswer | undefined,
      send: async (...[request, signal]: Parameters<Parameters<typeof callMethod>[0]>): Promise<ApiAnswer> => {
        sender.last = await client.send(request, { priority, ...(signal && { signal }) });
        return sender.last;
      },
    };
    return sender;
  }

  return {
    async call(name, parameters, more = {}) {
      const by = sender(more);
      const method = await methodCalled(name);
      const result = await callMethod(by.send, method, parameters, more.body, more.options, more.signal);
      return answerOf(result, by.last);
    },
    async list(name, parameters, more = {}) {
      const by = sender(more);
      const values: unknown[] = [];
      for await (const page of pages(by.send, await methodCalled(name), parameters, undefined, more.signal)) {
        if (page.kind !== 'done') return answerOf(page, by.last);
        if (!isRecord(page.value)) return { kind: 'failed', reason: l10n.t('the answer is not valid') };
        values.push(page.value);
      }
      return { kind: 'done', value: joinPages(values) };
    },
  };
}

function answerOf(result: CallResult, last: ApiAnswer | undefined): ServiceAnswer {
  switch (result.kind) {
    case 'done':
      return { kind: 'done', value: result.value };
    case 'aborted':
      return { kind: 'aborted' };
    case 'refused':
      return { kind: 'failed', reason: result.problems.map((it) => it.message).join('; ') };
    case 'error':
      return { kind: 'failed', reason: result.error.message, status: result.error.status };
    case 'failed':
    case 'not-connected': {
      const until = last?.kind === 'held' || last?.kind === 'over-budget' ? last.until : undefined;
      return {
        kind: 'failed',
        reason: result.reason,
        ...(until !== undefined && { until }),
        ...(last?.kind === 'over-budget' && { isOverBudget: true }),
        ...((last?.kind === 'failure' || last?.kind === 'answer') && { isLost: true }),
      };
    }
  }
}

/** The reason of a failure as a clause, with the time of the next attempt. */
export function failureText({ reason, until }: Extract<ServiceAnswer, { readonly kind: 'failed' }>): string {
  return until === undefined ? reason : l10n.t('{0}, until {1}', reason, timeOf(until));
}
