import type { ConnectionName } from '../../engine/model/connection.ts';

/** What happened with a credential. Other names are kept as they are. */
export const auditEventNames = ['activity', 'authorize', 'request', 'revoke'] as const;

/** One event of an activity record. Fields that the record lacks are absent; texts are untrusted. */
export interface AuditEvent {
  /** In ms since the epoch; absent if the record has no valid time. */
  readonly at?: number;
  /** One of `auditEventNames`, or another name. */
  readonly name: string;
  readonly actor?: string;
  readonly ipAddress?: string;
  /** Of the application that used the credential. */
  readonly app?: string;
  readonly clientId?: string;
  /** `NATIVE_DESKTOP`, `WEB` … */
  readonly clientType?: string;
  readonly api?: string;
  readonly method?: string;
  readonly responseBytes?: bigint;
  /** `CALENDAR`, `OTHER` … */
  readonly productBucket?: string;
  readonly scopes: readonly string[];
  /** Parameters that the contract does not name, as text. */
  readonly others: Readonly<Record<string, string>>;
}

/** An event, the connection that it belongs to, and whether the ledger of this machine explains it. */
export interface TimelineEntry {
  readonly event: AuditEvent;
  /** The event as a sentence, without a full stop. */
  readonly text: string;
  /** Absent for services that cannot be connected. */
  readonly connection?: ConnectionName;
  /**
   * Set for an activity beyond the requests that this machine counted for that connection in that hour. Which of the
   * hour's events they are is not known: the latest are marked.
   */
  readonly isFromElsewhere?: true;
}

/** Which events to list. Days are in UTC: `2026-11-23`. */
export interface AuditQuery {
  readonly eventName?: string;
  readonly since?: string;
  readonly until?: string;
  /** Only its events, compared with the ledger of this machine. Absent: those of all clients, of which none is compared. */
  readonly clientId?: string;
  /** Events at most. */
  readonly limit: number;
}

export interface AuditTimeline {
  /** Newest first. */
  readonly entries: readonly TimelineEntry[];
  /** There are more events. */
  readonly isCut: boolean;
  /** Why it is incomplete. A clause. */
  readonly problem?: string;
}

/** The client id of this program, unless a person uses another. */
export const ownClientId = 'package-insights';
