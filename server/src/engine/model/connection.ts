import * as l10n from '@vscode/l10n';
import { isLoopback } from '../base/loopback.ts';

/*
 * Services that a person connects besides the Package Insights Service. Each is off until it has an address.
 */

export const connectionNames = ['code-host', 'link-safety', 'scheduling', 'deployments', 'token-audit'] as const;
export type ConnectionName = (typeof connectionNames)[number];

/** How settings and protocol spell a connection: `codeHost`. */
export const connectionKeys = {
  'code-host': 'codeHost',
  'link-safety': 'linkSafety',
  scheduling: 'scheduling',
  deployments: 'deployments',
  'token-audit': 'tokenAudit',
} as const satisfies Readonly<Record<ConnectionName, string>>;

/** The address of a connected service. */
export type ConnectionAddress =
  | {
      readonly kind: 'valid';
      /** `https://host:port` */
      readonly origin: string;
      /** The path without a slash at its end: `/v3`, or `''`. */
      readonly prefix: string;
    }
  /** `reason` is a clause to show, without the address. */
  | { readonly kind: 'invalid'; readonly reason: string };

/**
 * Reads the address of a connected service: `https://calendar.example/v3`. Without TLS, everyone on the way could read the
 * credential, so plain http is for this machine only.
 */
export function readConnectionAddress(text: string): ConnectionAddress {
  const invalid = (reason: string): ConnectionAddress => ({ kind: 'invalid', reason });
  if (!/^https?:\/\/[^\s/?#\\]+[^\s\\]*$/i.test(text) || !URL.canParse(text))
    return invalid(l10n.t('it is not an http or https address'));
  const { protocol, hostname, origin, pathname, username, password, search, hash } = new URL(text);
  if (username !== '' || password !== '') return invalid(l10n.t('it contains a credential'));
  if (search !== '' || hash !== '' || /[?#]/.test(text)) return invalid(l10n.t('it contains a query or a fragment'));
  if (protocol === 'http:' && !isLoopback(hostname))
    return invalid(l10n.t('plain http is only for this machine; use https'));
  return { kind: 'valid', origin, prefix: pathname.replace(/\/+$/, '') };
}

/** The variable of a connection: `PACKAGE_INSIGHTS_CODE_HOST_URL`. */
export function connectionVariable(name: ConnectionName, what: 'URL' | 'TOKEN'): string {
  return `PACKAGE_INSIGHTS_${name.toUpperCase().replaceAll('-', '_')}_${what}`;
}

/** What a person has set for a connection. */
export interface ConnectionSettings {
  /** `https://host[:port][/path]`, or http on the loopback; empty while it is not connected. */
  readonly baseUrl: string;
  /** Requests a day (UTC) after which nothing is sent in the background. */
  readonly dailyBudget: number;
  /** Why nothing is sent although an address is set: it is invalid. A clause. */
  readonly invalid?: string;
}

/** Whether links of packages are checked: never, by sending their addresses, or by lists on this machine. */
export const linkSafetyModes = ['off', 'lookup', 'private'] as const;
export type LinkSafetyMode = (typeof linkSafetyModes)[number];

/** What a link can be suspected of. The service has lists of safe things, too: these are not among them. */
const threatKinds = [
  'MALWARE',
  'SOCIAL_ENGINEERING',
  'UNWANTED_SOFTWARE',
  'POTENTIALLY_HARMFUL_APPLICATION',
  'SOCIAL_ENGINEERING_INTERNAL',
  'API_ABUSE',
  'MALICIOUS_BINARY',
  'CLIENT_INCIDENT',
  'SUBRESOURCE_FILTER',
  'SUSPICIOUS',
  'TRICK_TO_BILL',
] as const;

/** A list of addresses: `MALWARE`, which is `MALWARE/ANY_PLATFORM/URL`, or `MALWARE/WINDOWS/URL`. */
export const threatListPattern = `^(?:${threatKinds.join('|')})(?:/(?:ANY_PLATFORM|ALL_PLATFORMS|WINDOWS|LINUX|OSX|ANDROID|IOS|CHROME)/URL)?$`;

/** The lists of addresses that every service of this kind has. */
export const usualThreatLists: readonly string[] = threatKinds.slice(0, 3);

/** The lists that a person can choose: `MALWARE/ANY_PLATFORM/URL`. `reason`: why there are none, a clause. */
export type OfferedThreatLists =
  | { readonly kind: 'lists'; readonly names: readonly string[] }
  | { readonly kind: 'failure'; readonly reason: string };

/** Every service whose use is counted. */
export const ledgerNames = ['insights', ...connectionNames] as const;
export type LedgerName = (typeof ledgerNames)[number];

export type HttpVerb = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call of a connected service, complete except for its base address and its credential. */
export interface ApiRequest {
  readonly connection: ConnectionName;
  /** `scheduling.events.list` */
  readonly method: string;
  readonly verb: HttpVerb;
  /** Below the base address, without a leading slash, percent-encoded, with its query: `calendars/primary/events?q=a`. */
  readonly path: string;
  /** By lower-case name. Credentials are added when it is sent. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
  /** Its cost in the units of the service: 3 for a patch of the scheduling service. */
  readonly units: number;
}

/** Whether a person waits for the answer. A spent budget stops `background` requests, and never those that are `asked`. */
export type CallPriority = 'asked' | 'background';

export interface CallOptions {
  readonly priority: CallPriority;
  readonly signal?: AbortSignal;
}

/** The result of a call. Reasons are clauses to show, without credentials. */
export type ApiAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** By lower-case name. */
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
    }
  /** Not sent: the service requested a wait, or could not be reached. `until` in ms since the epoch. */
  | { readonly kind: 'held'; readonly until: number; readonly reason: string }
  /** Not sent: the budget of the day is spent. `until`: the end of the day (UTC), in ms since the epoch. */
  | { readonly kind: 'over-budget'; readonly until: number; readonly reason: string }
  /** Not sent: without an address, or the address, the credential or another setting is invalid. */
  | { readonly kind: 'not-connected'; readonly reason: string }
  | { readonly kind: 'failure'; readonly reason: string }
  | { readonly kind: 'aborted' };

/** Sends calls. Never rejects. Each is counted in the ledger when it ends. */
export interface ConnectionClient {
  send(request: ApiRequest, options: CallOptions): Promise<ApiAnswer>;
  /** Changes with the address or the credential: answers to one credential are not used for another. Not secret. */
  identity(): Promise<string>;
}

/** A time in which nothing is sent to a part of a service. */
export interface Hold {
  /** What it is for: a resource of a rate limit (`core`), `*` for the whole service. */
  readonly scope: string;
  /** In ms since the epoch. */
  readonly until: number;
  /** A clause: `the rate limit is used up`. */
  readonly reason: string;
}

/** Holds outlast a restart and apply to every window. */
export interface Holds {
  /** Those in force for one identity of a connection. */
  inForce(connection: ConnectionName, identity: string): readonly Hold[];
  /** A longer hold of the same scope stays. */
  set(connection: ConnectionName, identity: string, hold: Hold): void;
}

/** What one request has used, in the units of the accounting contract. */
export interface Charge {
  readonly service: LedgerName;
  /** When it ended, in ms since the epoch. */
  readonly at: number;
  readonly isSecure: boolean;
  /** In bytes, headers not included. */
  readonly sent: number;
  readonly received: number;
  /** In ms. */
  readonly latency: number;
  /** Units of the service: 3 for a patch of the scheduling service. */
  readonly units: number;
}

/** An answer that was kept and not requested. */
export interface KeptCharge {
  readonly service: LedgerName;
  readonly at: number;
  /** The size of the request that was not sent, in bytes. Default: 0, as without a body. */
  readonly sent?: number;
  /** The size of the answer, in bytes. */
  readonly received: number;
}

/** Limits a connection to so many requests a day (UTC). */
export interface Budget {
  readonly service: ConnectionName;
  /** 0 for none at all in the background. */
  readonly perDay: number;
}

/** Counts what connections use. Charging never fails and never waits for the disk. */
export interface Ledger {
  charge(charge: Charge): void;
  chargeKept(charge: KeptCharge): void;
  /**
   * Requests of the day that contains `at`, of all processes of this machine, the unwritten ones of this one included.
   * @param isExact reads the file anew, and shows this process's requests to the others; otherwise a second may be missing
   */
  requestsOn(service: LedgerName, at: number, isExact?: boolean): number;
  /** The same by hour (UTC), 0 to 23. Together fewer than those of the day if they were counted by an older version. */
  requestsByHour(service: LedgerName, at: number): ReadonlyMap<number, number>;
  close(): void;
}

/** A credential of one address. It must not reach a log, an error, a trace, a document or another address. */
export interface Credential {
  readonly secret: string;
}

/** Where credentials are kept: VS Code's secret storage, the system's keyring, an environment variable. */
export interface Credentials {
  /**
   * Rejects if it cannot be read: then nothing is sent.
   * @param baseUrl only the credential that was given for this address is returned
   */
  read(connection: ConnectionName, baseUrl: string): Promise<Credential | undefined>;
}

/** A credential cannot be read or kept. The message is a clause to show. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';
}

/** The services that a person has signed in to in the terminal. Every function rejects if it fails. */
export interface SignIns {
  /** Keeps an address, and the credential for it. */
  keep(connection: ConnectionName, baseUrl: string, credential: Credential): Promise<void>;
  /** Forgets both. Returns whether the person was signed in. */
  remove(connection: ConnectionName): Promise<boolean>;
}

/** What a person sees of a connection. */
export interface ConnectionStatus {
  readonly name: ConnectionName;
  /** `api.host.example`; absent while it is not connected. */
  readonly host?: string;
  readonly hasCredential: boolean;
  readonly requestsToday: number;
  /** Requests a day; absent without a budget. */
  readonly budget?: number;
  readonly holds: readonly Hold[];
  /** Absent if the last call succeeded, or there was none. */
  readonly lastError?: { readonly at: number; readonly reason: string };
}

/** The services that a person has connected. */
export interface Connections {
  client(name: ConnectionName): ConnectionClient;
  /** In the order of `connectionNames`, also those that are not connected. */
  list(): Promise<readonly ConnectionStatus[]>;
  /** Sends the cheapest request to an address that is not kept yet. */
  try(name: ConnectionName, baseUrl: string, credential: Credential | undefined): Promise<ConnectionTrial>;
  /** Called after each request, and when a back-off begins or ends. Returns a function that unsubscribes. */
  onDidChange(listener: () => void): () => void;
}

/** Whether a service answers at an address and accepts a credential. `reason` is a clause. */
export type ConnectionTrial = { readonly ok: true } | { readonly ok: false; readonly reason: string };
