import * as vscode from 'vscode';
import { followService } from './actions/public-service.ts';
import { registerCommands } from './commands.ts';
import { followConnections } from './connected/connections/connected.ts';
import { isServed } from './connected/service-documents/served.ts';
import { plainText } from './escape.ts';
import type { RunningServer } from './language-client.ts';
import { tellOfManifests } from './manifest-context.ts';
import { providePurlHovers } from './purls/purl-hovers.ts';
import { hasManifests } from './workspace-manifests.ts';
import type { World } from './world/world.ts';

/** The setting for findings of manifests that are not open. */
const workspaceDiagnostics = 'packageInsights.workspaceDiagnostics';

let running: Promise<RunningServer> | undefined;
/** After a failed start only a command tries again, not the next manifest that is opened. */
let hasFailed = false;

/** The functions that VS Code calls. */
export function activateIn(world: World): {
  readonly activate: (context: vscode.ExtensionContext) => void;
  readonly deactivate: () => Promise<void>;
} {
  return { activate: (context) => activate(context, world), deactivate };
}

/**
 * Registers the commands and purl hovers, and waits for a reason to start the language server: the workspace holds a
 * manifest or one is opened, the setting for workspace diagnostics is on, a purl is hovered, or a command runs. Until then
 * nothing of it is loaded. A server that is up answers a manifest a second earlier than one that is started for it.
 */
function activate(context: vscode.ExtensionContext, world: World): void {
  const start = (): Promise<RunningServer> => startServer(context, world);
  registerCommands(context, world, () => readyServer(start));
  context.subscriptions.push(
    followConnections(world),
    followService(),
    providePurlHovers(async () => {
      startUnlessFailed(start);
      return running && readyServer(start);
    }),
    vscode.workspace.onDidOpenTextDocument((it) => {
      if (isServed(it)) startUnlessFailed(start);
    }),
    vscode.workspace.onDidChangeConfiguration((it) => {
      const concerns = [workspaceDiagnostics, 'packageInsights.connections'];
      if (concerns.some((name) => it.affectsConfiguration(name))) startIfNeeded(start);
    }),
  );
  startIfNeeded(start);
  hasManifests().then((hasAny) => {
    if (!hasAny) return;
    tellOfManifests();
    startUnlessFailed(start);
  });
}

async function deactivate(): Promise<void> {
  await (await running)?.stop();
}

type Start = () => Promise<RunningServer>;

function startServer(context: vscode.ExtensionContext, world: World): Promise<RunningServer> {
  running ??= startWithClient(context, world).catch((error: unknown) => {
    running = undefined;
    hasFailed = true;
    throw error;
  });
  return running;
}

/** The server first: it loads while its client does. */
async function startWithClient(context: vscode.ExtensionContext, world: World): Promise<RunningServer> {
  const createClient = world.startServer(context);
  const { start } = await import('./language-client.ts');
  return start(context, world, createClient);
}

/** Resolves when the server accepts requests. */
async function readyServer(start: Start): Promise<RunningServer> {
  const server = await start();
  await server.ready();
  return server;
}

/** Starts the server if an open document, or the setting for the whole workspace, needs it. */
function startIfNeeded(start: Start): void {
  const { workspaceFolders, textDocuments } = vscode.workspace;
  const isWanted = workspaceFolders && vscode.workspace.getConfiguration().get(workspaceDiagnostics);
  if (isWanted || textDocuments.some(isServed)) startUnlessFailed(start);
}

function startUnlessFailed(start: Start): void {
  if (running || hasFailed) return;
  start().catch((error: unknown) => {
    vscode.window.showErrorMessage(vscode.l10n.t('Package Insights could not start: {0}', plainText(String(error))));
  });
}
