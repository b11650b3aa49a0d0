import { CodeLensRefreshRequest } from 'vscode-languageserver';
import { messageOf } from '../../engine/base/text.ts';
import type { ServerState } from '../state/server-state.ts';
import { throttle } from '../util/throttle.ts';
import type { DiagnosticsPublisher } from './diagnostics.ts';
import { publishStatus } from './status.ts';

/** Brings what the client shows up to date, after a change that more than one document depends on. */
export interface Refresh {
  /** Facts or settings have changed: evaluates every document again. */
  all(): Promise<void>;
  /** The same where any file may have changed. */
  allFiles(): Promise<void>;
  /** Facts about dependencies in view have arrived. */
  hints(): void;
  /** A document was opened, or typing has paused: finds the dependencies behind its definitions. */
  users(): void;
  /** Something has changed that concerns what dependencies bring along: looks it up in the next pause. */
  below(): void;
  /** The person switched code lenses on or off. */
  lenses(): void;
  /** All answers about open documents may be others, without a change of facts. */
  documents(): void;
  /** Lets work run on its own. An error is logged, under this name. */
  run(name: string, work: Promise<unknown>): void;
}

/** The first hints of a document come before a search through all manifests. In ms. */
const USERS_PAUSE_MS = 200;

/** In ms. What is below a document comes after its own hints. */
const BELOW_PAUSE_MS = 300;
/** How long the dependencies of a document themselves may take before what is below them is looked up, in ms. */
const DIRECT_PATIENCE_MS = 10_000;

export function createRefresh(server: ServerState, diagnostics: DiagnosticsPublisher): Refresh {
  const { connection } = server.client;
  const { workspace } = server.engine;
  const send = (name: string, request: Promise<unknown>): void => {
    request.catch((error: unknown) => connection.console.log(`the client turned down ${name}: ${messageOf(error)}`));
  };

  function hints(): void {
    if (!server.client.capabilities.workspace?.inlayHint?.refreshSupport) return;
    send('a refresh of hints', connection.languages.inlayHint.refresh());
  }

  function lenses(): void {
    if (!server.client.capabilities.workspace?.codeLens?.refreshSupport) return;
    send('a refresh of code lenses', connection.sendRequest(CodeLensRefreshRequest.type));
  }

  let cancelUsers = (): void => {};
  async function findUsers(): Promise<void> {
    await server.settings.known;
    if (await workspace.findUsers()) await all();
  }

  const lookBelow = throttle(
    server.engine.clock,
    async () => {
      await server.settings.known;
      if (await workspace.lookBelow(DIRECT_PATIENCE_MS).catch((it: unknown) => server.client.log('what is below', it)))
        await all().catch((it: unknown) => server.client.log('what is below', it));
    },
    () => BELOW_PAUSE_MS,
  );
  let isBelowPlanned = false;
  function below(): void {
    if (isBelowPlanned) return;
    isBelowPlanned = true;
    server.engine.clock.after(BELOW_PAUSE_MS, () => {
      isBelowPlanned = false;
      lookBelow();
    });
  }

  async function all(): Promise<void> {
    const evaluation = workspace.reevaluateAll();
    // The client's requests for what is in view are answered before the rest is evaluated.
    diagnostics.publishAll();
    hints();
    if (server.settings.all.some((it) => it.codeLens)) lenses();
    await evaluation;
    below();
    server.providers.tell((it) => it.evaluated?.());
    await publishStatus(server);
  }

  function run(name: string, work: Promise<unknown>): void {
    work.catch((it: unknown) => server.client.log(name, it));
  }

  return {
    all,
    async allFiles() {
      server.engine.recentFiles.forget();
      workspace.forgetAllFiles();
      diagnostics.scanWorkspace();
      await all();
    },
    hints,
    users() {
      cancelUsers();
      cancelUsers = server.engine.clock.after(USERS_PAUSE_MS, () => run('the users of definitions', findUsers()));
    },
    below,
    lenses,
    documents() {
      diagnostics.publishAll();
      hints();
      lenses();
    },
    run,
  };
}
