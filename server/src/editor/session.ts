import { type ClientCapabilities, type Connection, type InitializeParams, TextDocuments } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type GraphOf, graphReader } from '../engine/analysis/graphs.ts';
import { RegistryHistory } from '../engine/analysis/privacy/registry-history.ts';
import type { Snapshot } from '../engine/analysis/snapshot.ts';
import { Workspace } from '../engine/analysis/workspace.ts';
import { directoryOf, fileUri, parentOf, relativeTo, sameUri } from '../engine/base/uri.ts';
import { isSameVersionIn } from '../engine/ecosystems/versioning.ts';
import { type PositionEncoding, type Positions, positionsIn } from '../engine/formats/text/positions.ts';
import type { FindLocalFile } from '../engine/lookup/local-file.ts';
import type { ReadGraph } from '../engine/model/graph/read-graph.ts';
import type { LinkSafety } from '../engine/model/links.ts';
import type { Network } from '../engine/model/network.ts';
import { type Clock, type ConnectedInsights, type Files, withReader } from '../engine/model/ports.ts';
import { accessOf } from '../engine/model/registries/asked-registries.ts';
import { joinPrivateFacts } from '../engine/model/registries/join-private.ts';
import type { PrivateFacts, PrivateFactsHost } from '../engine/model/registries/private-facts.ts';
import type { Settings } from '../engine/model/settings.ts';
import type { FindFolderManifests } from '../engine/report/scan/folder-manifests.ts';
import { hasServiceAddress, readClientSettings, readSettings } from '../engine/settings/read.ts';
import { encodingFor } from './capabilities.ts';
import { type ClientTraits, traitsOf } from './client-traits.ts';
import type { Extend } from './extension.ts';
import type { AnswerContext } from './features/feature.ts';
import { Providers } from './providers.ts';
import { readNetwork } from './sync/network.ts';
import { createRecentFiles, type RecentFiles } from './sync/watched-files.ts';
import { createDeferredRequests, type DeferredRequests } from './util/deferred-requests.ts';

/**
 * How long the server waits for the client's settings, in ms. A client with `workspace/configuration` takes far less.
 */
const SETTINGS_TIMEOUT_MS = 5000;

/** What the entry point passes in. */
export interface ServerParts {
  readonly connection: Connection;
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
  /** The service address of the environment, for a client that sends none. */
  readonly baseUrl?: string | undefined;
  /** Absent where there are no extensions. */
  readonly extend?: Extend;
  /** The settings of connections in the environment, where the client names none. */
  readonly environmentSettings?: unknown;
  /** Loads the facts of private registries. Absent where none can be asked. */
  readonly privateFacts?: (host: PrivateFactsHost) => Promise<PrivateFacts>;
  /** Reads the graphs of large lockfiles elsewhere. Absent where pauses do not matter. */
  readonly readGraph?: ReadGraph;
  /** Called a moment after `initialized`: loads code that later requests need. */
  readonly preload?: () => Promise<void>;
  /** Sets the language of all texts: the client's locale, if it sent one. Returns the chosen one. */
  readonly chooseLanguage?: (locale: string | undefined) => string | undefined;
}

/** The state of one connection: capabilities, settings, folders, open documents. */
export class Session {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly version: string;
  readonly insights: ConnectedInsights;
  readonly workspace: Workspace;
  /** @param files absent for those of the workspace */
  readonly findManifests: (
    folders: readonly string[],
    isTrusted: boolean,
    files?: Files,
  ) => ReturnType<FindFolderManifests>;
  readonly findLocalFile: FindLocalFile;
  /** The text of a file: the open document, or the file on disk. */
  readonly read: (uri: string) => Promise<string | undefined>;
  /** The files of the workspace, with the texts of open documents. */
  readonly files: Files;
  /** The same files with a cache for the evaluation after each keystroke. */
  readonly recentFiles: RecentFiles;
  /** Former registry configuration, shared by all scans and documents. */
  readonly history: RegistryHistory;
  /** Called with files whose former text no longer counts. */
  onFilesSettled: (uris: readonly string[]) => void = () => {};
  /** Called when it is time to read again what could not be read. */
  onFilesReadable: () => void = () => {};
  /** Called once the graph of a large lockfile that an evaluation did without is read. */
  onGraphRead: () => void = () => {};
  /** Whether an answer had links that were not checked in time: it is worth another request. */
  hasUncheckedLinks = false;
  /** Absent where pauses do not matter. */
  readonly readGraph: ReadGraph | undefined;
  /** Never waits for the graph of a large lockfile. */
  readonly graphOf: GraphOf;
  readonly documents = new TextDocuments(TextDocument);
  readonly deferred: DeferredRequests;
  readonly providers = new Providers();
  client: ClientCapabilities = {};
  encoding: PositionEncoding = 'utf-16';
  /** The language of all texts; undefined for English. */
  locale: string | undefined;
  settings: Settings = readSettings(undefined);
  /**
   * Resolves when the client's settings are known. No document is looked up or published before: the requests could go
   * to the wrong service.
   */
  settingsKnown: Promise<void> = Promise.resolve();
  areSettingsKnown = true;
  /** Resolves `settingsKnown`. */
  markSettingsKnown: () => void = () => {};
  /** Settings by folder, in a workspace of several folders: they differ in display settings only. */
  folderSettings: ReadonlyMap<string, Settings> = new Map();
  /** Whether the person trusts the workspace. True for clients without that concept. */
  isTrusted = true;
  network: Network = {};
  /** The reasons for failed lookups that are already logged. */
  readonly loggedFailures = new Set<string>();
  /** Whether `initialize` was received, and was valid. */
  isInitialized = false;
  /** Whether the client reports changed files. */
  isWatching = false;
  /** URIs of the workspace folders, with a final slash. */
  folders: readonly string[] = [];
  /** `initializationOptions`, used where the client has no setting of its own. */
  initializationOptions: unknown;
  readonly #baseUrl: string | undefined;
  readonly #canAsk: boolean;
  #joinedSettings: { readonly settings: Settings; readonly network: Network; readonly both: Settings } | undefined;
  readonly #environmentSettings: unknown;
  #pointedUris: readonly string[] = [];
  #traits: ClientTraits = traitsOf({});
  readonly #pages: string | undefined;
  /** Line offsets of a lockfile take longer to compute than most answers: cached for each text. */
  readonly #positions = new WeakMap<Snapshot['texts'], Map<string, Positions>>();

  constructor({
    connection,
    insights,
    disk,
    findManifests,
    findLocalFile,
    clock,
    version,
    pages,
    baseUrl,
    environmentSettings,
    privateFacts,
    readGraph,
  }: ServerParts) {
    this.connection = connection;
    this.findLocalFile = findLocalFile;
    this.readGraph = readGraph;
    this.graphOf = graphReader(readGraph, () => this.onGraphRead());
    this.#baseUrl = baseUrl;
    this.#canAsk = privateFacts !== undefined;
    this.clock = clock;
    this.deferred = createDeferredRequests(clock);
    this.version = version;
    this.#pages = pages;
    this.#environmentSettings = environmentSettings;
    this.insights = joinPrivateFacts(
      insights(() => this.#settingsWithNetwork()),
      async () => privateFacts?.({ settings: () => this.settings, clock, accessOf, isSameVersion: isSameVersionIn }),
      () => this.settings.privateRegistries === 'ask',
    );
    const readsFiles = (): boolean => this.client.experimental?.packageInsightsFiles === true;
    const files = disk(() => this.#readable(), readsFiles);
    this.findManifests = (given, isTrusted, its = files) =>
      findManifests(its)(
        given,
        isTrusted,
        { systems: this.settings.disabledSystems, by: 'packageInsights.disabledSystems' },
        (uri) => this.settingsFor(uri).fileNames,
      );
    this.files = withReader(files, (look) => async (uri) => this.workspace.textOf(uri) ?? look(uri));
    this.read = this.files.read;
    this.recentFiles = createRecentFiles(files, clock, () => this.onFilesReadable());
    this.history = new RegistryHistory(
      clock,
      files,
      (it) => this.onFilesSettled(it),
      (uri) => this.settingsFor(uri).fileNames,
    );
    const environment = {
      now: () => this.clock.now(),
      isTrusted: () => this.isTrusted,
      history: this.history,
      ...(readGraph && { readGraph }),
      onGraphRead: () => this.onGraphRead(),
    };
    this.workspace = new Workspace(
      this.recentFiles,
      this.insights,
      (uri) => (uri === undefined ? this.settings : this.settingsFor(uri)),
      environment,
    );
  }

  initialize({ capabilities, initializationOptions, workspaceFolders, rootUri, rootPath }: InitializeParams): void {
    this.client = capabilities;
    this.#traits = traitsOf(capabilities, initializationOptions);
    this.encoding = encodingFor(capabilities);
    this.initializationOptions = initializationOptions;
    this.isTrusted = initializationOptions?.isTrusted !== false;
    this.settings = this.readSettings();
    this.network = readNetwork(initializationOptions?.network);
    const hasInitialSettings = hasServiceAddress(initializationOptions) && this.#traits.refreshesHints;
    if (capabilities.workspace?.configuration && !hasInitialSettings) this.#awaitSettings();
    const root = rootUri ?? (rootPath ? fileUri(rootPath) : undefined);
    this.changeFolders(workspaceFolders ?? (root === undefined ? [] : [{ uri: root }]), []);
    // The cached answers of the chosen service are available for the first document.
    this.insights.reconnect();
    this.isInitialized = true;
  }

  /** The same object until they change: they are read with each fact. */
  #settingsWithNetwork(): Settings {
    const { settings, network } = this;
    const known = this.#joinedSettings;
    if (known?.settings === settings && known.network === network) return known.both;
    const both = { ...settings, network };
    this.#joinedSettings = { settings, network, both };
    return both;
  }

  /** Whether private registries are not asked, but could be. */
  get mayOfferAsking(): boolean {
    return this.#canAsk && this.settings.privateRegistries === 'off';
  }

  /** The capabilities of the client that answers depend on. */
  get traits(): ClientTraits {
    return this.#traits;
  }

  /** The settings of the client. `later`: what it sent after `initialize`, highest precedence first. */
  readSettings(...later: readonly unknown[]): Settings {
    return readClientSettings({
      later,
      initial: this.initializationOptions,
      environment: this.#baseUrl,
      others: this.#environmentSettings,
    });
  }

  /** Undefined if links are not checked. */
  get links(): LinkSafety | undefined {
    return this.settings.linkSafety === 'off' ? undefined : this.providers.links();
  }

  /** The innermost workspace folder of a file. */
  folderOf(uri: string): string | undefined {
    return this.folders.filter((it) => relativeTo(it, uri) !== undefined).sort((a, b) => b.length - a.length)[0];
  }

  changeFolders(added: readonly Folder[], removed: readonly Folder[]): void {
    const gone = new Set(removed.map((it) => sameUri(withSlash(it.uri))));
    const stay = this.folders.filter((it) => !gone.has(sameUri(it)));
    this.folders = [...new Set([...stay, ...added.map((it) => withSlash(it.uri))])];
  }

  /** Makes configuration beside a document readable that need not be open here. */
  allowReadingBeside(uri: string): void {
    if (this.#pointedUris[0] === uri) return;
    this.#pointedUris = [uri];
    this.#readableCache = undefined;
  }

  /** The settings of the innermost folder that contains a file. */
  settingsFor(uri: string): Settings {
    if (this.folderSettings.size === 0) return this.settings;
    return this.folderSettings.get(this.folderOf(uri) ?? '') ?? this.settings;
  }

  /** Whether a document may be a manifest. A revision in a repository's history or a notebook cell is not one. */
  mayBeManifest(document: TextDocument): boolean {
    const { uri } = document;
    const isPlaced = /^(?:file|untitled):/i.test(uri) || this.folderOf(uri) !== undefined;
    return isPlaced && typeof document.getText() === 'string';
  }

  /** The context of answers from a snapshot. */
  contextFor(snapshot: Snapshot): AnswerContext {
    const known = this.#positions.get(snapshot.texts) ?? new Map<string, Positions>();
    this.#positions.set(snapshot.texts, known);
    const backoff = this.insights.backoff();
    const connectionProblem = this.insights.connectionProblem();
    const { links } = this;
    return {
      settings: this.settingsFor(snapshot.uri),
      mayOfferAsking: this.mayOfferAsking,
      client: this.#traits,
      facts: this.insights,
      requirements: this.insights.lookups.knownRequirements,
      graphOf: this.graphOf,
      dependents: () => [],
      now: this.clock.now(),
      ...(links && { links }),
      additions: this.providers.additions,
      ...(this.#pages !== undefined && { pages: this.#pages }),
      ...(backoff?.asked && { retryAt: backoff.until }),
      ...(connectionProblem !== undefined && { connectionProblem }),
      versionOf: (uri) => {
        const document = this.documents.get(uri);
        if (document === undefined) return null;
        // If the text has changed since, the edit names the version before: a client rejects it.
        return document.getText() === snapshot.texts.get(uri) ? document.version : document.version - 1;
      },
      positions: (uri) => {
        const positions = known.get(uri) ?? positionsIn(snapshot.texts.get(uri) ?? '', this.encoding);
        known.set(uri, positions);
        return positions;
      },
    };
  }

  log(what: string, error: unknown): void {
    this.connection.console.error(
      `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }

  #awaitSettings(): void {
    this.areSettingsKnown = false;
    this.settingsKnown = new Promise((resolve) => {
      this.markSettingsKnown = () => {
        this.areSettingsKnown = true;
        resolve();
      };
    });
    this.clock.after(SETTINGS_TIMEOUT_MS, this.markSettingsKnown);
  }

  #readableCache:
    | { readonly documents: unknown; readonly folders: unknown; readonly readable: readonly string[] }
    | undefined;

  /** The workspace folders, and the directories of documents outside them, except a root directory. */
  #readable(): readonly string[] {
    const { documents } = this.workspace;
    // Called for each file that is read.
    if (this.#readableCache?.documents === documents && this.#readableCache.folders === this.folders)
      return this.#readableCache.readable;
    const outside = [...documents.map((it) => it.uri), ...this.#pointedUris]
      .map(directoryOf)
      .filter((it) => parentOf(it) !== undefined && !this.folders.some((folder) => it.startsWith(folder)));
    const readable = [...this.folders, ...new Set(outside)];
    this.#readableCache = { documents, folders: this.folders, readable };
    return readable;
  }
}

interface Folder {
  readonly uri: string;
}

function withSlash(uri: string): string {
  return uri.endsWith('/') ? uri : `${uri}/`;
}
