import { tooMuch } from '../../engine/http/errors.ts';
import { type Http, type HttpAnswer, type HttpRequest, httpLimits } from '../../engine/http/types.ts';
import type { Clock } from '../../engine/model/ports.ts';

/**
 * Requests at the same time. Source: npm sends at most 15 to one host (`maxsockets`); the rest is for other systems.
 */
export const gateLimits = {
  toOneHost: 8,
  all: 16,
  /** Of bodies under way, as sent. */
  bytes: 32 * 1024 * 1024,
  /** In ms, that a request has its place for certain. */
  place: 5_000,
} as const;

interface Waiting {
  readonly request: HttpRequest;
  readonly resolve: (answer: HttpAnswer) => void;
}

interface Running {
  readonly origin: string;
  readonly since: number;
  readonly abort: AbortController;
}

const late = 'no answer in time, and others wait';

/**
 * A network for many questions to few hosts. A request that takes long has its place until another one needs it, so that
 * what arrives late is still of use, and nobody waits for it. Where answers together are too long, they come one after
 * another.
 */
export function gatedHttp(http: Pick<Http, 'request'>, clock: Clock): Pick<Http, 'request'> {
  const running = new Set<Running>();
  const waiting: Waiting[] = [];
  let most: number = gateLimits.all;
  let cancelYield: (() => void) | undefined;
  const tooMuchText = tooMuch({ ...httpLimits, underWayBytes: gateLimits.bytes }).reason;

  function to(origin: string): readonly Running[] {
    return [...running].filter((it) => it.origin === origin);
  }

  /** Those whose places would do for a request: none where there is one already. */
  function before({ request: { origin } }: Waiting): readonly Running[] {
    const same = to(origin);
    if (same.length >= gateLimits.toOneHost) return same;
    return running.size >= most ? [...running] : [];
  }

  function next(): void {
    for (let at = 0; at < waiting.length; ) {
      const it = waiting[at];
      if (it === undefined || before(it).length > 0) at++;
      else {
        waiting.splice(at, 1);
        start(it);
      }
    }
    cancelYield?.();
    cancelYield = undefined;
    const oldest = waiting.flatMap(before).reduce<Running | undefined>(older, undefined);
    if (oldest === undefined) return;
    const rest = Math.max(0, oldest.since + gateLimits.place - clock.now());
    cancelYield = clock.after(rest, () => {
      cancelYield = undefined;
      oldest.abort.abort();
      next();
    });
  }

  async function start(it: Waiting): Promise<void> {
    const { request, resolve } = it;
    const own: Running = { origin: request.origin, since: clock.now(), abort: new AbortController() };
    running.add(own);
    const { signal } = request;
    const either = signal ? AbortSignal.any([signal, own.abort.signal]) : own.abort.signal;
    const answer = await http.request({ ...request, signal: either });
    running.delete(own);
    if (answer.kind === 'failure' && answer.reason === tooMuchText && running.size > 0) {
      most = Math.max(1, Math.floor(running.size / 2));
      waiting.unshift(it);
    } else {
      if (answer.kind === 'answer') most = Math.min(gateLimits.all, most + 1);
      const hasYielded = answer.kind === 'aborted' && signal?.aborted !== true;
      // The host may work: this says nothing about its next answer.
      resolve(hasYielded ? { kind: 'failure', reason: late, isRetryable: false } : answer);
    }
    next();
  }

  return {
    request: (request) =>
      new Promise((resolve) => {
        const it: Waiting = { request, resolve };
        const leave = (): void => {
          const at = waiting.indexOf(it);
          if (at < 0) return;
          waiting.splice(at, 1);
          resolve({ kind: 'aborted' });
        };
        request.signal?.addEventListener('abort', leave, { once: true });
        waiting.push(it);
        next();
      }),
  };
}

function older(oldest: Running | undefined, it: Running): Running {
  return oldest === undefined || it.since < oldest.since ? it : oldest;
}
