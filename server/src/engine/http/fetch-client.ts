import * as l10n from '@vscode/l10n';
import { createAllowance } from '../base/allowance.ts';
import { isLoopback } from '../base/loopback.ts';
import type { Clock } from '../model/ports.ts';
import { noAnswer, noEnd, tooLong, tooMuch } from './errors.ts';
import { type HttpAnswer, type HttpClient, type HttpLimits, type HttpRequest, httpLimits } from './types.ts';

export interface FetchOptions {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  /** Whether this browser has a network at all. */
  readonly isOnline: () => boolean;
  readonly limits?: Partial<HttpLimits>;
}

/**
 * Sends requests with the `fetch` of a browser, which has its own connections, proxies and authorities. A page cannot set
 * a `User-Agent`, and reads only answers whose host permits it (CORS). Nothing is sent that a host is asked about before:
 * bodies are declared as plain text, since `application/json` is preceded by a request that a public API may not answer.
 */
export function createFetchHttp({ clock, fetch, isOnline, ...options }: FetchOptions): HttpClient {
  const limits = { ...httpLimits, ...options.limits };
  const room = createAllowance(limits.underWayBytes);
  const closing = new AbortController();

  async function exchange(request: HttpRequest): Promise<HttpAnswer> {
    const { method, origin, path, headers = {}, body, signal, onConnected, onEnd } = request;
    const ending = new AbortController();
    let late: HttpAnswer | undefined;
    const deadline = (ms: number, answer: HttpAnswer) =>
      clock.after(ms, () => {
        late = answer;
        ending.abort();
      });
    const signals = [ending.signal, closing.signal, ...(signal ? [signal] : [])];
    const sentAt = clock.now();
    let size = 0;
    let cancel = deadline(limits.headers, noAnswer(limits.headers));
    try {
      const response = await fetch(origin + path, {
        method,
        headers: { accept: 'application/json', ...headers },
        ...(body !== undefined && { body }),
        signal: AbortSignal.any(signals),
        // Another address would be told names that are meant for this one.
        redirect: 'manual',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
      });
      onConnected?.();
      cancel();
      cancel = deadline(limits.body, noEnd(limits.body));
      // A page does not see where it leads.
      if (response.type === 'opaqueredirect') return { kind: 'answer', status: 302, headers: {}, text: '' };
      const chunks: Uint8Array[] = [];
      for await (const chunk of chunksOf(response)) {
        if (size + chunk.length > limits.bodyBytes) return tooLong(limits);
        if (!room.take(chunk.length)) return tooMuch(limits);
        size += chunk.length;
        chunks.push(chunk);
      }
      return { kind: 'answer', status: response.status, headers: headersOf(response), text: textOf(chunks, size) };
    } catch {
      if (late !== undefined) return late;
      return signal?.aborted || closing.signal.aborted ? { kind: 'aborted' } : notReached(origin, isOnline());
    } finally {
      cancel();
      room.give(size);
      ending.abort();
      const sent = body === undefined ? 0 : new TextEncoder().encode(body).length;
      onEnd?.({ sent, received: size, latency: Math.max(0, clock.now() - sentAt) });
    }
  }

  return {
    // A browser has it loaded.
    prepare: async () => {},
    async request(request) {
      if (closing.signal.aborted || request.signal?.aborted) return { kind: 'aborted' };
      // A page cannot know which address a name leads to.
      if (request.refusesInner) return { kind: 'failure', reason: notInBrowser(), isRetryable: false };
      return exchange(request);
    },
    async close() {
      closing.abort();
    },
  };
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** Those that the host exposes to pages. That it permits this page to read its answer is one that it does not. */
function headersOf({ headers, type }: Response): Readonly<Record<string, string>> {
  return { ...Object.fromEntries(headers), ...(type === 'cors' && { 'access-control-allow-origin': '*' }) };
}

function textOf(chunks: readonly Uint8Array[], size: number): string {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return new TextDecoder().decode(whole);
}

function notInBrowser(): string {
  return l10n.t('a browser cannot check where the address leads');
}

/** A browser does not reveal more. */
function notReached(origin: string, isOnline: boolean): HttpAnswer {
  const { protocol, hostname } = new URL(origin);
  const reason = !isOnline
    ? l10n.t('the network cannot be reached')
    : protocol === 'http:' && !isLoopback(hostname)
      ? l10n.t('https only: pages of a browser send nothing over http to other computers')
      : l10n.t('the host cannot be reached, or does not permit requests of web pages (CORS)');
  return { kind: 'failure', reason, isRetryable: true };
}
