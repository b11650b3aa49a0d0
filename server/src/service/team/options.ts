import type { Http } from '../../engine/http/types.ts';
import type { PackageKey } from '../../engine/model/keys.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { Access } from '../../engine/model/registries/access.ts';
import type { System } from '../../engine/model/system.ts';
import type { AnsweredRequest, OperatorPage } from '../http-server.ts';
import type { AskingProgress } from '../registries/registry-upstream.ts';
import type { Source } from '../source.ts';
import type { StoreAddress } from '../store/address.ts';

/** What `serve` gives to a team's service. */
export interface TeamOptions {
  /** Absent: memory, for this run. */
  readonly store: StoreAddress | undefined;
  /** The service that answers what the store lacks. */
  readonly upstream?: string | undefined;
  /** Requests to it in a minute. */
  readonly upstreamBudget?: number | undefined;
  /** The Redis or Valkey in which the instances coordinate. Absent: each works alone. */
  readonly shared?: string | undefined;
  /** In place of an upstream service: the registries of this machine's clients, behind a catalog. */
  readonly registries?: RegistrySources | undefined;
  /** The text of the file of tokens. */
  readonly tokens?: string | undefined;
  readonly version: string;
  readonly clock: Clock;
  readonly http: Pick<Http, 'request'>;
  /** Writes one line of the log. */
  readonly log: (line: string) => void;
}

export interface RegistrySources {
  /** The folder of the catalog. */
  readonly catalog: string;
  readonly accessOf: (key: PackageKey) => Access | undefined;
  /** Those that are asked for most packages, without credentials. */
  readonly addresses: ReadonlyMap<System, readonly string[]>;
  /** All that may be asked. A store keeps what one list of them has said. */
  readonly asked?: ReadonlyMap<System, readonly string[]>;
  readonly onProgress?: (progress: AskingProgress) => void;
}

export interface TeamService {
  readonly source: Source;
  readonly pages: Readonly<Record<string, OperatorPage>>;
  /** Absent: without tokens. */
  readonly isAllowed?: (authorization: string | undefined) => boolean;
  onAnswered(answered: AnsweredRequest): void;
  onFault(fault: unknown): void;
  /** From now on `/readyz` reports that nothing more is to be sent here. */
  drain(): void;
  close(): Promise<void>;
}
