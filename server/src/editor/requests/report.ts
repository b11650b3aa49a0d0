import * as l10n from '@vscode/l10n';
import type { CancellationToken, ProgressToken } from 'vscode-languageserver';
import { uncheckedLinksIn, withCheckedLinks } from '../../engine/report/build/checked-links.ts';
import { type FoldersReport, reportFolders } from '../../engine/report/folders.ts';
import { type PageData, pageDataOf } from '../../engine/report/formats/page-texts.ts';
import { remembering } from '../../engine/report/scan/scan.ts';
import { awaitChecks, signalOf } from '../dispatch.ts';
import type { OwnRequest } from '../extension.ts';
import type { Session } from '../session.ts';
import { beginProgress, ofScan, tokenIn } from '../util/progress.ts';

export interface ReportParams {
  /** The token for `$/progress`. */
  readonly workDoneToken?: ProgressToken;
}

/** A report as in docs/report.schema.json, with the texts of its page. */
export interface ReportAnswer extends PageData {
  /** The base address of the paths, with a final slash. */
  readonly base: string;
}

/** Scans the workspace folders; `null` without a folder or after cancellation. */
export const reportRequest: OwnRequest<ReportParams, ReportAnswer | null> = {
  method: 'packageInsights/report',
  isHeavy: true,
  read: tokenIn,
  async answer({ workDoneToken }, session, token) {
    const scanned = await scanFolders(session, workDoneToken, token);
    if (scanned === null) return null;
    const tool = { name: 'Package Insights', version: session.version };
    const { base, report } = scanned;
    if (session.links) {
      await awaitChecks(uncheckedLinksIn(report, session.links), session.links, CHECK_PATIENCE_MS, session);
    }
    const { links } = session;
    const checked = links ? withCheckedLinks(report, links) : report;
    return { base, ...pageDataOf(await session.providers.completed(checked), tool) };
  },
};

/** How long a report waits for the checks of its links, in ms. */
const CHECK_PATIENCE_MS = 10_000;

/** How long the scan waits for the service, in ms: as in the terminal. */
const SCAN_TIMEOUT_MS = 120_000;

/** Scans the workspace folders and reports progress; `null` without a folder or after cancellation. */
export async function scanFolders(
  session: Session,
  workDoneToken: ProgressToken | undefined,
  token: CancellationToken,
): Promise<FoldersReport | null> {
  const { folders, settings, insights, clock, isTrusted, history } = session;
  if (folders.length === 0) return null;
  const progress = beginProgress(l10n.t('Checking the workspace'), workDoneToken, session);
  // What was looked at to find the manifests is not asked for again.
  const files = remembering(session.files);
  try {
    const context = {
      files,
      insights,
      settings,
      clock,
      isTrusted,
      history,
      patience: SCAN_TIMEOUT_MS,
      signal: signalOf(token),
      ...ofScan(progress),
    };
    const found = await session.findManifests(folders, isTrusted, files);
    const report = await reportFolders(found, context, (uri) => session.settingsFor(uri));
    return token.isCancellationRequested ? null : report;
  } finally {
    progress.end();
  }
}
