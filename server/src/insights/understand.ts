import * as l10n from '@vscode/l10n';
import { detached } from '../model/detached.ts';
import { excessOf } from '../model/nesting.ts';
import { oneLine } from '../model/one-line.ts';
import type { Sent } from '../net/send.ts';
import { Malformed } from './fields.ts';
import { isPage } from './foreign.ts';

/** What was learnt of one thing that was asked for. */
export type Learnt<T> =
  /** `life`: for how many ms the service lets it be kept; `bytes`: roughly what it takes to keep. */
  | { readonly kind: 'facts'; readonly facts: T; readonly life?: number; readonly bytes: number }
  | { readonly kind: 'unknown' }
  | Failed
  | { readonly kind: 'aborted' };

export interface Failed {
  readonly kind: 'failed';
  readonly reason: string;
  /** The service could not be asked, or was not well: nothing is wrong with what was asked. */
  readonly outage: boolean;
  /** When it may be asked again at the earliest, in ms since the epoch, where that is known. */
  readonly until?: number;
  /** The service does not take the request as it is; a smaller one it might. */
  readonly refused?: true;
}

export type Understood<T> =
  | { readonly kind: 'read'; readonly value: T; readonly bytes: number; readonly life: { readonly life?: number } }
  | Failed
  | { readonly kind: 'aborted' };

/** Turns what was sent back into a value, or into the reason why there is none. */
export function understand<T>(sent: Sent, read: (value: unknown) => T): Understood<T> {
  switch (sent.kind) {
    case 'aborted':
      return sent;
    case 'held':
      return { kind: 'failed', reason: sent.hold.reason, until: sent.hold.until, outage: true };
    case 'failure':
      return { kind: 'failed', reason: sent.reason, outage: sent.again };
    case 'answer':
      if (sent.status !== 200) return refusal(sent.status, sent.text);
      switch (excessOf(sent.text, mostValues)) {
        case 'depth':
          return { kind: 'failed', reason: 'the answer is nested too deep', outage: false };
        case 'values':
          return { kind: 'failed', reason: 'the answer holds too many values', outage: false };
        case undefined:
      }
      try {
        const value = read(JSON.parse(sent.text));
        return { kind: 'read', value, bytes: sent.text.length, life: lifeOf(sent.headers['cache-control']) };
      } catch (error) {
        if (error instanceof Malformed) return { kind: 'failed', reason: error.message, outage: false };
        return { kind: 'failed', reason: notJson(sent.headers['content-type']), outage: false };
      }
  }
}

/** The longest list of versions known (a package with 30,000) has 300,000. */
const mostValues = 1_000_000;

function refusal(status: number, body: string): Failed {
  const outage = status === 429 || status >= 500;
  if (status === 429) return { kind: 'failed', reason: l10n.t('the service asked to wait'), outage };
  // Errors are plain text; a page of a proxy in between is not worth showing.
  const [line = ''] = isPage(body) ? [] : detached(body.slice(0, 1000)).trim().split('\n', 1);
  const refused = status === 400 || status === 413 || status === 414 || status === 422;
  const answered = l10n.t('the service answered with status {0}', status);
  const reason = line === '' ? answered : `${answered}: ${oneLine(line, 200)}`;
  return { kind: 'failed', reason, outage, ...(refused && { refused }) };
}

function notJson(contentType: string | undefined): string {
  return contentType && !/json/.test(contentType)
    ? l10n.t('the answer is not JSON but {0}', contentType)
    : l10n.t('the answer is not JSON');
}

/** `public, max-age=3600` → 3,600,000 ms; nothing where the service says nothing. */
function lifeOf(cacheControl = ''): { readonly life?: number } {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return { life: 0 };
  const age = /\bmax-age\s*=\s*"?(\d{1,10})/i.exec(cacheControl)?.[1];
  return age === undefined ? {} : { life: Number(age) * 1000 };
}
