import { createHash } from 'node:crypto';
import { isTooDeep } from '../engine/base/json-depth.ts';
import { isRecord } from '../engine/base/text.ts';
import { leastFresh } from './freshness.ts';
import { badRequest, jsonReply, type Reply, unavailable } from './replies.ts';
import type { Answer, Answering, Freshness } from './source.ts';

/** Source: contract of the Package Insights Service, “Limits”. */
export const MAX_REQUESTS = 5000;
/** Answers on one page. The public instance uses the same number. */
export const PAGE_SIZE = 100;

/** How one kind of batch reads a request and answers it. */
export interface BatchKind<T> {
  readonly name: string;
  /** The request as read, or an error message: `versionKey.name: expected a string`. */
  readonly read: (request: Readonly<Record<string, unknown>>) => ReadRequest<T> | string;
  /** The part of the response beside the echoed request. It is not found: `value` is undefined, or the answer says so. */
  readonly answer: (value: T) => Answering<object>;
}

export interface ReadRequest<T> {
  readonly value: T;
  /** The request as it is echoed: spelled as it was sent, without fields that the interface does not know. */
  readonly echo: object;
}

/**
 * Answers one page of a batch.
 * @param text the body: `{"requests": […], "pageToken": "…"}`
 */
export async function answerBatch<T>(kind: BatchKind<T>, text: string, pageSize: number): Promise<Reply> {
  const body = parseObject(text);
  if (typeof body === 'string') return badRequest(body);
  const requests = body.requests ?? [];
  if (!Array.isArray(requests)) return badRequest('requests: expected a list');
  if (requests.length > MAX_REQUESTS) {
    return badRequest(`too many requests: ${requests.length}, at most ${MAX_REQUESTS} are allowed`);
  }
  const asked: ReadRequest<T>[] = [];
  for (const [index, request] of requests.entries()) {
    const read = isRecord(request) ? kind.read(request) : 'expected an object';
    if (typeof read === 'string') return badRequest(`requests[${index}]${read.startsWith('e') ? ': ' : '.'}${read}`);
    asked.push(read);
  }
  const bound = fingerprint(
    kind.name,
    asked.map((it) => it.echo),
  );
  const start = readToken(body.pageToken, bound, asked.length);
  if (start === undefined) return badRequest('pageToken: not a token of this request');
  const end = Math.min(start + pageSize, asked.length);
  const page = asked.slice(start, end);
  const answers = await Promise.all(page.map((it) => kind.answer(it.value)));
  const failed = answers.filter((it) => it.kind === 'unavailable');
  const [first] = failed;
  // Clients that do not know the field would take each row as unknown.
  if (first && failed.length === page.length) return unavailable(first);
  const responses = page.map((it, index) => ({ request: it.echo, ...besideRequest(answers[index]) }));
  return jsonReply(
    { responses, nextPageToken: end < asked.length ? writeToken(end, bound) : '' },
    first ? stale : leastFresh(answers),
  );
}

/** A page with a row that is to be had in some seconds is not kept. */
const stale: Freshness = { age: 0, lifetime: 0, found: 'asked' };

function besideRequest(answer: Answer<object> | undefined): object {
  if (answer?.kind === 'found') return answer.body;
  // Fields that the interface does not know, so other clients pass them over.
  if (answer?.kind === 'unavailable') return { unavailable: answer.reason };
  return answer?.kind === 'not kept' ? { notKept: true } : {};
}

function parseObject(text: string): Readonly<Record<string, unknown>> | string {
  if (isTooDeep(text)) return 'the body is nested too deep';
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'the body is not JSON';
  }
  return isRecord(body) ? body : 'the body: expected an object';
}

/** A token holds where the next page starts, and which request it belongs to: another body makes it invalid. */
function writeToken(start: number, bound: string): string {
  return Buffer.from(`${start}.${bound}`).toString('base64url');
}

function readToken(token: unknown, bound: string, length: number): number | undefined {
  if (token === undefined || token === null || token === '') return 0;
  if (typeof token !== 'string') return undefined;
  const [start = '', rest] = Buffer.from(token, 'base64url').toString().split('.');
  if (rest !== bound || !/^[1-9]\d{0,3}$/.test(start) || Number(start) >= length) return undefined;
  return Number(start);
}

function fingerprint(kind: string, requests: readonly object[]): string {
  return createHash('sha256').update(kind).update(JSON.stringify(requests)).digest('base64url').slice(0, 22);
}
