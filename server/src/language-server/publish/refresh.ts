import { CodeLensRefreshRequest } from 'vscode-languageserver';
import { messageOf } from '../../base/text.ts';
import type { Session } from '../session.ts';
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
  /** The person switched code lenses on or off. */
  lenses(): void;
  /** What is known about the documents of connected services has changed. */
  serviceDocuments(): void;
  /** Lets work run on its own. An error is logged, under this name. */
  run(name: string, work: Promise<unknown>): void;
}

/** The first hints of a document come before a search through all manifests. In ms. */
const USERS_PAUSE_MS = 200;

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

  async function all(): Promise<void> {
    const evaluation = workspace.reevaluateAll();
    // The client's requests for what is in view are answered before the rest is evaluated.
    diagnostics.publishAll();
    hints();
    if ([session.settings, ...session.folderSettings.values()].some((it) => it.codeLens)) lenses();
    await evaluation;
    session.observing.look();
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
    lenses,
    serviceDocuments() {
      diagnostics.publishAll();
      hints();
      lenses();
    },
    run,
  };
}
