import { type GraphOf, graphReader } from '../../engine/analysis/graphs.ts';
import { RegistryHistory } from '../../engine/analysis/privacy/registry-history.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { Workspace } from '../../engine/analysis/workspace.ts';
import { isSameVersionIn } from '../../engine/ecosystems/versioning.ts';
import { type Positions, positionsIn } from '../../engine/formats/text/positions.ts';
import type { FindLocalFile } from '../../engine/lookup/local-file.ts';
import type { ReadGraph } from '../../engine/model/graph/read-graph.ts';
import type { LinkSafety } from '../../engine/model/links.ts';
import { type Clock, type ConnectedInsights, type Files, withReader } from '../../engine/model/ports.ts';
import { accessOf } from '../../engine/model/registries/asked-registries.ts';
import { joinPrivateFacts } from '../../engine/model/registries/join-private.ts';
import type { PrivateFacts, PrivateFactsHost } from '../../engine/model/registries/private-facts.ts';
import type { Settings } from '../../engine/model/settings.ts';
import type { FindFolderManifests } from '../../engine/report/scan/folder-manifests.ts';
import type { AnswerContext } from '../features/feature.ts';
import type { Providers } from '../providers.ts';
import { createRecentFiles, type RecentFiles } from '../sync/watched-files.ts';
import { createDeferredRequests, type DeferredRequests } from '../util/deferred-requests.ts';
import type { ClientState } from './client-state.ts';
import type { Folders } from './folders.ts';
import type { SettingsState } from './settings-state.ts';

/** What the entry point passes in for the engine. */
export interface EngineParts {
  readonly insights: (settings: () => Settings) => ConnectedInsights;
  /**
   * The files below some folders.
   * @param readsFiles whether the client announced that it reads files of its own file systems for the server
   */
  readonly disk: (roots: () => readonly string[], readsFiles: () => boolean) => Files;
  /** Finds all manifests of folders, for what concerns a whole workspace. */
  readonly findManifests: (files: Files) => FindFolderManifests;
  /** Finds a file to identify. */
  readonly findLocalFile: FindLocalFile;
  readonly clock: Clock;
  readonly version: string;
  /** The address of the folder with the pages of the documentation; absent where there is none. */
  readonly pages?: string | undefined;
  /** Loads the facts of private registries. Absent where none can be asked. */
  readonly privateFacts?: (host: PrivateFactsHost) => Promise<PrivateFacts>;
  /** Reads the graphs of large lockfiles elsewhere. Absent where pauses do not matter. */
  readonly readGraph?: ReadGraph;
}

/** What the engine works for. */
export interface EngineHost {
  readonly client: ClientState;
  readonly settings: SettingsState;
  readonly folders: Folders;
  readonly providers: Providers;
}

interface EngineListener {
  /** The former text of these files does not count any more. */
  filesSettled(uris: readonly string[]): void;
  /** It is time to read again what could not be read. */
  filesReadable(): void;
  /** The graph of a large lockfile that an evaluation did without is read. */
  graphRead(): void;
}

/** The engine of a server: facts, files, documents, and the contexts of answers about them. */
export class Engine {
  readonly clock: Clock;
  readonly version: string;
  readonly insights: ConnectedInsights;
  readonly workspace: Workspace;
  readonly findLocalFile: FindLocalFile;
  /** The text of a file: the open document, or the file on disk. */
  readonly read: (uri: string) => Promise<string | undefined>;
  /** The files of the workspace, with the texts of open documents. */
  readonly files: Files;
  /** The same files with a cache for the evaluation after each keystroke. */
  readonly recentFiles: RecentFiles;
  /** Former registry configuration, shared by all scans and documents. */
  readonly history: RegistryHistory;
  /** Absent where pauses do not matter. */
  readonly readGraph: ReadGraph | undefined;
  /** Never waits for the graph of a large lockfile. */
  readonly graphOf: GraphOf;
  readonly deferred: DeferredRequests;
  /** Whether an answer had links that were not checked in time: it is worth another request. */
  hasUncheckedLinks = false;
  readonly #parts: EngineParts;
  readonly #host: EngineHost;
  readonly #disk: Files;
  readonly #listeners: Partial<EngineListener>[] = [];
  /** Line offsets of a lockfile take longer to compute than most answers: cached for each text. */
  readonly #positions = new WeakMap<Snapshot['texts'], Map<string, Positions>>();

  constructor(parts: EngineParts, host: EngineHost) {
    const { clock, version, readGraph } = parts;
    const { client, settings, folders } = host;
    this.#parts = parts;
    this.#host = host;
    this.clock = clock;
    this.version = version;
    this.findLocalFile = parts.findLocalFile;
    this.readGraph = readGraph;
    this.deferred = createDeferredRequests(clock);
    const graphRead = (): void => this.#tell((it) => it.graphRead?.());
    this.graphOf = graphReader(readGraph, graphRead);
    this.insights = joinPrivateFacts(
      parts.insights(() => settings.withNetwork()),
      async () =>
        parts.privateFacts?.({ settings: () => settings.current, clock, accessOf, isSameVersion: isSameVersionIn }),
      () => settings.current.privateRegistries === 'ask',
    );
    this.#disk = parts.disk(
      () => folders.readable(this.workspace.documents),
      () => client.capabilities.experimental?.packageInsightsFiles === true,
    );
    this.files = withReader(this.#disk, (look) => async (uri) => this.workspace.textOf(uri) ?? look(uri));
    this.read = this.files.read;
    this.recentFiles = createRecentFiles(this.#disk, clock, () => this.#tell((it) => it.filesReadable?.()));
    this.history = new RegistryHistory(
      clock,
      this.#disk,
      (uris) => this.#tell((it) => it.filesSettled?.(uris)),
      (uri) => settings.for(uri).fileNames,
    );
    this.workspace = new Workspace(
      this.recentFiles,
      this.insights,
      (uri) => (uri === undefined ? settings.current : settings.for(uri)),
      {
        now: () => clock.now(),
        isTrusted: () => client.isTrusted,
        history: this.history,
        ...(readGraph && { readGraph }),
        onGraphRead: graphRead,
      },
    );
  }

  follow(listener: Partial<EngineListener>): void {
    this.#listeners.push(listener);
  }

  /** @param files absent for those of the workspace */
  findManifests(folders: readonly string[], files: Files = this.#disk): ReturnType<FindFolderManifests> {
    const { client, settings } = this.#host;
    return this.#parts.findManifests(files)(
      folders,
      client.isTrusted,
      { systems: settings.current.disabledSystems, by: 'packageInsights.disabledSystems' },
      (uri) => settings.for(uri).fileNames,
    );
  }

  /** Whether private registries are not asked, but could be. */
  get mayOfferAsking(): boolean {
    return this.#parts.privateFacts !== undefined && this.#host.settings.current.privateRegistries === 'off';
  }

  /** Undefined if links are not checked. */
  get links(): LinkSafety | undefined {
    const { settings, providers } = this.#host;
    return settings.current.linkSafety === 'off' ? undefined : providers.links();
  }

  /** The context of answers from a snapshot. */
  contextFor(snapshot: Snapshot): AnswerContext {
    const { client, settings, providers } = this.#host;
    const { insights, links } = this;
    const { pages } = this.#parts;
    const backoff = insights.backoff();
    const connectionProblem = insights.connectionProblem();
    return {
      settings: settings.for(snapshot.uri),
      mayOfferAsking: this.mayOfferAsking,
      client: client.traits,
      facts: insights,
      requirements: insights.lookups.knownRequirements,
      graphOf: this.graphOf,
      dependents: () => [],
      now: this.clock.now(),
      ...(links && { links }),
      additions: providers.additions,
      ...(pages !== undefined && { pages }),
      ...(backoff?.asked && { retryAt: backoff.until }),
      ...(connectionProblem !== undefined && { connectionProblem }),
      versionOf: (uri) => {
        const document = client.documents.get(uri);
        if (document === undefined) return null;
        // If the text has changed since, the edit names the version before: a client rejects it.
        return document.getText() === snapshot.texts.get(uri) ? document.version : document.version - 1;
      },
      positions: this.#positionsIn(snapshot),
    };
  }

  #positionsIn({ texts }: Snapshot): AnswerContext['positions'] {
    const known = this.#positions.get(texts) ?? new Map<string, Positions>();
    this.#positions.set(texts, known);
    return (uri) => {
      const positions = known.get(uri) ?? positionsIn(texts.get(uri) ?? '', this.#host.client.encoding);
      known.set(uri, positions);
      return positions;
    };
  }

  #tell(event: (listener: Partial<EngineListener>) => void): void {
    for (const it of this.#listeners) event(it);
  }
}
