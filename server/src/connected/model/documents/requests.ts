import type { ConnectionName, HttpVerb } from '../../../engine/model/connection.ts';

/* Calls of connected services that a person writes as documents. Nothing here contains a credential. */

/** The language of request documents. */
export const requestLanguage = 'package-insights-request';

/** A method of a connected service, for a list. */
export interface MethodSummary {
  readonly id: string;
  readonly connection: ConnectionName;
  readonly verb: HttpVerb;
  /** Below the base address: `calendars/{calendarId}/events`. */
  readonly path: string;
  readonly units: number;
  readonly effect: 'read' | 'write' | 'destroy';
  readonly isConnected: boolean;
}

export interface SendOptions {
  /** The next page of a list: the `nextPageToken` of the answer before; `all` for all pages as one. */
  readonly page?: string;
  /** The name of the resource, which a method that removes something requires. */
  readonly confirm?: string;
}

/** A problem of the document, in UTF-16 offsets. */
export interface RequestProblem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** The result of a request document. */
export type CallAnswer =
  /** The service has answered, perhaps with an error. */
  | {
      readonly kind: 'answer';
      readonly method: string;
      readonly isError: boolean;
      readonly status: number;
      /** `200 · 143 ms · 2113 bytes · 1 quota unit`, or the error of the service. */
      readonly summary: string;
      /** The answer as JSON with comments: a head that says what it is, then what the service has returned. */
      readonly content: string;
      /** There is another page. */
      readonly nextPageToken?: string;
      /** All pages can be requested as one. */
      readonly hasPages: boolean;
    }
  /** Not sent: it has these errors. */
  | { readonly kind: 'refused'; readonly problems: readonly RequestProblem[] }
  /** Not sent: what it removes must be named. */
  | { readonly kind: 'confirm'; readonly method: string; readonly name: string }
  /** Not sent: the service is not connected. */
  | { readonly kind: 'not-connected'; readonly connection: ConnectionName; readonly reason: string }
  /** Not sent, or not answered. `reason` is a clause. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'aborted' };

export const copyFormats = ['http', 'curl'] as const;
export type CopyFormat = (typeof copyFormats)[number];

/** The same request for another program. */
export type CopiedRequest =
  | { readonly kind: 'copied'; readonly text: string }
  | { readonly kind: 'refused'; readonly problems: readonly RequestProblem[] };

/** Never rejects. */
export interface RequestCalls {
  /** All methods, by service. */
  methods(): Promise<readonly MethodSummary[]>;
  /** A new document for a method; undefined for one that does not exist. */
  template(id: string): Promise<string | undefined>;
  /**
   * Checks a document and sends it.
   * @param report called with the number of pages, while there are more
   */
  send(text: string, options: SendOptions, signal: AbortSignal, report?: (pages: number) => void): Promise<CallAnswer>;
  /** The request with names of variables in the place of address and credential. Sends nothing. */
  copy(text: string, format: CopyFormat): Promise<CopiedRequest>;
}
