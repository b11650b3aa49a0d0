import type { HttpVerb } from '../model/connection.ts';
import type { Clock } from '../model/ports.ts';
import type { Proxies } from './proxies.ts';

/** One request. */
export interface HttpRequest {
  readonly method: HttpVerb;
  /** `https://host:port`, without a slash at its end. */
  readonly origin: string;
  /** With the query, percent-encoded. */
  readonly path: string;
  /** By lower-case name; they replace the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
  /** The body of the answer is no text: each byte becomes one character. */
  readonly isBinary?: true;
  /** It changes something at the host, so it is never sent twice. */
  readonly changesState?: true;
  /** It is not sent to this machine, its link or a metadata service, nor to a name that resolves to one. */
  readonly refusesInner?: true;
  /** Called when a connection carries it. */
  readonly onConnected?: () => void;
  /** Called when it was sent and has ended, however it ended: once for each attempt. */
  readonly onEnd?: (traffic: Traffic) => void;
  readonly signal?: AbortSignal;
}

export type HttpAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** By lower-case name. */
      readonly headers: Readonly<Record<string, string>>;
      /** The body, decompressed. Bytes that are not UTF-8 became U+FFFD. */
      readonly text: string;
    }
  /** `reason` is a clause to show: `connection refused`. `isRetryable`: another attempt may succeed. */
  | {
      readonly kind: 'failure';
      readonly reason: string;
      readonly isRetryable: boolean;
      /** A proxy refused it, and will refuse all others: further attempts may lock an account. */
      readonly isBlocked?: true;
    }
  | { readonly kind: 'aborted' };

/** The reason why there is no answer. */
export type Refused = Exclude<HttpAnswer, { readonly kind: 'answer' }>;

/** The network. Never rejects. */
export interface Http {
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Ends every connection and the requests over it. */
  close(): Promise<void>;
}

export interface HttpClient extends Http {
  /** Loads the modules that requests need, so that the first one does not wait for them. Sends nothing. */
  prepare(): Promise<void>;
}

export interface HttpOptions {
  readonly clock: Clock;
  /** `package-insights/1.0.0 (+https://…)`. */
  readonly userAgent: string;
  /** Read for each request, so a change takes effect at once. */
  readonly proxies?: () => Proxies;
  /** Authorities to trust in addition to those of Node, as PEM. */
  readonly ca?: readonly string[];
  /** Whether to trust those of this machine, too, if Node can list them. Read for each request. */
  readonly systemCa?: () => boolean;
  readonly limits?: Partial<HttpLimits>;
}

/** What one request took. */
export interface Traffic {
  /** Bytes of the bodies, as sent. */
  readonly sent: number;
  readonly received: number;
  /** In ms, from sending to the end. */
  readonly latency: number;
}

export interface HttpLimits {
  /** Until a connection is open, in ms of real time: undici measures it. */
  readonly connect: number;
  /** From sending to the first byte of the answer, the wait for a connection included, in ms. */
  readonly headers: number;
  /** From the first byte of the answer to its last, in ms. */
  readonly body: number;
  /** Of a body, as sent and decompressed. */
  readonly bodyBytes: number;
  /** Of all bodies that are being received, as sent. */
  readonly underWayBytes: number;
  /** Bodies up to so many bytes, as sent, are decompressed without a thread. */
  readonly gunzipAtOnce: number;
  /** Bytes that are decompressed at a time: a usual page. */
  readonly gunzipChunk: number;
  /** Connections to one host. */
  readonly connections: number;
  /** A connection that was idle for longer is not used again, in ms: a device in between may have dropped it. */
  readonly idle: number;
}

/**
 * A page of 100 versions is below 1 MB; the longest list of versions known (a package with 30,000) is some 6 MB.
 * There are as many connections as parallel lookups.
 */
export const httpLimits: HttpLimits = {
  connect: 10_000,
  headers: 30_000,
  body: 60_000,
  bodyBytes: 32 * 1024 * 1024,
  underWayBytes: 128 * 1024 * 1024,
  gunzipAtOnce: 64 * 1024,
  gunzipChunk: 128 * 1024,
  connections: 50,
  // The shortest of the usual limits of load balancers: AWS's Application Load Balancer, idle_timeout.timeout_seconds.
  idle: 60_000,
};
