import * as vscode from 'vscode';
import { BrowserMessageReader, BrowserMessageWriter, LanguageClient } from 'vscode-languageclient/browser';
import type { WorkerStart } from '../../../server/src/platform/worker-start.ts';
import { activateIn } from '../extension.ts';
import { isManifest } from '../manifest-context.ts';
import { createDocumentSender } from '../window-documents.ts';
import { watchWorker } from './worker-life.ts';
import type { World } from './world.ts';

/* The extension in a browser: the language server is a web worker, and all files are those of the editor. */

/** What needs credentials of a machine, listens for calls, or counts in a file of its own. */
const connectedServices =
  /^packageInsights\.(?:connectService|disconnectService|setBudget|chooseThreatLists|schedule\w+|showPlanned|movePlanned|cancelPlanned|chooseCalendar|shareCalendar|addMaintenanceWindow|callMethod|sendRequest|sendAllPages|nextPage|copyRequestAs\w+|deployments\..+)$/;

const browser: World = {
  startServer: (context) => async (options) => {
    const documents = createDocumentSender(() => client);
    // A breakpoint stops the worker for as long as a person reads.
    const isWatched = context.extensionMode !== vscode.ExtensionMode.Development;
    const client: LanguageClient = new LanguageClient(
      'packageInsights',
      'Package Insights',
      async () => {
        const worker = await startWorker(context);
        // First: an error that ends the worker is no matter of the connection, which would show it once more.
        endWatch = watchWorker({
          worker,
          ask: () => client.sendRequest('packageInsights/alive'),
          isNeeded: () => isWatched && isManifestInFront(),
          ended(reason) {
            client.error(`The worker of the language server ended: ${reason}`, undefined, false);
            // The client restarts it, as it restarts the process of a desktop.
            reader.end();
          },
        });
        const reader = new WorkerReader(worker);
        const writer = new BrowserMessageWriter(worker);
        documents.connect(writer);
        return { reader, writer };
      },
      options,
    );
    return {
      client,
      options,
      documents,
      seal: () => {
        throw new Error(vscode.l10n.t('Connected services are not available in a browser.'));
      },
    };
  },
  encode: (bytes) => bytes,
  withoutCommand(id) {
    const { t } = vscode.l10n;
    if (connectedServices.test(id))
      return t(
        'Connected services are not available in a browser: their hosts do not permit requests of web pages, and their use is counted on your computer.',
      );
    if (id === 'packageInsights.askRegistries')
      return t('Private registries are not asked in a browser: they do not permit requests of web pages.');
    return undefined;
  },
  canAskRegistries: false,
};

const { activate, deactivate: stop } = activateIn(browser);

export { activate };

export async function deactivate(): Promise<void> {
  await stop();
  endWorker();
}

/** In ms. A worker that cannot be loaded reports no error everywhere. */
const START_TIMEOUT = 30_000;

/** The worker of this window. */
let running: Worker | undefined;
let endWatch = (): void => {};

function endWorker(): void {
  endWatch();
  running?.terminate();
}

function isManifestInFront(): boolean {
  const { activeTextEditor, state } = vscode.window;
  return state.focused && activeTextEditor !== undefined && isManifest(activeTextEditor.document);
}

/** Can report the end of its worker, which a browser does not. */
class WorkerReader extends BrowserMessageReader {
  end(): void {
    this.fireClose();
  }
}

/** Resolves when the worker listens: a message that it does not wait for would be lost. */
function startWorker(context: vscode.ExtensionContext): Promise<Worker> {
  // The protocol ends a server, not its worker.
  endWorker();
  const script = vscode.Uri.joinPath(context.extensionUri, 'dist', 'browser-server.js');
  const worker = new Worker(script.toString(true));
  running = worker;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail('no answer'), START_TIMEOUT);
    function fail(reason: string): void {
      clearTimeout(timer);
      worker.terminate();
      reject(new Error(vscode.l10n.t('The worker of the language server did not start: {0}', reason)));
    }
    worker.onerror = ({ message }) => fail(message);
    worker.onmessage = () => {
      clearTimeout(timer);
      worker.onmessage = null;
      worker.onerror = null;
      resolve(worker);
    };
    const { bundle } = vscode.l10n;
    const start: WorkerStart = { start: { ...(bundle && { translations: bundle }) } };
    worker.postMessage(start);
  });
}
