import type { SendResult } from '../../http/retry.ts';
import type { LookupResult } from './responses.ts';

/*
 * Methods that an instance of the service may lack: projects, and similarly named packages. The first answer of each
 * decides. Where the method is missing, everything is unknown and nothing more is requested in this session.
 */

/** The answer of an instance that lacks the method. */
export type MethodAnswer<T> = LookupResult<T> | { readonly kind: 'unserved' };

/** Whether a response says that the method is missing, not that what was asked for is unknown. */
export function lacksMethod(sent: SendResult): boolean {
  if (sent.kind !== 'answer') return false;
  const { status, text } = sent;
  if (status === 404) return !/^(?:\{[^/]{0,100}")?(?:system|package|project|version) not (?:found|kept)\b/i.test(text);
  return status === 405 || status === 501;
}

/** @param ask requests one fact by a method that may be missing */
export function untilUnserved<Key, T>(
  ask: (key: Key, signal?: AbortSignal) => Promise<MethodAnswer<T>>,
): (key: Key, signal?: AbortSignal) => Promise<LookupResult<T>> {
  let isServed: boolean | undefined;
  let first: Promise<unknown> | undefined;
  return async (key, signal) => {
    // One request finds out, not fifty.
    while (isServed === undefined && first) await first;
    if (signal?.aborted) return { kind: 'aborted' };
    if (isServed === false) return { kind: 'unknown' };
    const asked = ask(key, signal);
    if (isServed === undefined) first = asked;
    const answer = await asked;
    if (first === asked) first = undefined;
    if (answer.kind === 'unserved') isServed = false;
    else if (answer.kind === 'facts' || answer.kind === 'unknown') isServed = true;
    return answer.kind === 'unserved' ? { kind: 'unknown' } : answer;
  };
}
