import {
  type DocumentDiagnosticReport,
  ErrorCodes,
  ExecuteCommandRequest,
  type InitializeParams,
  InitializeRequest,
  ResponseError,
  ShutdownRequest,
  type TextDocumentContentResult,
} from 'vscode-languageserver';
import type { ReceivedFact } from '../engine/model/ports.ts';
import { mayLookUpInBrowser } from '../engine/model/settings.ts';
import { refreshCommand } from './command-names.ts';
import { answerContent, contentMethod } from './contents/contents.ts';
import { dispatch } from './dispatch.ts';
import type { Extend, Extension, ServerCommand } from './extension.ts';
import type { Feature } from './features/feature.ts';
import { features } from './features/index.ts';
import { offers, pullsDiagnostics, takesContents } from './features/offers.ts';
import { navigation } from './navigation/index.ts';
import { type NavigationFeature, navigate } from './navigation/navigate.ts';
import type { Initialize } from './opening.ts';
import { createDiagnosticsPublisher, type DiagnosticsPublisher } from './publish/diagnostics.ts';
import { createLinkRegistration, type LinkRegistration } from './publish/document-links.ts';
import { createRefresh, type Refresh } from './publish/refresh.ts';
import { stopStatus } from './publish/status.ts';
import { commands } from './requests/commands.ts';
import { answerRequests, ownMethods } from './requests/index.ts';
import { withPurls } from './requests/purl-hover.ts';
import type { Engine } from './state/engine.ts';
import { createState, type ServerState, type StateParts } from './state/server-state.ts';
import type { SettingsState } from './state/settings-state.ts';
import { type FollowedSettings, followSettings } from './sync/configuration.ts';
import { followDocuments } from './sync/documents.ts';
import { followNetwork } from './sync/network.ts';
import { followWatchedFiles, watchFiles } from './sync/watched-files.ts';
import { createPauses, gather, throttle } from './util/throttle.ts';

/** What the entry point passes in. */
export interface ServerParts extends StateParts {
  /** Absent where there are no extensions. */
  readonly extend?: Extend;
  /** Called a moment after `initialized`: loads code that later requests need. */
  readonly preload?: () => Promise<void>;
  /** Sets the language of all texts: the client's locale, if it sent one. Returns the chosen one. */
  readonly chooseLanguage?: (locale: string | undefined) => string | undefined;
}

/** What keeps the client up to date. */
interface Publishers {
  readonly diagnostics: DiagnosticsPublisher;
  readonly refresh: Refresh;
  readonly links: LinkRegistration;
}

/** Sent by a client that started in an untrusted workspace when the person trusts it. */
const trustNotification = 'packageInsights/trusted';

/**
 * Serves the Language Server Protocol over a connection until the client exits. opening.ts answers `initialize`.
 * @returns called with its parameters
 */
export function serve(parts: ServerParts): Initialize {
  const server = createState(parts);
  const diagnostics = createDiagnosticsPublisher(server);
  const publishers = {
    diagnostics,
    refresh: createRefresh(server, diagnostics),
    links: createLinkRegistration(server),
  };
  const extensions = extensionsOf(parts, server, publishers);
  server.providers.use(extensions);
  handleInitialized(parts, server, publishers);
  followDocuments(server, diagnostics, publishers.refresh);
  followFiles(server, publishers);
  followFacts(server, publishers.refresh);
  answerCommands(extensions, server, publishers.refresh);
  const requests = extensions.flatMap((it) => it.requests ?? []);
  answerRequests(server, requests);
  handleShutdown(server, diagnostics, [...ownMethods, ...requests.map((it) => it.method)]);
  return (params) => {
    server.client.locale = parts.chooseLanguage?.(params.locale) ?? params.locale;
    initialize(server, params);
    server.client.documents.listen(server.client.connection);
    answerFeatures(server, diagnostics);
  };
}

function initialize({ client, settings, folders, engine }: ServerState, params: InitializeParams): void {
  client.initialize(params);
  settings.initialize(params);
  folders.initialize(params);
  // The cached answers of the chosen service are available for the first document.
  engine.insights.reconnect();
  client.isInitialized = true;
}

function extensionsOf({ extend }: ServerParts, server: ServerState, publishers: Publishers): readonly Extension[] {
  if (extend === undefined) return [];
  const { refresh } = publishers;
  const links = showingLinks(server.engine, publishers);
  return extend(server, { hints: () => refresh.hints(), documents: () => refresh.documents(), links });
}

/** Answers the requests that were announced to the client. */
function answerFeatures(server: ServerState, published: DiagnosticsPublisher): void {
  const { connection, capabilities } = server.client;
  for (const feature of Object.values<Feature<never, unknown>>(features)) {
    if (offers[feature.method](capabilities) !== undefined)
      connection.onRequest(feature.method, dispatch(feature, server));
  }
  for (const it of Object.values<NavigationFeature<never, unknown>>(navigation)) {
    if (offers[it.method](capabilities) !== undefined) connection.onRequest(it.method, navigate(it, server));
  }
  if (takesContents(capabilities)) {
    connection.onRequest<TextDocumentContentResult | ResponseError, void>(contentMethod, answerContent(server));
  }
  // These replace the handlers registered above.
  const { 'textDocument/hover': hover, 'textDocument/diagnostic': diagnostics } = features;
  connection.onRequest(hover.method, withPurls(dispatch(hover, server), server));
  if (!pullsDiagnostics(capabilities)) return;
  const answer = dispatch(diagnostics, server);
  connection.onRequest<DocumentDiagnosticReport, void>(diagnostics.method, (params, token) => {
    published.shownByEditor(params.textDocument.uri);
    return answer(params, token);
  });
}

function answerCommands(extensions: readonly Extension[], server: ServerState, refresh: Refresh): void {
  const all = new Map<string, ServerCommand>(
    [commands, ...extensions.map((it) => it.commands ?? {})].flatMap((it) => Object.entries(it)),
  );
  server.client.connection.onExecuteCommand(async ({ command, arguments: args = [] }, token) => {
    if (command !== refreshCommand) return all.get(command)?.(args, server, token);
    server.engine.insights.expire();
    await refresh.allFiles();
    return undefined;
  });
}

/** Handles the end of the initialization: watched files, settings. */
function handleInitialized(parts: ServerParts, server: ServerState, publishers: Publishers): void {
  const { client, folders, engine } = server;
  const followed = followSettingsOf(server, publishers);
  client.connection.onInitialized(() => {
    // A manifest that is open already is answered first: what it needs is loaded with it.
    engine.clock.after(PRELOAD_PAUSE_MS, () => {
      parts.preload?.().catch((it: unknown) => client.log('preload', it));
    });
    client.isWatching = watchFiles(client.connection, client.capabilities, () => {
      client.isWatching = false;
    });
    if (client.capabilities.workspace?.workspaceFolders) {
      client.connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        folders.change(added, removed);
        followed.reread();
        publishers.refresh.run('changed folders', publishers.refresh.allFiles());
      });
    }
    followed.start();
  });
}

function followSettingsOf(server: ServerState, { diagnostics, refresh, links }: Publishers): FollowedSettings {
  const { settings, engine, providers } = server;
  let namedBefore = namesIn(settings);
  return followSettings(server, async (before, isFirst) => {
    // The first settings do not change the service: cached answers keep their freshness.
    if (!isFirst && settings.current.baseUrl !== before.baseUrl) engine.insights.expire();
    // Each document has its registries from its files, and from those of the machine.
    const { privateRegistries } = settings.current;
    const isDecided = mayLookUpInBrowser(settings.current);
    const named = namesIn(settings);
    const isRenamed = named !== namedBefore;
    namedBefore = named;
    if (isRenamed || privateRegistries !== before.privateRegistries || isDecided !== mayLookUpInBrowser(before))
      engine.workspace.forgetAllFiles();
    // Facts and failures may belong to another service or proxy now.
    engine.insights.reconnect();
    providers.tell((it) => it.settingsChanged?.());
    links.settingsChanged();
    if (engine.hasUncheckedLinks) links.refresh();
    // The settings of a folder may have changed.
    if (!isFirst) refresh.lenses();
    diagnostics.scanWorkspace();
    await refresh.all();
  });
}

/** The names of manifests that all folders choose, to compare. */
function namesIn({ current, ofFolders }: SettingsState): string {
  return JSON.stringify([current.fileNames, ...[...ofFolders].map(([folder, it]) => [folder, it.fileNames])]);
}

/** Follows what is watched, and what reads of files lead to. */
function followFiles({ client, engine }: ServerState, { diagnostics, refresh }: Publishers): void {
  const { clock, workspace, recentFiles } = engine;
  const showSoon = throttle(
    clock,
    () => {
      refresh.users();
      return refresh.all().catch((it: unknown) => client.log('changed files', it));
    },
    createPauses(),
  );
  const begin = (): void => {
    recentFiles.forget();
    diagnostics.scanWorkspace();
  };
  followWatchedFiles(client.connection, {
    begin,
    take: (uris, isLast) => workspace.filesChanged(uris, isLast).length > 0,
    end: showSoon,
  });
  engine.follow({
    filesSettled(uris) {
      begin();
      if (workspace.filesChanged(uris, true).length > 0) showSoon();
    },
    filesReadable: () => refresh.run('files that could not be read', refresh.allFiles()),
    graphRead: throttle(
      clock,
      async () => refresh.run('a lockfile', refresh.all()),
      () => GRAPHS_PAUSE_MS,
    ),
  });
  client.connection.onNotification(trustNotification, () => {
    client.isTrusted = true;
    // A registry that only the workspace names may be asked now.
    workspace.forgetAllFiles();
    diagnostics.scanWorkspace();
    refresh.run('trust', refresh.all());
  });
}

function followFacts(server: ServerState, refresh: Refresh): void {
  const { client, engine } = server;
  const { clock, insights, workspace, deferred } = engine;
  const evaluateAgain = (): Promise<void> => refresh.all().catch((it: unknown) => client.log('facts', it));
  const showAll = throttle(clock, evaluateAgain, createPauses(FINDINGS_PAUSE_MS));
  const showInView = throttle(
    clock,
    async () => refresh.hints(),
    () => HINTS_PAUSE_MS,
  );
  const followUp = gather(clock, (facts: readonly ReceivedFact[]) =>
    refresh.run('what answers lead to', workspace.requestFollowUps(facts)),
  );
  let isLinking = false;
  insights.onDidChange((change) => {
    if (change.kind === 'changed') {
      showAll(change.isSettled || isLinking);
      if (workspace.searchAgain()) refresh.users();
      isLinking = false;
      return;
    }
    const isAnswered = deferred.resume();
    if (change.isInView && !isAnswered) showInView();
    // A published parent leads to the next one.
    isLinking ||= change.facts.some((it) => it.wanted.kind === 'requirements');
    followUp(change.facts);
  });
  insights.releases?.onDidChange(() => refresh.below());
  followNetwork(server, () => {
    insights.reconnect();
    refresh.run('the network', refresh.all());
  });
}

/** Shows links that were checked too late for the answers that have them. An open hover stays as it is. */
function showingLinks(engine: Engine, { refresh, links }: Publishers): () => void {
  const show = async (): Promise<void> => {
    if (!engine.hasUncheckedLinks) return;
    engine.hasUncheckedLinks = false;
    refresh.hints();
    links.refresh();
  };
  return throttle(engine.clock, show, () => LINKS_PAUSE_MS);
}

/** In ms. Kept hints of a manifest that opens with the window take half of it. */
const PRELOAD_PAUSE_MS = 200;

/** In ms. Documents of a monorepo share a lockfile. */
const GRAPHS_PAUSE_MS = 200;

/** In ms. The checks of a document end together or after few answers. */
const LINKS_PAUSE_MS = 1000;

/**
 * The shortest pause between two evaluations of all documents while facts arrive, in ms. What follows from a fact is
 * requested at once, and hints in view are refreshed, so only findings and counts wait for it. The last answer does not.
 */
const FINDINGS_PAUSE_MS = 400;

/** The minimum interval of hint refreshes, in ms: facts in view arrive one after the other. */
const HINTS_PAUSE_MS = 50;

/** Requests besides features and our own. */
const otherMethods = [InitializeRequest.method, ShutdownRequest.method, ExecuteCommandRequest.method];

function handleShutdown(server: ServerState, diagnostics: DiagnosticsPublisher, own: readonly string[]): void {
  const { client, engine, providers } = server;
  const { connection } = client;
  connection.onShutdown(() => {
    // The protocol requires an error for every further request.
    const over = () => new ResponseError(ErrorCodes.InvalidRequest, 'shut down already');
    for (const method of [...Object.keys(features), ...Object.keys(navigation), contentMethod, ...own, ...otherMethods])
      connection.onRequest(method, over);
    connection.onRequest(over);
    diagnostics.close();
    stopStatus(server);
    providers.tell((it) => it.closed?.());
    return engine.insights.close();
  });
  connection.onRequest((method) =>
    client.isInitialized
      ? new ResponseError(ErrorCodes.MethodNotFound, `there is no ${method}`)
      : new ResponseError(ErrorCodes.ServerNotInitialized, 'not initialized yet'),
  );
}
