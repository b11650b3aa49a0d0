import { gunzip, gunzipSync } from 'node:zlib';
import * as l10n from '@vscode/l10n';
import { codeOf } from './errors.ts';
import { type Received, type Refused, tooLong } from './exchange.ts';
import type { HttpAnswer, HttpLimits } from './http.ts';

/** The text of an answer. What is packed better than any text is, is too long. */
export function decode({ status, headers, body }: Received, limits: HttpLimits): HttpAnswer | Promise<HttpAnswer> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || body.length === 0) return { kind: 'answer', status, headers, text: body.toString() };
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    return {
      kind: 'failure',
      reason: l10n.t('the answer is compressed in a way that was not asked for ({0})', encoding),
      again: false,
    };
  }
  const options = { maxOutputLength: limits.bodyBytes, chunkSize: limits.gunzipChunk };
  // A short body is done before a thread would have taken it over.
  if (body.length <= limits.gunzipAtOnce) {
    try {
      return { kind: 'answer', status, headers, text: gunzipSync(body, options).toString() };
    } catch (error) {
      return undecodable(error, limits);
    }
  }
  return new Promise((resolve) => {
    gunzip(body, options, (error, text) => {
      resolve(error ? undecodable(error, limits) : { kind: 'answer', status, headers, text: text.toString() });
    });
  });
}

function undecodable(error: unknown, limits: HttpLimits): Refused {
  if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return tooLong(limits);
  return { kind: 'failure', reason: l10n.t('the compressed answer is broken'), again: true };
}
