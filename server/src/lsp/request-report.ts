import * as l10n from '@vscode/l10n';
import type { ProgressToken } from 'vscode-languageserver';
import type { PageData } from '../report/page-data.ts';
import { pageTexts } from '../report/page-texts.ts';
import { reportFolders } from '../survey/folders.ts';
import { signalOf } from './cancellation.ts';
import { fieldsIn } from './params.ts';
import type { OwnRequest } from './requests.ts';

export interface ReportParams {
  /** Where progress is told, as of every request of the protocol. */
  readonly workDoneToken?: ProgressToken;
}

/** A report as docs/report.schema.json has it, with the words of a page that shows it. */
export interface ReportAnswer extends PageData {
  /** What the paths are relative to: an address with its last slash. */
  readonly base: string;
}

/** How long the service is waited for in all, in ms: as long as the terminal waits. */
const patience = 120_000;

/** Surveys the folders of the workspace; `null` where there are none, or the client has lost interest. */
export const reportRequest: OwnRequest<ReportParams, ReportAnswer | null> = {
  method: 'packageInsights/report',
  read: (params) => {
    const { workDoneToken } = fieldsIn(params);
    if (workDoneToken === undefined) return {};
    return typeof workDoneToken === 'string' || typeof workDoneToken === 'number' ? { workDoneToken } : undefined;
  },
  async answer({ workDoneToken }, session, token) {
    const { connection, folders, settings, insights, clock, isTrusted, version } = session;
    const onDisk = folders.filter((it) => /^file:/i.test(it));
    if (onDisk.length === 0) return null;
    const progress = workDoneToken === undefined ? undefined : connection.window.attachWorkDoneProgress(workDoneToken);
    progress?.begin(l10n.t('Looking at the workspace'), 0, undefined, true);
    try {
      const { base, report } = await reportFolders(onDisk, {
        files: session.files,
        insights,
        settings,
        clock,
        isTrusted,
        patience,
        signal: signalOf(token),
        progress: ({ asked, pending }) => {
          const done = asked - pending;
          progress?.report(Math.floor((100 * done) / Math.max(1, asked)), l10n.t('{0} of {1} looked up', done, asked));
        },
      });
      if (token.isCancellationRequested) return null;
      const homepage = 'https://github.com/package-insights/package-insights';
      return { base, report, tool: { name: 'Package Insights', version, homepage }, texts: pageTexts() };
    } finally {
      progress?.done();
    }
  },
};
