import type { SendResult } from '../../http/retry.ts';
import type { HttpRequest } from '../../http/types.ts';
import type { Address } from './responses.ts';
import { type Learnt, notKept, saysNotKept, type Understood, understand } from './responses.ts';

/** The two kinds of requests that the service takes; paths are those below `/v3alpha`. */
export interface Endpoints {
  /** Asks for one thing; 404, in the service's own words, says that it is unknown. */
  get<T>(path: string, read: (value: unknown) => T, signal?: AbortSignal): Promise<Learnt<T>>;
  post<T>(path: string, body: string, read: (value: unknown) => T, signal?: AbortSignal): Promise<Understood<T>>;
}

/** @param onRead called with the headers of an answer that had the shape that it should have */
export function createEndpoints(
  { origin, prefix }: Address,
  send: (request: HttpRequest) => Promise<SendResult>,
  onRead: (headers: Readonly<Record<string, string>>) => void,
): Endpoints {
  const root = `${prefix}/v3alpha`;

  function take<T>(sent: SendResult, read: (value: unknown) => T): Understood<T> {
    const answer = understand(sent, read);
    if (answer.kind === 'read' && sent.kind === 'answer') onRead(sent.headers);
    return answer;
  }

  return {
    async get(path, read, signal) {
      const sent = await send({ method: 'GET', origin, path: root + path, ...(signal && { signal }) });
      if (sent.kind === 'answer' && sent.status === 404)
        return saysNotKept(sent.text) ? notKept() : { kind: 'unknown' };
      const answer = take(sent, read);
      if (answer.kind !== 'read') return answer;
      return { kind: 'facts', facts: answer.value, bytes: answer.bytes, ...answer.life };
    },

    async post(path, body, read, signal) {
      const sent = await send({ method: 'POST', origin, path: root + path, body, ...(signal && { signal }) });
      return take(sent, read);
    },
  };
}
