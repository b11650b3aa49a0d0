import type { InitializeParams } from 'vscode-languageserver';
import type { Network } from '../../engine/model/network.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { Settings } from '../../engine/model/settings.ts';
import { hasServiceAddress, readClientSettings, readSettings } from '../../engine/settings/read.ts';
import { readNetwork } from '../sync/read-network.ts';
import type { ClientState } from './client-state.ts';
import type { Folders } from './folders.ts';

/**
 * How long the server waits for the client's settings, in ms. A client with `workspace/configuration` takes far less.
 */
const SETTINGS_TIMEOUT_MS = 5000;

/** What the environment of the server sets. */
export interface EnvironmentSettings {
  /** The service address, for a client that sends none. */
  readonly baseUrl?: string | undefined;
  /** The settings of connections, where the client names none. */
  readonly environmentSettings?: unknown;
}

/** The settings of a server, from its client and its environment. */
export class SettingsState {
  current: Settings = readSettings(undefined);
  /** Settings by folder, in a workspace of several folders: they differ in display settings only. */
  ofFolders: ReadonlyMap<string, Settings> = new Map();
  network: Network = {};
  /**
   * Resolves when the client's settings are known. No document is looked up or published before: the requests could go
   * to the wrong service.
   */
  known: Promise<void> = Promise.resolve();
  areKnown = true;
  /** Resolves `known`. */
  markKnown: () => void = () => {};
  readonly #client: ClientState;
  readonly #folders: Folders;
  readonly #clock: Clock;
  readonly #environment: EnvironmentSettings;
  #joined: { readonly settings: Settings; readonly network: Network; readonly both: Settings } | undefined;

  constructor(client: ClientState, folders: Folders, clock: Clock, environment: EnvironmentSettings) {
    this.#client = client;
    this.#folders = folders;
    this.#clock = clock;
    this.#environment = environment;
  }

  initialize({ capabilities, initializationOptions }: InitializeParams): void {
    this.current = this.read();
    this.network = readNetwork(initializationOptions?.network);
    const hasInitialSettings = hasServiceAddress(initializationOptions) && this.#client.traits.refreshesHints;
    if (capabilities.workspace?.configuration && !hasInitialSettings) this.#await();
  }

  /** The settings of the client. `later`: what it sent after `initialize`, highest precedence first. */
  read(...later: readonly unknown[]): Settings {
    return readClientSettings({
      later,
      initial: this.#client.initializationOptions,
      environment: this.#environment.baseUrl,
      others: this.#environment.environmentSettings,
    });
  }

  /** The settings of the innermost folder that contains a file. */
  for(uri: string): Settings {
    if (this.ofFolders.size === 0) return this.current;
    return this.ofFolders.get(this.#folders.of(uri) ?? '') ?? this.current;
  }

  /** Those of the workspace and of each folder. */
  get all(): readonly Settings[] {
    return [this.current, ...this.ofFolders.values()];
  }

  /** The same object until they change: they are read with each fact. */
  withNetwork(): Settings {
    const { current: settings, network } = this;
    const known = this.#joined;
    if (known?.settings === settings && known.network === network) return known.both;
    const both = { ...settings, network };
    this.#joined = { settings, network, both };
    return both;
  }

  #await(): void {
    this.areKnown = false;
    this.known = new Promise((resolve) => {
      this.markKnown = () => {
        this.areKnown = true;
        resolve();
      };
    });
    this.#clock.after(SETTINGS_TIMEOUT_MS, this.markKnown);
  }
}
