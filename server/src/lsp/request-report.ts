import type { ProgressToken } from 'vscode-languageserver';
import { homepage } from '../model/homepage.ts';
import { type PageData, pageDataOf } from '../report/page-data.ts';
import { tokenIn } from './progress.ts';
import type { OwnRequest } from './requests.ts';
import { surveyFolders } from './survey-folders.ts';

export interface ReportParams {
  /** Where progress is told, as of every request of the protocol. */
  readonly workDoneToken?: ProgressToken;
}

/** A report as docs/report.schema.json has it, with the words of a page that shows it. */
export interface ReportAnswer extends PageData {
  /** What the paths are relative to: an address with its last slash. */
  readonly base: string;
}

/** Surveys the folders of the workspace; `null` where there are none, or the client has lost interest. */
export const reportRequest: OwnRequest<ReportParams, ReportAnswer | null> = {
  method: 'packageInsights/report',
  isHeavy: true,
  read: tokenIn,
  async answer({ workDoneToken }, session, token) {
    const surveyed = await surveyFolders(session, workDoneToken, token);
    if (surveyed === null) return null;
    const tool = { name: 'Package Insights', version: session.version, homepage };
    const { base, report } = surveyed;
    return { base, ...pageDataOf(report, tool) };
  },
};
