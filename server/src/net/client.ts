import { gunzip, gunzipSync } from 'node:zlib';
import Pool, { type Controller } from 'undici/lib/dispatcher/pool.js';
import { type Http, type HttpAnswer, type HttpLimits, type HttpOptions, type HttpRequest, httpLimits } from './http.ts';

/** Makes requests over connections that are kept, one pool a host. */
export function createHttp(options: HttpOptions): Http {
  const limits = { ...httpLimits, ...options.limits };
  const pools = new Map<string, Pool>();
  let closed = false;

  function poolOf(origin: string): Pool {
    let pool = pools.get(origin);
    if (pool === undefined) {
      pool = new Pool(origin, {
        connections: limits.connections,
        allowH2: true,
        connect: { timeout: limits.connect },
        // The deadlines are kept here, by the clock given.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      pools.set(origin, pool);
    }
    return pool;
  }

  return {
    async request(request) {
      if (closed || request.signal?.aborted) return { kind: 'aborted' };
      const received = await exchange(poolOf(request.origin), request, options, limits);
      if (closed) return { kind: 'aborted' };
      return received.kind === 'received' ? decode(received, limits) : received;
    },
    async close() {
      closed = true;
      await Promise.all([...pools.values()].map((it) => it.destroy()));
    },
  };
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
  pool: Pool,
  { method, path, body, signal }: HttpRequest,
  { clock, userAgent }: HttpOptions,
  limits: HttpLimits,
): Promise<Received | Refused> {
  return new Promise((resolve) => {
    let controller: Controller | undefined;
    let status = 0;
    let headers: Readonly<Record<string, string>> = {};
    let size = 0;
    let over = false;
    const chunks: Buffer[] = [];
    let cancelDeadline = clock.after(limits.headers, () => refuse(late('no answer', limits.headers)));
    const onAbort = () => refuse({ kind: 'aborted' });
    signal?.addEventListener('abort', onAbort);

    function end(outcome: Received | Refused): void {
      over = true;
      cancelDeadline();
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

    pool.dispatch(
      {
        method,
        path,
        body: body ?? null,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'gzip',
          'user-agent': userAgent,
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
          cancelDeadline = clock.after(limits.body, () => refuse(late('the answer did not end', limits.body)));
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
      reason: `the answer is compressed in a way that was not asked for (${encoding})`,
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
  return { kind: 'failure', reason: 'the compressed answer is broken', again: true };
}

function plain(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')]],
    ),
  );
}

function late(what: string, limit: number): Refused {
  return { kind: 'failure', reason: `${what} within ${Math.round(limit / 1000)} s`, again: true };
}

function tooLong({ bodyBytes }: HttpLimits): Refused {
  return {
    kind: 'failure',
    reason: `the answer is longer than ${Math.round(bodyBytes / 1024 / 1024)} MiB`,
    again: false,
  };
}

/** What the codes of connection errors mean to a person. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host name cannot be looked up at the moment',
  ENETUNREACH: 'the network cannot be reached',
  EHOSTUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  CERT_HAS_EXPIRED: "the host's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the host's certificate is not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "the host's certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the host's certificate is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the host's certificate is not trusted",
  ERR_TLS_CERT_ALTNAME_INVALID: "the host's certificate is for another host",
};

function describe(error: Error): string {
  const code = codeOf(error) ?? codeOf(error.cause);
  const meaning = code === undefined ? undefined : meanings[code];
  return meaning ?? (error.message === '' ? (code ?? 'the request failed') : error.message);
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses were tried, and each failed.
  if ('errors' in error && Array.isArray(error.errors)) return codeOf(error.errors[0]);
  return undefined;
}
