import type { Clock } from '../model/ports.ts';
import type { Proxies } from './proxy.ts';

/** One request, as far as this program makes any. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** `https://host:port`, without a slash at its end. */
  readonly origin: string;
  /** With the query, percent-encoded, sent as it stands. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  /** Called whenever a connection carries it: there is one. */
  readonly onCarried?: () => void;
  readonly signal?: AbortSignal;
}

export type HttpAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** By lower-case name. */
      readonly headers: Readonly<Record<string, string>>;
      /** The body, decompressed. Bytes that are no UTF-8 became U+FFFD. */
      readonly text: string;
    }
  /** `reason` is a clause to show: `connection refused`. `again`: another attempt may fare better. */
  | {
      readonly kind: 'failure';
      readonly reason: string;
      readonly again: boolean;
      /** A proxy turned it down, as it will all others: whoever keeps asking may have an account locked. */
      readonly barred?: true;
    }
  | { readonly kind: 'aborted' };

/** The network, as the rest of the program sees it. Never rejects. */
export interface Http {
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Ends every connection, and with it what is under way. */
  close(): Promise<void>;
}

export interface HttpClient extends Http {
  /** Loads what requests need, so that the first does not have to wait for it. Sends nothing. */
  prepare(): Promise<void>;
}

export interface HttpOptions {
  readonly clock: Clock;
  /** `package-insights/1.0.0 (+https://…)`. */
  readonly userAgent: string;
  /** Read for each request, so that a change holds at once. */
  readonly proxies?: () => Proxies;
  /** Authorities to trust besides those that Node trusts, by PEM. */
  readonly ca?: readonly string[];
  /** Whether to trust those that this machine trusts, too, where Node can tell them. Read for each request. */
  readonly systemCa?: () => boolean;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpLimits {
  /** Until a connection stands, in ms of real time: kept by the connection itself. */
  readonly connect: number;
  /** From sending, waiting for a connection included, to the first byte of the answer, in ms. */
  readonly headers: number;
  /** From the first byte of the answer to its last, in ms. */
  readonly body: number;
  /** Of a body, both as sent and decompressed. */
  readonly bodyBytes: number;
  /** Of all bodies that are under way, as sent. */
  readonly underWayBytes: number;
  /** Bodies up to so many bytes, as sent, are decompressed in place. */
  readonly gunzipAtOnce: number;
  /** The piece in which decompressed bytes are made: one holds a usual page. */
  readonly gunzipChunk: number;
  /** Connections to one host. */
  readonly connections: number;
  /** What was not used for so long is not used again, in ms: what stands in between may have forgotten it by then. */
  readonly idle: number;
}

/**
 * A page of 100 versions is below 1 MB; the longest list of versions known (a package with 30,000) is some 6 MB.
 * The connections are as many as there are look-ups at a time.
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
