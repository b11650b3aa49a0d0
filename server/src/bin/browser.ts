import * as l10n from '@vscode/l10n';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { createOpening } from '../editor/opening.ts';
import { serve } from '../editor/server.ts';
import { clientFiles, fileInEditor } from '../editor/sync/client-files.ts';
import { createMemoryCache } from '../engine/facts/cache/cache.ts';
import { createIndexedCache } from '../engine/facts/cache/indexed-db.ts';
import { createInsights } from '../engine/facts/store/fact-store.ts';
import { createFetchHttp } from '../engine/http/fetch-client.ts';
import { mayLookUpInBrowser } from '../engine/model/settings.ts';
import { findManifestsThrough } from '../engine/report/scan/folders-by-files.ts';
import { browserClock } from '../platform/browser-clock.ts';
import { browserMachine } from '../platform/browser-machine.ts';
import { version } from '../platform/version.ts';
import type { WorkerStart } from '../platform/worker-start.ts';

/*
 * The language server in a web worker: it joins the connection to an extension in a browser, the editor's own files,
 * `fetch` and a database of the browser to the same engine as `server.ts`. Left out is what a browser cannot do: machine
 * files, private registries, connected services, and the thread for large lockfiles, since this is a thread.
 *
 *     extension                          worker
 *     { start: { translations } }   →    opens the database, listens
 *                                   ←    'ready'
 *     messages of the protocol      ↔
 */

/** In ms. A database may be slow to open; its answers are used once they are there. */
const DATABASE_PATIENCE_MS = 1000;

/** The part of a worker's global object that is used: the library of types has a page's alone, besides. */
interface WorkerScope extends MessagePort {
  readonly indexedDB?: IDBFactory;
  readonly navigator?: { readonly onLine?: boolean };
}

const worker = globalThis as unknown as WorkerScope;

worker.onmessage = async ({ data }: MessageEvent<WorkerStart>) => {
  worker.onmessage = null;
  const { translations } = data.start;
  if (translations) l10n.config({ contents: { ...translations } });
  const warnings: string[] = [];
  let warn = (line: string): void => void warnings.push(line);
  const cache = createIndexedCache({
    factory: databases(),
    front: createMemoryCache(),
    clock: browserClock,
    log: (line) => warn(line),
  });
  let cancel = (): void => {};
  const patience = new Promise<void>((resolve) => {
    cancel = browserClock.after(DATABASE_PATIENCE_MS, resolve);
  });
  await Promise.race([cache.loaded, patience]);
  cancel();
  const opening = createOpening(version, async () => engine);
  const connection = createConnection(
    ProposedFeatures.all,
    new BrowserMessageReader(worker),
    new BrowserMessageWriter(worker),
    opening,
  );
  opening.answer(connection);
  const http = createFetchHttp({
    clock: browserClock,
    fetch: (...request) => fetch(...request),
    isOnline: () => worker.navigator?.onLine !== false,
  });
  // The extension notices in this way that the worker hangs.
  connection.onRequest('packageInsights/alive', () => null);
  let isDecided = (): boolean => false;
  const engine = serve({
    connection,
    insights: (settings) => {
      isDecided = () => mayLookUpInBrowser(settings());
      const insights = createInsights({ settings, http, clock: browserClock, cache });
      return { ...insights, close: () => insights.close().then(cache.close) };
    },
    disk: (roots) => ({
      ...clientFiles({ connection, clock: browserClock, roots }),
      machine: browserMachine(() => isDecided()),
    }),
    findManifests: findManifestsThrough,
    findLocalFile: fileInEditor({ connection, clock: browserClock }),
    clock: browserClock,
    version,
  });
  connection.listen();
  warn = (line) => connection.console.warn(line);
  worker.postMessage('ready');
  for (const it of warnings) warn(it);
};

/** Reading the property throws where the browser permits no storage. */
function databases(): IDBFactory | undefined {
  try {
    return worker.indexedDB;
  } catch {
    return undefined;
  }
}
