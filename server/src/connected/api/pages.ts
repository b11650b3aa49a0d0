import * as l10n from '@vscode/l10n';
import { isRecord } from '../../engine/base/text.ts';
import type { ApiAnswer, ApiRequest } from '../../engine/model/connection.ts';
import { type BuiltRequest, buildRequest, type GivenParameters } from './build-request.ts';
import { type ApiError, readError } from './errors.ts';
import { readJson } from './json.ts';
import type { Problem } from './problem.ts';
import type { RequestOptions } from './rules.ts';
import { methodsOf, type ServiceMethod } from './service-method.ts';

/** Sends one request: `ConnectionClient.send` with the options bound. */
export type Send = (request: ApiRequest, signal?: AbortSignal) => Promise<ApiAnswer>;

/** The result of a call. */
export type CallResult =
  /** `value` is the answer as JSON; undefined if it is empty. */
  | { readonly kind: 'done'; readonly value: unknown; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'error'; readonly error: ApiError }
  /** Nothing was sent, or no answer arrived. `reason` is a clause. */
  | { readonly kind: 'failed' | 'not-connected'; readonly reason: string }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  | { readonly kind: 'aborted' };

/** Pages of one list. A service that always names another page would never end. */
const MAX_PAGES = 10_000;

/** Whether a method answers in pages. */
export function hasPages(method: ServiceMethod): boolean {
  return method.effect === 'read' && method.parameters.some((it) => it.name === 'pageToken');
}

/** Builds and sends one call, after the call that its rules require. */
export async function callMethod(
  send: Send,
  method: ServiceMethod,
  parameters: GivenParameters,
  body?: unknown,
  options: RequestOptions = {},
  signal?: AbortSignal,
): Promise<CallResult> {
  const built = buildRequest(method, parameters, body, options);
  return built.ok ? sendBuilt(send, built, method, parameters, signal) : { kind: 'refused', problems: built.problems };
}

/** Sends a request that was built, after the call that its rules require. */
export async function sendBuilt(
  send: Send,
  { request, before }: Extract<BuiltRequest, { readonly ok: true }>,
  method: ServiceMethod,
  parameters: GivenParameters,
  signal?: AbortSignal,
): Promise<CallResult> {
  if (before) {
    const required = (await methodsOf(method.connection)).find((it) => it.id === before.method);
    if (!required) throw new Error(`no method ${before.method}`);
    const names = required.parameters.filter((it) => it.in === 'path').map((it) => it.name);
    const own = Object.fromEntries(Object.entries(parameters).filter(([name]) => names.includes(name)));
    const first = await callMethod(send, required, own, undefined, {}, signal);
    if (first.kind !== 'done') return first;
    const problem = before.check(first.value);
    if (problem) return { kind: 'refused', problems: [problem] };
  }
  return resultOf(await send(request, signal));
}

/**
 * The pages of a list, one after another, until the last one or the first that is not `done`. A signal that aborts ends
 * it with `aborted`.
 */
export async function* pages(
  send: Send,
  method: ServiceMethod,
  parameters: GivenParameters,
  body?: unknown,
  signal?: AbortSignal,
): AsyncGenerator<CallResult, void> {
  const seen = new Set<string>();
  let given = parameters;
  for (;;) {
    const page = await callMethod(send, method, given, body, {}, signal);
    if (page.kind !== 'done') {
      yield page;
      return;
    }
    const token = isRecord(page.value) ? page.value['nextPageToken'] : undefined;
    yield page;
    if (typeof token !== 'string' || token === '') return;
    if (seen.has(token) || seen.size + 1 >= MAX_PAGES) {
      yield { kind: 'failed', reason: l10n.t('the service repeats pages without end') };
      return;
    }
    seen.add(token);
    given = { ...parameters, pageToken: token };
  }
}

/** The pages of a list as one: its lists are joined, everything else is of the last page. */
export function joinPages(values: readonly unknown[]): unknown {
  const joined: Record<string, unknown> = {};
  for (const page of values.filter(isRecord)) {
    for (const [name, value] of Object.entries(page)) {
      const former = Object.hasOwn(joined, name) ? joined[name] : undefined;
      if (Array.isArray(former) && Array.isArray(value)) for (const it of value) former.push(it);
      else define(joined, name, Array.isArray(value) ? [...value] : value);
    }
  }
  delete joined['nextPageToken'];
  return joined;
}

/** Sets a member, even one named `__proto__`. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Reads an answer: a status of 2xx, with JSON or without a body. */
export function resultOf(answer: ApiAnswer): CallResult {
  switch (answer.kind) {
    case 'answer': {
      const { status, headers, text } = answer;
      if (status < 200 || status >= 300) return { kind: 'error', error: readError(status, text) };
      if (text.trim() === '') return { kind: 'done', value: undefined, headers };
      const read = readJson(text);
      if (read.kind === 'value') return { kind: 'done', value: read.value, headers };
      const isDeep = read.kind === 'deep';
      return {
        kind: 'failed',
        reason: isDeep ? l10n.t('the answer is nested too deeply') : l10n.t('the answer is not JSON'),
      };
    }
    case 'aborted':
    case 'not-connected':
      return answer;
    case 'held':
    case 'over-budget':
    case 'failure':
      return { kind: 'failed', reason: answer.reason };
  }
}
