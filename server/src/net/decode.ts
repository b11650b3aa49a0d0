import { gunzip, gunzipSync } from 'node:zlib';
import * as l10n from '@vscode/l10n';
import { codeOf } from './errors.ts';
import { type Received, type Refused, tooLong } from './exchange.ts';
import type { HttpAnswer, HttpLimits } from './http.ts';

/**
 * Makes texts of answers. What is packed better than any text is, is too long; long ones are unpacked one after another,
 * so that a wave of them does not take the memory of all.
 */
export function createDecode(limits: HttpLimits): (received: Received) => HttpAnswer | Promise<HttpAnswer> {
  const options = { maxOutputLength: limits.bodyBytes, chunkSize: limits.gunzipChunk };
  let last: Promise<unknown> = Promise.resolve();

  return ({ status, headers, body }) => {
    const answer = (text: Buffer): HttpAnswer => ({ kind: 'answer', status, headers, text: text.toString() });
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (encoding === 'identity' || body.length === 0) return answer(body);
    if (encoding !== 'gzip' && encoding !== 'x-gzip') {
      return {
        kind: 'failure',
        reason: l10n.t('the answer is compressed in a way that was not asked for ({0})', encoding),
        again: false,
      };
    }
    // A short body is done before a thread would have taken it over.
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
    // Its text is its receiver's.
    last = unpacked.then(() => undefined);
    return unpacked;
  };
}

function undecodable(error: unknown, limits: HttpLimits): Refused {
  if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return tooLong(limits);
  return { kind: 'failure', reason: l10n.t('the compressed answer is broken'), again: true };
}
