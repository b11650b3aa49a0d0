import type { CachedService } from '../../engine/model/cached-answers.ts';
import type { ClientRegistries, ClientRegistriesOptions } from '../../engine/model/registries/client-registries.ts';
import type { Terminal } from '../../terminal/command.ts';
import type { ImportFilesOptions } from '../import/import-files.ts';
import type { OfferedServices, OfferOptions } from '../offered-services.ts';
import type { TeamOptions, TeamService } from '../team/options.ts';

/** The terminal of the commands that run the service. */
export interface ServiceTerminal extends Terminal {
  /** The services of `serve` besides the Package Insights Service. Rejects with `Unusable` for input it cannot use. */
  readonly offerServices: (options: OfferOptions) => Promise<OfferedServices>;
  /** Opens a team's service. Rejects with `Unusable` for input it cannot use. */
  readonly openTeam: (options: Omit<TeamOptions, 'version' | 'clock' | 'http' | 'log'>) => Promise<TeamService>;
  /** The registries that the package managers of this machine use. */
  readonly clientRegistries: (options: ClientRegistriesOptions) => Promise<ClientRegistries>;
  /** Fills the database of a team's service. Rejects with `Unusable` for input it cannot use. */
  readonly importFiles: (options: ImportFilesOptions) => Promise<void>;
  /**
   * Lists the services with cached answers in a file or folder, by default in this machine's cache; the service with
   * most answers first. Rejects where it cannot be read.
   */
  readonly cachedServices: (path: string | undefined) => Promise<readonly CachedService[]>;
}
