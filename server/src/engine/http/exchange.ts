import { gunzip, gunzipSync } from 'node:zlib';
import * as l10n from '@vscode/l10n';
import type { Controller } from 'undici/lib/dispatcher/pool.js';
import type { Allowance } from '../base/allowance.ts';
import type { OpenRoute } from './connection-pool.ts';
import { codeOf, describe, innerAddress, isCutOff, noAnswer, noEnd, tooLong, tooMuch } from './errors.ts';
import type { HttpAnswer, HttpLimits, HttpOptions, HttpRequest, Refused } from './types.ts';

/**
 * Decompresses and decodes bodies. Long ones are decompressed one after another, so many at once do not need the memory
 * of all.
 */
export function createDecode(
  limits: HttpLimits,
): (received: Received, isBinary?: boolean) => HttpAnswer | Promise<HttpAnswer> {
  const maxOutputLength = limits.bodyBytes;
  let last: Promise<unknown> = Promise.resolve();

  return ({ status, headers, body }, isBinary = false) => {
    const written = isBinary ? 'latin1' : 'utf8';
    const answer = (text: Buffer): HttpAnswer => ({ kind: 'answer', status, headers, text: text.toString(written) });
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (encoding === 'identity' || body.length === 0) return answer(body);
    if (encoding !== 'gzip' && encoding !== 'x-gzip') {
      return {
        kind: 'failure',
        reason: l10n.t('unsupported compression of the answer ({0})', encoding),
        isRetryable: false,
      };
    }
    const options = { maxOutputLength, chunkSize: chunkFor(body, limits) };
    // A thread would take longer for a short body.
    if (body.length <= limits.gunzipAtOnce) {
      try {
        return answer(gunzipSync(body, options));
      } catch (error) {
        return undecodable(error, limits);
      }
    }
    const unpacked = last.then(
      () =>
        new Promise<HttpAnswer>((resolve) => {
          gunzip(body, options, (error, text) => resolve(error ? undecodable(error, limits) : answer(text)));
        }),
    );
    // The chain keeps no text in memory.
    last = unpacked.then(() => undefined);
    return unpacked;
  };
}

/** In bytes. Memory is taken in chunks, so that one of the length in the trailer, which may be wrong, is enough. Source: RFC 1952, 2.3.1. */
function chunkFor(body: Buffer, { gunzipChunk }: HttpLimits): number {
  const length = body.length < MIN_GZIP_LENGTH ? 0 : body.readUInt32LE(body.length - 4);
  // One byte more, or an empty second chunk would follow.
  return Math.min(gunzipChunk, Math.max(MIN_GUNZIP_CHUNK, length + 1));
}

/** In bytes: the header and trailer of gzip. Source: RFC 1952, 2.3. */
const MIN_GZIP_LENGTH = 18;
/** In bytes. */
const MIN_GUNZIP_CHUNK = 1024;

function undecodable(error: unknown, limits: HttpLimits): Refused {
  if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return tooLong(limits);
  return { kind: 'failure', reason: l10n.t('the compressed answer is corrupt'), isRetryable: true };
}

/** A received answer, or the reason why there is none. */
export type ExchangeResult = Received | Refused | Lost;

/** The shared connection was closed before the answer, or refused the request. */
export interface Lost {
  readonly kind: 'lost';
  readonly reason: string;
  readonly isRetryable: true;
}

export interface Received {
  readonly kind: 'received';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Sends a request and collects the answer within the deadlines.
 * @param room the memory for bodies. A received body keeps its share.
 */
export function exchange(
  { send, isShared, onAuthorized, prefix, headers: more, distrust }: OpenRoute,
  request: HttpRequest,
  { clock, userAgent }: HttpOptions,
  limits: HttpLimits,
  room: Allowance,
): Promise<ExchangeResult> {
  const { method, path, body, headers: own, changesState, onConnected, onEnd, signal } = request;
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve({ kind: 'aborted' });
    let controller: Controller | undefined;
    let status = 0;
    let headers: Readonly<Record<string, string>> = {};
    let size = 0;
    let over = false;
    /** When it was sent, in ms since the epoch. */
    let sentAt: number | undefined;
    const chunks: Buffer[] = [];
    let leave = (): void => {};
    let cancelDeadline = clock.after(limits.headers, () => tooLate(noAnswer(limits.headers)));
    const onAbort = () => refuse({ kind: 'aborted' });
    signal?.addEventListener('abort', onAbort);

    function end(outcome: ExchangeResult): void {
      over = true;
      if (outcome.kind !== 'received') room.give(size);
      chunks.length = 0;
      cancelDeadline();
      leave();
      signal?.removeEventListener('abort', onAbort);
      if (onEnd && sentAt !== undefined) {
        const sent = body === undefined ? 0 : Buffer.byteLength(body);
        onEnd({ sent, received: size, latency: Math.max(0, clock.now() - sentAt) });
      }
      resolve(outcome);
    }
    /** Ends the request from our side. Over HTTP/1 this closes the connection. */
    function refuse(outcome: Refused): void {
      if (over) return;
      end(outcome);
      controller?.abort(new Error('no longer wanted'));
    }
    function tooLate(outcome: Refused): void {
      distrust();
      refuse(outcome);
    }
    function bodyTooLong(): void {
      refuse(tooLong(limits));
    }

    leave = send(
      {
        method,
        path: prefix + path,
        body: body ?? null,
        // A batch is a POST, but changes nothing.
        idempotent: changesState !== true,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'gzip',
          'user-agent': userAgent,
          ...own,
          ...more,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
      },
      {
        onRequestStart(it) {
          controller = it;
          // A request that ended while it waited for a connection is never sent.
          if (over) it.abort(new Error('no longer wanted'));
          else {
            sentAt = clock.now();
            onConnected?.();
          }
        },
        onResponseStart(_, statusCode, given) {
          // Responses with 1xx precede the answer.
          if (over || statusCode < 200) return;
          status = statusCode;
          headers = plain(given);
          if (status !== 407) onAuthorized();
          cancelDeadline();
          cancelDeadline = clock.after(limits.body, () => tooLate(noEnd(limits.body)));
          if (Number(headers['content-length']) > limits.bodyBytes) bodyTooLong();
        },
        onResponseData(_, chunk) {
          if (over) return;
          if (size + chunk.length > limits.bodyBytes) return bodyTooLong();
          if (!room.take(chunk.length)) return refuse(tooMuch(limits));
          size += chunk.length;
          chunks.push(chunk);
        },
        onResponseEnd() {
          if (over) return;
          const received: Received = { kind: 'received', status, headers, body: Buffer.concat(chunks) };
          const give = (): void => end(received);
          leave();
          leave = () => {};
          // A batch has facts in view, so it is delivered at once. A lookup is one of many: over HTTP/1 undici has its
          // connection back two turns later, and the next lookup uses it.
          if (method === 'POST' || isShared()) give();
          else setImmediate(() => setImmediate(() => over || give()));
        },
        onResponseError(_, error) {
          if (over) return;
          const isLost = isShared() && isCutOff(error);
          const reason = describe(error);
          if (isLost) end({ kind: 'lost', reason, isRetryable: true });
          else end({ kind: 'failure', reason, isRetryable: reason !== innerAddress() });
        },
      },
    );
    // The request may have failed at once.
    if (over) leave();
  });
}

function plain(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) all[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  return all;
}
