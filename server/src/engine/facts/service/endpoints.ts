import type { SendResult } from '../../http/retry.ts';
import type { HttpRequest } from '../../http/types.ts';
import type { Address } from './responses.ts';
import { type LookupResult, notCached, type ParsedResponse, parseResponse, saysNotCached } from './responses.ts';
import { lacksMethod, type MethodAnswer } from './signal-methods.ts';

/** The two kinds of requests to the service. Paths are relative to `/v3alpha`. */
export interface Endpoints {
  /**
   * Requests one fact, which is unknown if the service answers 404.
   * @param readText as for `parseResponse`
   */
  get<T>(
    path: string,
    read: (value: unknown) => T,
    signal?: AbortSignal,
    readText?: (text: string) => T | undefined,
  ): Promise<LookupResult<T>>;
  /** The same by a method that an instance may lack. */
  getBy<T>(path: string, read: (value: unknown) => T, signal?: AbortSignal): Promise<MethodAnswer<T>>;
  post<T>(path: string, body: string, read: (value: unknown) => T, signal?: AbortSignal): Promise<ParsedResponse<T>>;
}

/** @param onRead called with the headers of a response that was parsed */
export function createEndpoints(
  { origin, prefix }: Address,
  send: (request: HttpRequest) => Promise<SendResult>,
  onRead: (headers: Readonly<Record<string, string>>) => void,
): Endpoints {
  const root = `${prefix}/v3alpha`;

  function take<T>(
    sent: SendResult,
    read: (value: unknown) => T,
    readText?: (text: string) => T | undefined,
  ): ParsedResponse<T> {
    const answer = parseResponse(sent, read, readText);
    if (answer.kind === 'read' && sent.kind === 'answer') onRead(sent.headers);
    return answer;
  }

  function getFrom(path: string, signal: AbortSignal | undefined): Promise<SendResult> {
    return send({ method: 'GET', origin, path: root + path, ...(signal && { signal }) });
  }

  function resultOf<T>(
    sent: SendResult,
    read: (value: unknown) => T,
    readText?: (text: string) => T | undefined,
  ): LookupResult<T> {
    if (sent.kind === 'answer' && sent.status === 404)
      return saysNotCached(sent.text) ? notCached() : { kind: 'unknown' };
    const answer = take(sent, read, readText);
    if (answer.kind !== 'read') return answer;
    const { value: facts, bytes, lifetime } = answer;
    return { kind: 'facts', facts, bytes, ...(lifetime !== undefined && { lifetime }) };
  }

  return {
    get: async (path, read, signal, readText) => resultOf(await getFrom(path, signal), read, readText),

    async getBy(path, read, signal) {
      const sent = await getFrom(path, signal);
      return lacksMethod(sent) ? { kind: 'unserved' } : resultOf(sent, read);
    },

    async post(path, body, read, signal) {
      const sent = await send({ method: 'POST', origin, path: root + path, body, ...(signal && { signal }) });
      return take(sent, read);
    },
  };
}
