import * as vscode from 'vscode';
import {
  type BaseLanguageClient,
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  type LanguageClientOptions,
  type Middleware,
} from 'vscode-languageclient';
import type { Updated } from '../../server/src/editor/features/commands.ts';
import { commandLineNotification, offerCommandLine } from './actions/command-line.ts';
import { linkCommand, linkKey } from './actions/follow-link.ts';
import { onHintUpdate, rememberHint } from './actions/hint-updates.ts';
import { afterUpdate, updatedNotification } from './actions/install.ts';
import {
  type CredentialStore,
  createCredentialStore,
  provideCredentials,
} from './connected/connections/credentials.ts';
import { createConnectionsView } from './connected/connections/view.ts';
import { createWindowDeployments, type WindowDeployments } from './connected/deployments/deployments.ts';
import { provideAnswers } from './connected/service-documents/answers.ts';
import { currentSelector, onDidChangeSelector } from './connected/service-documents/served.ts';
import { followManifests } from './manifest-context.ts';
import { providePages } from './purls/purl.ts';
import { notify } from './requests.ts';
import { createRequirementsView, type RequirementsView } from './requirements-view.ts';
import { showStatus } from './status/status.ts';
import { provideFiles } from './world/files.ts';
import type { CreateClient, StartableClient, World } from './world/world.ts';

/** The language server of this window. */
export interface RunningServer {
  readonly client: BaseLanguageClient;
  readonly requirements: RequirementsView;
  readonly credentials: CredentialStore;
  readonly deployments: WindowDeployments;
  /** Restarts the server. Only data on disk survives. */
  restart(): Promise<void>;
  /** Resolves when the server accepts requests: at once, unless it is restarting. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

/** The status item and log of a failed start, kept until the next one. */
let left: vscode.Disposable | undefined;

export async function start(
  context: vscode.ExtensionContext,
  world: World,
  createClient: CreateClient,
): Promise<RunningServer> {
  left?.dispose();
  left = undefined;
  // A log that the client creates would be closed, and its content lost, at each restart.
  const log = vscode.window.createOutputChannel('Package Insights', { log: true });
  const created: StartableClient = await createClient(clientOptions(log, (it) => created.documents.openEarly(it)));
  const { client, options } = created;
  const credentials = createCredentialStore(context.secrets, created.seal);
  client.registerFeature(announcement);
  const shown = vscode.Disposable.from(
    showStatus(client, context.globalState, world),
    sendNetworkSettings(client),
    provideCredentials(client, context.secrets, credentials),
    provideFiles(client, world),
    created.documents,
  );
  try {
    await client.start();
  } catch (error) {
    left = vscode.Disposable.from(shown, log);
    throw error;
  }
  const requirements = createRequirementsView(client);
  const deployments = createWindowDeployments(client, context.workspaceState);
  // A restarted server receives it with `initialize`.
  const trusting = vscode.workspace.onDidGrantWorkspaceTrust(() => notify(client, 'packageInsights/trusted', {}));
  let restarting = Promise.resolve();
  const ready = (): Promise<void> => restarting.catch(() => {});
  const restart = (): Promise<void> => {
    // A server that is starting or stopping cannot be stopped.
    restarting = ready()
      .then(() => client.start())
      .then(() => client.stop())
      .then(() => client.start());
    return restarting;
  };
  const updating = client.onNotification(updatedNotification, ({ uri }: Updated) => afterUpdate(client, uri));
  const offering = client.onNotification(commandLineNotification, offerCommandLine);
  const selecting = onDidChangeSelector(() => {
    // The client takes over the list when it starts.
    options.documentSelector?.splice(0, Number.POSITIVE_INFINITY, ...currentSelector());
    restart().catch((it: unknown) => log.error(String(it)));
  });
  const others = vscode.Disposable.from(
    trusting,
    selecting,
    updating,
    offering,
    onHintUpdate(({ uri }) => afterUpdate(client, client.code2ProtocolConverter.asUri(uri))),
    requirements,
    createConnectionsView(client),
    deployments,
    followManifests(),
    providePages(client),
    provideAnswers(),
  );
  return {
    client,
    requirements,
    credentials,
    deployments,
    restart,
    ready,
    async stop() {
      shown.dispose();
      others.dispose();
      await client.dispose();
      log.dispose();
    },
  };
}

/** Completes the step of the walkthrough that explains hovers. */
const noteHover: NonNullable<Middleware['provideHover']> = async (document, position, token, next) => {
  const hover = await next(document, position, token);
  if (hover) vscode.commands.executeCommand('setContext', 'packageInsights.hasHovered', true);
  return hover;
};

function clientOptions(
  outputChannel: vscode.LogOutputChannel,
  openEarly: (document: vscode.TextDocument) => void,
): LanguageClientOptions {
  return {
    outputChannel,
    documentSelector: currentSelector(),
    // The settings that control requests arrive before the first document.
    initializationOptions: () => ({
      ...ownSettings(),
      network: networkSettings(),
      isTrusted: vscode.workspace.isTrusted,
      linkKey,
    }),
    // The diagnostics that the client requests have the name of the server's provider: `package-insights`.
    diagnosticCollectionName: 'package-insights-pushed',
    // The server escapes the texts of packages. Its own links alone know the key of this window.
    markdown: { isTrusted: { enabledCommands: [linkCommand] }, supportHtml: false },
    middleware: {
      didOpen(document, next) {
        openEarly(document);
        return next(document);
      },
      provideHover: noteHover,
      resolveInlayHint: rememberHint,
    },
    errorHandler: restartAfterCrash(),
  };
}

/** The settings without the methods of their object, which a message to a worker cannot carry. */
function ownSettings(): object {
  return JSON.parse(JSON.stringify(vscode.workspace.getConfiguration('packageInsights')));
}

/** After more crashes than this within `CRASH_WINDOW` the server is not started again. */
const MAX_CRASHES = 4;
/** In ms. */
const CRASH_WINDOW = 3 * 60_000;

/** Restarts a crashed server, which receives all open documents again, and shows one message. */
function restartAfterCrash(): ErrorHandler {
  const times: number[] = [];
  return {
    // What is wrong is in the log. Where it ends the server, `closed` tells.
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed() {
      times.push(Date.now());
      const recent = times.filter((it) => it > Date.now() - CRASH_WINDOW);
      if (recent.length > MAX_CRASHES) {
        tell(vscode.l10n.t('The language server of Package Insights keeps ending unexpectedly and was not restarted.'));
        return { action: CloseAction.DoNotRestart, handled: true };
      }
      if (times.length === 1) {
        tell(vscode.l10n.t('The language server of Package Insights ended unexpectedly and was restarted.'));
      }
      return { action: CloseAction.Restart, handled: true };
    },
  };
}

async function tell(message: string): Promise<void> {
  const showLog = vscode.l10n.t('Show the Log');
  const chosen = await vscode.window.showWarningMessage(message, showLog);
  if (chosen === showLog) await vscode.commands.executeCommand('packageInsights.showLog');
}

/** The settings below `http.` that apply to the server's connections. */
const networkSettingNames = [
  'proxy',
  'noProxy',
  'proxyAuthorization',
  'proxyStrictSSL',
  'systemCertificates',
  'proxySupport',
] as const;

/** The network settings of the user and the machine. Those of a workspace do not apply: it must not redirect requests. */
function networkSettings(): Readonly<Record<string, unknown>> {
  const http = vscode.workspace.getConfiguration('http');
  return Object.fromEntries(
    networkSettingNames.map((name) => {
      const found = http.inspect(name);
      return [name, found?.globalValue ?? found?.defaultValue];
    }),
  );
}

/** Sends the network settings to the server whenever one of them changes. */
function sendNetworkSettings(client: BaseLanguageClient): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((it) => {
    if (it.affectsConfiguration('http')) notify(client, 'packageInsights/network', networkSettings());
  });
}

/**
 * Announces to the server that this client shows its status, prompts for the reasons of ignores, offers an install after
 * updates, and reports errors of a project file by its schema.
 */
const announcement = {
  fillClientCapabilities(capabilities: { experimental?: unknown }) {
    capabilities.experimental = {
      ...(capabilities.experimental ?? {}),
      packageInsightsStatus: true,
      packageInsightsIgnore: true,
      packageInsightsUpdated: true,
      packageInsightsCommandLine: true,
      packageInsightsCommands: true,
      packageInsightsConnections: true,
      packageInsightsFiles: true,
      packageInsightsSchema: vscode.workspace.getConfiguration('json').get('validate.enable', true),
    };
  },
  initialize() {},
  getState: () => ({ kind: 'static' }) as const,
  clear() {},
};
