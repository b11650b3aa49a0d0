import type { ApiAnswer, ApiRequest, ConnectionName, SignIns } from '../../engine/model/connection.ts';
import type { Settings } from '../../engine/model/settings.ts';
import type { Terminal } from '../../terminal/command.ts';
import type { DayUsage } from '../ledger/usage.ts';
import type { ConnectedServices } from '../model/connected-services.ts';

/** The terminal of the commands of connected services. */
export interface ConnectedTerminal extends Terminal {
  readonly services: (settings: Settings) => Promise<ConnectedServices>;
  /**
   * Reads the usage of services between two days (UTC), both included, from a ledger or its folder, by default this
   * machine's. Rejects where it cannot be read.
   */
  readonly usage: (path: string | undefined, since: string, until: string) => Promise<readonly DayUsage[]>;
  /** Reads a credential from the terminal without its echo, or from standard input. Undefined if the person cancels. */
  readonly secret: (prompt: string) => Promise<string | undefined>;
  readonly signIns: SignIns;
  /**
   * Opens a session with a connected service. The environment gives its credential, and its address if there is no
   * other.
   */
  readonly service: (name: ConnectionName, baseUrl: string | undefined) => Promise<ServiceSession>;
}

/** Requests to a connected service, which a person waits for. */
export interface ServiceSession {
  /** Never rejects. The answer does not contain the credential. */
  send(request: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer>;
  close(): void;
}
