import * as l10n from '@vscode/l10n';
import type { CancellationToken, ProgressToken } from 'vscode-languageserver';
import { type FoldersReport, reportFolders } from '../survey/folders.ts';
import type { Counts } from '../survey/tally.ts';
import { signalOf } from './cancellation.ts';
import { beginProgress } from './progress.ts';
import type { Session } from './session.ts';

/** How long the service is waited for in all, in ms: as long as the terminal waits. */
const patience = 120_000;

/** Surveys the folders of the workspace and tells of the progress; `null` where there are none, or the client has lost interest. */
export async function surveyFolders(
  session: Session,
  workDoneToken: ProgressToken | undefined,
  token: CancellationToken,
): Promise<FoldersReport | null> {
  const { foldersOnDisk, settings, insights, clock, isTrusted, files, settling } = session;
  if (foldersOnDisk.length === 0) return null;
  const progress = beginProgress(l10n.t('Looking at the workspace'), workDoneToken, session);
  try {
    const surveying = {
      files,
      insights,
      settings,
      clock,
      isTrusted,
      settling,
      patience,
      signal: signalOf(token),
      progress: ({ asked, pending }: Counts) => {
        const done = asked - pending;
        progress.report(done, asked, l10n.t('{0} of {1} looked up', done, asked));
      },
    };
    const report = await reportFolders(foldersOnDisk, surveying, (uri) => session.settingsFor(uri));
    return token.isCancellationRequested ? null : report;
  } finally {
    progress.end();
  }
}
