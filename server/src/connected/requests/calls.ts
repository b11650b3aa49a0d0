import * as l10n from '@vscode/l10n';
import { isRecord, oneLine } from '../../engine/base/text.ts';
import type { ApiAnswer, ConnectionName, Connections } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import { unitsText } from '../api/cost.ts';
import { dryRun } from '../api/dry-run.ts';
import { adviceFor } from '../api/errors.ts';
import { readJson } from '../api/json.ts';
import { type CallResult, hasPages, joinPages, pages, type Send, sendBuilt } from '../api/pages.ts';
import { ruleText } from '../api/rules.ts';
import { allMethods, resourceParameter, type ServiceMethod } from '../api/service-method.ts';
import type { CallAnswer, MethodSummary, RequestCalls, RequestProblem } from '../model/documents/requests.ts';
import { type CheckedRequest, checkRequest } from './check.ts';
import { parseRequest } from './parse.ts';
import { templateFor } from './template.ts';

export interface CallParts {
  readonly connections: Pick<Connections, 'client'>;
  readonly isConnected: (name: ConnectionName) => boolean;
  readonly clock: Pick<Clock, 'now'>;
}

/** Sends request documents through the connections, which check address, budget and holds, and add the credential. */
export function createRequestCalls(parts: CallParts): RequestCalls {
  const { connections, isConnected, clock } = parts;
  const check = (text: string): Promise<CheckedRequest> =>
    checkRequest(parseRequest(text), { isConnected, isOwnExtension: false });
  return {
    async methods() {
      return (await allMethods()).map(({ id, connection, verb, path, units, effect }): MethodSummary => {
        return { id, connection, verb, path, units, effect, isConnected: isConnected(connection) };
      });
    },
    async template(id) {
      const method = (await allMethods()).find((it) => it.id === id);
      return method && templateFor(method);
    },
    async send(text, { page, confirm }, signal, report = () => {}) {
      const checked = await check(text);
      const { method, built, given, body } = checked;
      const problems = problemsOf(checked);
      if (method === undefined || built?.ok !== true || problems.length > 0) return { kind: 'refused', problems };
      const name = resourceName(method, checked);
      if (method.effect === 'destroy' && confirm !== name) return { kind: 'confirm', method: method.id, name };
      const sent: Sent[] = [];
      const client = connections.client(method.connection);
      const send: Send = async (request, signal) => {
        const began = clock.now();
        const answer = await client.send(request, { priority: 'asked', ...(signal && { signal }) });
        sent.push({ answer, units: request.units, ms: clock.now() - began });
        return answer;
      };
      const { pageToken: _, ...others } = given;
      const result =
        page === undefined
          ? await sendBuilt(send, built, method, given, signal)
          : page === 'all'
            ? await allPages(pages(send, method, others, body, signal), report)
            : await firstPage(pages(send, method, { ...given, pageToken: page }, body, signal));
      return answerOf(result, method, sent);
    },
    async copy(text, format) {
      const checked = await check(text);
      const { method, built } = checked;
      const problems = problemsOf(checked);
      if (method === undefined || built?.ok !== true || problems.length > 0) return { kind: 'refused', problems };
      const { before } = built;
      const comments = [
        method.id,
        ...(before ? [l10n.t('{0} is called first: {1}', before.method, ruleText(before.rule))] : []),
      ];
      return { kind: 'copied', text: dryRun(built.request, format, format === 'http' ? { comments } : {}) };
    },
  };
}

/** What was sent, with its answer. */
interface Sent {
  readonly answer: ApiAnswer;
  readonly units: number;
  readonly ms: number;
}

/** The errors of a document: it is not sent with one. */
export function problemsOf({ findings, method }: CheckedRequest): readonly RequestProblem[] {
  const errors = findings
    .filter((it) => it.severity === 'error')
    .map(({ message, span: { start, end } }) => ({ message, start, end }));
  if (errors.length > 0 || method) return errors;
  return [{ message: l10n.t('Name a method: METHOD scheduling.events.list'), start: 0, end: 0 }];
}

/** The value of the parameter that names the resource. */
export function resourceName(method: ServiceMethod, { given }: Pick<CheckedRequest, 'given'>): string {
  const value = given[resourceParameter(method)?.name ?? ''];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

async function firstPage(all: AsyncGenerator<CallResult, void>): Promise<CallResult> {
  const { value } = await all.next();
  await all.return();
  return value ?? { kind: 'aborted' };
}

/** All pages as one, or the first result that is no page. */
async function allPages(all: AsyncGenerator<CallResult, void>, report: (pages: number) => void): Promise<CallResult> {
  const values: unknown[] = [];
  let last: CallResult = { kind: 'aborted' };
  for await (const page of all) {
    last = page;
    if (page.kind === 'done') values.push(page.value);
    report(values.length);
  }
  return last.kind === 'done' ? { ...last, value: joinPages(values) } : last;
}

function answerOf(result: CallResult, method: ServiceMethod, sent: readonly Sent[]): CallAnswer {
  switch (result.kind) {
    case 'done': {
      const next = isRecord(result.value) ? result.value['nextPageToken'] : undefined;
      const summary = summaryOf(sent);
      return {
        kind: 'answer',
        method: method.id,
        isError: false,
        status: statusOf(sent),
        summary,
        content: contentOf([method.id, summary], result.value),
        ...(typeof next === 'string' && next !== '' && { nextPageToken: next }),
        hasPages: hasPages(method),
      };
    }
    case 'error': {
      const { error } = result;
      const advice = adviceFor(error);
      const places =
        error.locations.length === 0 ? [] : [l10n.t('named by the service: {0}', error.locations.join(', '))];
      const head = [method.id, summaryOf(sent), error.message, ...places, ...(advice === undefined ? [] : [advice])];
      return {
        kind: 'answer',
        method: method.id,
        isError: true,
        status: error.status,
        summary: advice === undefined ? error.message : `${error.message}. ${advice}`,
        content: contentOf(head, bodyOf(sent.at(-1)?.answer)),
        hasPages: false,
      };
    }
    case 'refused':
      return {
        kind: 'refused',
        problems: result.problems.map(({ message }) => ({ message, start: 0, end: 0 })),
      };
    case 'not-connected':
      return { kind: 'not-connected', connection: method.connection, reason: result.reason };
    case 'failed':
      return { kind: 'failed', reason: result.reason };
    case 'aborted':
      return result;
  }
}

function statusOf(sent: readonly Sent[]): number {
  const answer = sent.at(-1)?.answer;
  return answer?.kind === 'answer' ? answer.status : 0;
}

/** The body of an error: JSON, or a text. */
function bodyOf(answer: ApiAnswer | undefined): unknown {
  if (answer?.kind !== 'answer' || answer.text.trim() === '') return undefined;
  const read = readJson(answer.text);
  return read.kind === 'value' ? read.value : oneLine(answer.text);
}

/** `200 · 143 ms · 2113 bytes · 1 quota unit`, of several requests together. */
function summaryOf(sent: readonly Sent[]): string {
  const total = (of: (it: Sent) => number): number => sent.reduce((sum, it) => sum + of(it), 0);
  const bytes = total(({ answer }) => (answer.kind === 'answer' ? Buffer.byteLength(answer.text) : 0));
  return [
    String(statusOf(sent)),
    ...(sent.length > 1 ? [l10n.t('{0} requests', sent.length)] : []),
    l10n.t('{0} ms', Math.round(total((it) => it.ms))),
    bytes === 1 ? l10n.t('1 byte') : l10n.t('{0} bytes', bytes),
    unitsText(total((it) => it.units)),
  ].join(' · ');
}

/**
 *     // scheduling.events.list
 *     // 200 · 143 ms · 2113 bytes · 1 quota unit
 *     { … }
 */
function contentOf(head: readonly string[], value: unknown): string {
  const comments = head.map((it) => `// ${oneLine(it)}`);
  const json = value === undefined ? [] : [JSON.stringify(value, undefined, 2)];
  return `${[...comments, ...json].join('\n')}\n`;
}
