import { CodeLensRefreshRequest } from 'vscode-languageserver';
import { messageOf } from '../../engine/base/text.ts';
import type { Session } from '../session.ts';
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

export function createRefresh(session: Session, diagnostics: DiagnosticsPublisher): Refresh {
  const { connection, workspace } = session;
  const send = (name: string, request: Promise<unknown>): void => {
    request.catch((error: unknown) => connection.console.log(`the client turned down ${name}: ${messageOf(error)}`));
  };

  function hints(): void {
    if (!session.client.workspace?.inlayHint?.refreshSupport) return;
    send('a refresh of hints', connection.languages.inlayHint.refresh());
  }

  function lenses(): void {
    if (!session.client.workspace?.codeLens?.refreshSupport) return;
    send('a refresh of code lenses', connection.sendRequest(CodeLensRefreshRequest.type));
  }

  let cancelUsers = (): void => {};
  async function findUsers(): Promise<void> {
    await session.settingsKnown;
    if (await workspace.findUsers()) await all();
  }

  const lookBelow = throttle(
    session.clock,
    async () => {
      await session.settingsKnown;
      if (await workspace.lookBelow(DIRECT_PATIENCE_MS).catch((it: unknown) => session.log('what is below', it)))
        await all().catch((it: unknown) => session.log('what is below', it));
    },
    () => BELOW_PAUSE_MS,
  );
  let isBelowPlanned = false;
  function below(): void {
    if (isBelowPlanned) return;
    isBelowPlanned = true;
    session.clock.after(BELOW_PAUSE_MS, () => {
      isBelowPlanned = false;
      lookBelow();
    });
  }

  async function all(): Promise<void> {
    const evaluation = workspace.reevaluateAll();
    // The client's requests for what is in view are answered before the rest is evaluated.
    diagnostics.publishAll();
    hints();
    if ([session.settings, ...session.folderSettings.values()].some((it) => it.codeLens)) lenses();
    await evaluation;
    below();
    session.providers.tell((it) => it.evaluated?.());
    await publishStatus(session);
  }

  function run(name: string, work: Promise<unknown>): void {
    work.catch((it: unknown) => session.log(name, it));
  }

  return {
    all,
    async allFiles() {
      session.recentFiles.forget();
      workspace.forgetAllFiles();
      diagnostics.scanWorkspace();
      await all();
    },
    hints,
    users() {
      cancelUsers();
      cancelUsers = session.clock.after(USERS_PAUSE_MS, () => run('the users of definitions', findUsers()));
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
