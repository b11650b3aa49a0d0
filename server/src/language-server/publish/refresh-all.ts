import type { Session } from '../session.ts';
import type { Publishers } from './diagnostics.ts';
import { publishStatus } from './status.ts';

/** What is done when something changed that more than one document depends on. */
export interface Changes {
  /** Looks at all documents again, and has the client show them anew. */
  everything(): Promise<void>;
  /** The same where any file may have changed. */
  files(): Promise<void>;
  /** Does not wait for the end of it: what goes wrong is logged, under this name. */
  tell(what: string, work: Promise<unknown>): void;
}

export function changesOf(session: Session, { refresh, workspaceDiagnostics }: Publishers): Changes {
  const { workspace } = session;
  const everything = async (): Promise<void> => {
    const learning = workspace.reevaluateAll();
    // What is in view is asked for and answered before the rest was looked at.
    refresh.everything();
    await learning;
    await publishStatus(session);
  };
  return {
    everything,
    async files() {
      session.recent.forget();
      workspace.changedAll();
      workspaceDiagnostics.look();
      await everything();
    },
    tell(what, work) {
      work.catch((it: unknown) => session.log(what, it));
    },
  };
}
