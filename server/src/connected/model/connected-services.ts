import type {
  ConnectionName,
  ConnectionSettings,
  Connections,
  Credentials,
  Ledger,
  LinkSafetyMode,
  OfferedThreatLists,
} from '../../engine/model/connection.ts';
import type { LinkSafety } from '../../engine/model/links.ts';
import type { SchedulingSettings } from '../../engine/model/schedule-settings.ts';
import type { Repositories } from '../../engine/model/signals/repository.ts';
import type { AuditQuery, AuditTimeline } from './audit.ts';
import type { Deployments } from './deployments/deployments.ts';
import type { RequestCalls } from './documents/requests.ts';
import type { ServiceDocumentKind } from './documents/service-document.ts';
import type { Schedule } from './scheduling/schedule.ts';

/** Everything that belongs to connected services. Loaded when one of them is connected, or a person asks for them. */
export interface ConnectedServices {
  readonly connections: Connections;
  readonly ledger: Ledger;
  /**
   * Lists the uses of credentials. Never rejects.
   * @param progress called with the number of events that were read
   */
  audit(query: AuditQuery, signal?: AbortSignal, progress?: (events: number) => void): Promise<AuditTimeline>;
  /** The checks of links in the mode of the settings. Where it is off, or no service is connected, none is checked. */
  readonly links: LinkSafety;
  /** Called when links have got other states, in whatever mode. */
  onDidCheckLinks(listener: () => void): void;
  /** Requests the lists that links can be checked against, for a person who chooses. */
  threatLists(signal?: AbortSignal): Promise<OfferedThreatLists>;
  /** The facts of the code host's repositories. */
  readonly repositories: Repositories;
  /** The updates that are planned in a calendar. */
  readonly schedule: Schedule;
  /** The calls that a person writes as documents. */
  readonly requests: RequestCalls;
  /** The deployments of the chosen project. */
  readonly deployments: Deployments;
  /** The kinds of documents that belong to services. The same list as long as they are loaded. */
  readonly documents: readonly ServiceDocumentKind[];
  close(): void;
}

/** What connected services need from the program around them. */
export interface ConnectedHost {
  readonly settings: () => {
    readonly connections: Readonly<Record<ConnectionName, ConnectionSettings>>;
    readonly linkSafety: LinkSafetyMode | 'closed';
    readonly threatLists: readonly string[];
    readonly scheduling: SchedulingSettings;
    readonly deployments: { readonly project: string };
    readonly offline: boolean;
  };
  readonly credentials: Credentials;
}
