import type { Clock } from '../engine/model/ports.ts';
import type { AnsweredCall, ServedService } from './http-server.ts';

/** The services of `serve` besides the Package Insights Service. */
export interface OfferedServices {
  readonly services: readonly ServedService[];
  /** The addresses to connect to, by the name of the connection. */
  addresses(url: string): readonly (readonly [name: string, address: string])[];
  /** The credential of each, which is that of the own user. */
  readonly token: string;
  /** Further users, each with a bearer token. */
  readonly users: readonly { readonly email: string; readonly token: string }[];
  /** What is not offered, and why. */
  readonly notes: readonly string[];
  note(call: AnsweredCall): void;
  close(): void;
}

/** Paths are absolute. */
export interface OfferOptions {
  readonly repositories?: string | undefined;
  readonly unsafeLinks?: string | undefined;
  /** The folder for what services remember; absent: for this run only. */
  readonly state?: string | undefined;
  /** Operations of deployments end with the next request. */
  readonly isInstant?: boolean;
  /** The email addresses of further users. */
  readonly users: readonly string[];
  /** The folder of the catalog, which may contain a file of repositories and one of unsafe links. */
  readonly catalog: string;
  readonly clock: Clock;
}
