import { type ClientCapabilities, type Connection, type InitializeParams, TextDocuments } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { RegistryHistory } from '../analysis/privacy/registry-history.ts';
import type { Snapshot } from '../analysis/snapshot.ts';
import { Workspace } from '../analysis/workspace.ts';
import { directoryOf, fileUri, parentOf, relativeTo, sameUri } from '../base/uri.ts';
import { type PositionEncoding, type Positions, positionsIn } from '../formats/text/positions.ts';
import type { Network } from '../model/network.ts';
import { type Clock, type ConnectedInsights, type Files, withReader } from '../model/ports.ts';
import type { Settings } from '../model/settings.ts';
import { hasServiceAddress, readClientSettings, readSettings } from '../settings/read.ts';
import { type AnswerContext, type ClientTraits, traitsOf } from './features/feature.ts';
import { readNetwork } from './sync/network.ts';
import { createRecentFiles, type RecentFiles } from './sync/watched-files.ts';
import { createDeferredRequests, type DeferredRequests } from './util/deferred-requests.ts';

/** How long, in ms, a client may take to tell its settings: none that can be asked for them takes so long. */
const SETTINGS_TIMEOUT_MS = 5000;

/** What the composition root hands over. */
export interface ServerParts {
  readonly connection: Connection;
  readonly insights: (settings: () => Settings) => ConnectedInsights;
  readonly disk: (roots: () => readonly string[]) => Files;
  readonly clock: Clock;
  readonly version: string;
  /** The service that the environment names, for a client that names none. */
  readonly baseUrl?: string | undefined;
  /** Called when the client has its first answer, and before it has anything else: the time to load what comes next. */
  readonly preload?: () => void;
  /** Chooses the language of all texts: the client's, where it names one. */
  readonly chooseLanguage?: (locale: string | undefined) => void;
}

/** One client's stay: what it can do, its settings and folders, its open documents. */
export class Session {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly version: string;
  readonly insights: ConnectedInsights;
  readonly workspace: Workspace;
  /** The text of a file of the workspace, as the editor has it. */
  readonly read: (uri: string) => Promise<string | undefined>;
  /** The files of the workspace, as the editor has them. */
  readonly files: Files;
  /** The same files for what is worked out anew with every keystroke. */
  readonly recentFiles: RecentFiles;
  /** What was said of registries before texts were changed, for all that looks at manifests. */
  readonly history: RegistryHistory;
  /** Files that say where packages come from have stood as they are for a while. */
  onFilesSettled: (uris: readonly string[]) => void = () => {};
  readonly documents = new TextDocuments(TextDocument);
  readonly deferred: DeferredRequests;
  client: ClientCapabilities = {};
  encoding: PositionEncoding = 'utf-16';
  settings: Settings = readSettings(undefined);
  /**
   * Resolves when it is known what a person has set. Nothing is asked about a document before, where it could be asked of
   * the wrong service; and nothing is told that could not be told anew.
   */
  settingsKnown: Promise<void> = Promise.resolve();
  areSettingsKnown = true;
  /** The settings were read. */
  markSettingsKnown: () => void = () => {};
  /** Those of single folders, where there are several, by the folder: they differ in what is shown alone. */
  folderSettings: ReadonlyMap<string, Settings> = new Map();
  /** Whether the person trusts the workspace. A client that says nothing of it has no such notion. */
  isTrusted = true;
  network: Network = {};
  /** Why the service could not be asked, as far as the log tells of it already. */
  readonly loggedFailures = new Set<string>();
  /** Whether the client has introduced itself. */
  isInitialized = false;
  /** Whether it tells of changed files. */
  isWatching = false;
  /** File URIs of the workspace's folders, each with its last slash. */
  folders: readonly string[] = [];
  /** What the client sent with `initialize`: holds where it has no settings of its own. */
  initializationOptions: unknown;
  readonly #baseUrl: string | undefined;
  #pointedUris: readonly string[] = [];
  #traits: ClientTraits = traitsOf({});
  /** Finding the lines of a lockfile takes longer than most answers: it is done once for each of its texts. */
  readonly #positions = new WeakMap<Snapshot['texts'], Map<string, Positions>>();

  constructor({ connection, insights, disk, clock, version, baseUrl }: ServerParts) {
    this.connection = connection;
    this.#baseUrl = baseUrl;
    this.clock = clock;
    this.deferred = createDeferredRequests(clock);
    this.version = version;
    this.insights = insights(() => ({ ...this.settings, network: this.network }));
    const files = disk(() => this.#readable());
    this.files = withReader(files, (look) => async (uri) => this.workspace.textOf(uri) ?? look(uri));
    this.read = this.files.read;
    this.recentFiles = createRecentFiles(files, clock);
    this.history = new RegistryHistory(clock, files, (it) => this.onFilesSettled(it));
    const environment = { now: () => this.clock.now(), isTrusted: () => this.isTrusted, history: this.history };
    this.workspace = new Workspace(this.recentFiles, this.insights, () => this.settings, environment);
  }

  initialize({ capabilities, initializationOptions, workspaceFolders, rootUri, rootPath }: InitializeParams): void {
    this.isInitialized = true;
    this.client = capabilities;
    this.#traits = traitsOf(capabilities);
    this.encoding = capabilities.general?.positionEncodings?.[0] === 'utf-8' ? 'utf-8' : 'utf-16';
    this.initializationOptions = initializationOptions;
    this.isTrusted = initializationOptions?.isTrusted !== false;
    this.settings = this.readSettings();
    this.network = readNetwork(initializationOptions?.network);
    const hasInitialSettings = hasServiceAddress(initializationOptions) && this.#traits.refreshesHints;
    if (capabilities.workspace?.configuration && !hasInitialSettings) this.#awaitSettings();
    const root = rootUri ?? (rootPath ? fileUri(rootPath) : undefined);
    this.changeFolders(workspaceFolders ?? (root === undefined ? [] : [{ uri: root }]), []);
    // What is kept of the service that was chosen is at hand for the first document already.
    this.insights.reconnect();
  }

  /** The settings of the client. `later`: what it says of them beside what it said at the start, the strongest first. */
  readSettings(...later: readonly unknown[]): Settings {
    return readClientSettings({ later, initial: this.initializationOptions, environment: this.#baseUrl });
  }

  /** Those of its folders that lie on a disk. */
  get foldersOnDisk(): readonly string[] {
    return this.folders.filter((it) => /^file:/i.test(it));
  }

  changeFolders(added: readonly Folder[], removed: readonly Folder[]): void {
    const gone = new Set(removed.map((it) => sameUri(withSlash(it.uri))));
    const stay = this.folders.filter((it) => !gone.has(sameUri(it)));
    this.folders = [...new Set([...stay, ...added.map((it) => withSlash(it.uri))])];
  }

  /** A person points at something in a text that need not be open here: what configuration lies beside it counts. */
  allowReadingBeside(uri: string): void {
    if (this.#pointedUris[0] === uri) return;
    this.#pointedUris = [uri];
    this.#readableCache = undefined;
  }

  /** What counts for a file: the settings of the innermost folder that it lies in. */
  settingsFor(uri: string): Settings {
    if (this.folderSettings.size === 0) return this.settings;
    const around = this.folders.filter((it) => relativeTo(it, uri) !== undefined);
    const [innermost = ''] = around.sort((a, b) => b.length - a.length);
    return this.folderSettings.get(innermost) ?? this.settings;
  }

  /** Whether a document may be a manifest: what lies in a repository's history or a notebook's cell is none. */
  mayBeManifest(document: TextDocument): boolean {
    return /^(?:file|untitled):/i.test(document.uri) && typeof document.getText() === 'string';
  }

  /** What an answer depends on besides the snapshot. */
  contextFor(snapshot: Snapshot): AnswerContext {
    const known = this.#positions.get(snapshot.texts) ?? new Map<string, Positions>();
    this.#positions.set(snapshot.texts, known);
    const backoff = this.insights.backoff();
    const connectionProblem = this.insights.connectionProblem();
    return {
      settings: this.settingsFor(snapshot.uri),
      client: this.#traits,
      facts: this.insights,
      requirements: this.insights.lookups.knownRequirements,
      dependents: () => 0,
      now: this.clock.now(),
      ...(backoff?.asked && { retryAt: backoff.until }),
      ...(connectionProblem !== undefined && { connectionProblem }),
      versionOf: (uri) => {
        const document = this.documents.get(uri);
        if (document === undefined) return null;
        // Where somebody has typed since, an edit is for the version before: a client makes it in no newer one.
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

  /** The folders, and for files opened from outside them what lies beside; beside a file at the root lies everything. */
  #readable(): readonly string[] {
    const { documents } = this.workspace;
    // Each file that is read asks for it.
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
