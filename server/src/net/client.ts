import { gunzip, gunzipSync } from 'node:zlib';
import * as l10n from '@vscode/l10n';
import type { Controller } from 'undici/lib/dispatcher/pool.js';
import { authorities } from './authorities.ts';
import { createCaution, type Passable } from './caution.ts';
import { codeOf, describe, untrusted } from './errors.ts';
import {
  type HttpAnswer,
  type HttpClient,
  type HttpLimits,
  type HttpOptions,
  type HttpRequest,
  httpLimits,
} from './http.ts';
import { proxyRefusal, wayTo } from './proxy.ts';
import type { Route } from './route.ts';

/** Makes requests over connections that are kept, some to each host. */
export function createHttp(options: HttpOptions): HttpClient {
  const limits = { ...httpLimits, ...options.limits };
  const routes = new Map<string, Promise<Route>>();
  let closed = false;
  /** What the machine trusts takes a tenth of a second to be read: only where Node alone does not trust a host. */
  let distrusting = false;
  const carefully = createCaution<Received | Refused>();

  function routeTo(origin: string, way: Passable): Promise<Route> {
    const systemCa = distrusting && options.systemCa?.() === true;
    const id = JSON.stringify([origin, way, systemCa]);
    const route = routes.get(id) ?? open(origin, way, systemCa);
    routes.set(id, route);
    return route;
  }

  async function open(origin: string, way: Passable, systemCa: boolean): Promise<Route> {
    const [{ createRoute }, secureContext] = await Promise.all([loadRoutes(), authorities(options.ca, systemCa)]);
    const route = createRoute(origin, way, { clock: options.clock, limits, secureContext });
    if (closed) await route.close();
    return route;
  }

  async function reach(way: Passable, request: HttpRequest): Promise<Received | Refused> {
    const { origin } = request;
    const trustedAll = distrusting;
    let received = await exchange(await routeTo(origin, way), request, options, limits);
    if (closed) return { kind: 'aborted' };
    if (isUntrusted(received) && !trustedAll && options.systemCa?.() === true) {
      distrusting = true;
      received = await exchange(await routeTo(origin, way), request, options, limits);
    }
    const refusal = proxyRefusal(407, way.kind === 'proxy' ? way.authorization : undefined);
    const isRefused = received.kind === 'received' ? received.status === 407 : reasonOf(received) === refusal;
    return isRefused ? { kind: 'failure', reason: refusal, again: false, barred: true } : received;
  }

  return {
    async prepare() {
      await loadRoutes();
    },
    async request(request) {
      if (closed || request.signal?.aborted) return { kind: 'aborted' };
      const { origin } = request;
      const way = wayTo(origin, options.proxies?.() ?? {});
      if (way.kind === 'none') return { kind: 'failure', reason: way.reason, again: false };
      const received = await carefully(way, () => reach(way, request));
      return received.kind === 'received' ? decode(received, limits) : received;
    },
    async close() {
      closed = true;
      for (const route of routes.values()) await (await route).close();
    },
  };
}

function isUntrusted(received: Received | Refused): boolean {
  return reasonOf(received) === untrusted();
}

function reasonOf(received: Received | Refused): string | undefined {
  return received.kind === 'failure' ? received.reason : undefined;
}

/** What makes connections takes more time to load than everything else does together, so it comes when there is time. */
function loadRoutes(): Promise<typeof import('./route.ts')> {
  return import('./route.ts');
}

interface Received {
  readonly kind: 'received';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

type Refused = Exclude<HttpAnswer, { readonly kind: 'answer' }>;

/** Sends a request and collects what comes back, within its deadlines. */
function exchange(
  { pool, prefix, headers: more, take }: Route,
  { method, path, body, signal }: HttpRequest,
  { clock, userAgent }: HttpOptions,
  limits: HttpLimits,
): Promise<Received | Refused> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve({ kind: 'aborted' });
    let controller: Controller | undefined;
    let status = 0;
    let headers: Readonly<Record<string, string>> = {};
    let size = 0;
    let over = false;
    const chunks: Buffer[] = [];
    let leave = (): void => {};
    let cancelDeadline = clock.after(limits.headers, () => refuse(noAnswer(limits.headers)));
    const onAbort = () => refuse({ kind: 'aborted' });
    signal?.addEventListener('abort', onAbort);

    function end(outcome: Received | Refused): void {
      over = true;
      cancelDeadline();
      leave();
      signal?.removeEventListener('abort', onAbort);
      resolve(outcome);
    }
    /** Ends it from our side: the connection goes, for HTTP/1 knows no other way to be rid of an answer. */
    function refuse(outcome: Refused): void {
      if (over) return;
      end(outcome);
      controller?.abort(new Error('no longer wanted'));
    }
    function bodyTooLong(): void {
      refuse(tooLong(limits));
    }

    const dispatch = () =>
      pool.dispatch(
        {
          method,
          path: prefix + path,
          body: body ?? null,
          // The batches are read by POST.
          idempotent: true,
          headers: {
            accept: 'application/json',
            'accept-encoding': 'gzip',
            'user-agent': userAgent,
            ...more,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
        },
        {
          onRequestStart(it) {
            controller = it;
            // What was refused while it waited for a connection is never sent.
            if (over) it.abort(new Error('no longer wanted'));
          },
          onResponseStart(_, statusCode, given) {
            // Answers of the 1xx kind come before the answer itself.
            if (over || statusCode < 200) return;
            status = statusCode;
            headers = plain(given);
            cancelDeadline();
            cancelDeadline = clock.after(limits.body, () => refuse(noEnd(limits.body)));
            if (Number(headers['content-length']) > limits.bodyBytes) bodyTooLong();
          },
          onResponseData(_, chunk) {
            if (over) return;
            size += chunk.length;
            if (size > limits.bodyBytes) bodyTooLong();
            else chunks.push(chunk);
          },
          onResponseEnd() {
            if (!over) ripe(() => over || end({ kind: 'received', status, headers, body: Buffer.concat(chunks) }));
          },
          onResponseError(_, error) {
            if (!over) end({ kind: 'failure', reason: describe(error), again: true });
          },
        },
      );
    leave = take(dispatch);
    // It may have failed at once.
    if (over) leave();
  });
}

/**
 * Calls back when the connection can be used again, which is two turns after the end of an answer. Who has something
 * more to send would open another connection before.
 */
function ripe(call: () => void): void {
  setImmediate(() => setImmediate(call));
}

function decode({ status, headers, body }: Received, limits: HttpLimits): HttpAnswer | Promise<HttpAnswer> {
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

function plain(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')]],
    ),
  );
}

/** @param limit in ms */
function noAnswer(limit: number): Refused {
  return { kind: 'failure', reason: l10n.t('no answer within {0} s', Math.round(limit / 1000)), again: true };
}

/** @param limit in ms */
function noEnd(limit: number): Refused {
  const reason = l10n.t('the answer did not end within {0} s', Math.round(limit / 1000));
  return { kind: 'failure', reason, again: true };
}

function tooLong({ bodyBytes }: HttpLimits): Refused {
  return {
    kind: 'failure',
    reason: l10n.t('the answer is longer than {0} MiB', Math.round(bodyBytes / 1024 / 1024)),
    again: false,
  };
}
