import * as l10n from '@vscode/l10n';
import type { CancellationToken, ProgressToken } from 'vscode-languageserver';
import { uncheckedLinksIn, withCheckedLinks } from '../../engine/report/build/checked-links.ts';
import { type FoldersReport, reportFolders } from '../../engine/report/folders.ts';
import { type PageData, pageDataOf } from '../../engine/report/formats/page-texts.ts';
import { remembering } from '../../engine/report/scan/scan.ts';
import { awaitChecks, signalOf } from '../dispatch.ts';
import type { OwnRequest } from '../extension.ts';
import type { ServerState } from '../state/server-state.ts';
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
  async answer({ workDoneToken }, server, token) {
    const scanned = await scanFolders(server, workDoneToken, token);
    if (scanned === null) return null;
    const tool = { name: 'Package Insights', version: server.engine.version };
    const { base, report } = scanned;
    if (server.engine.links) {
      await awaitChecks(
        uncheckedLinksIn(report, server.engine.links),
        server.engine.links,
        CHECK_PATIENCE_MS,
        server.engine,
      );
    }
    const { links } = server.engine;
    const checked = links ? withCheckedLinks(report, links) : report;
    return { base, ...pageDataOf(await server.providers.completed(checked), tool) };
  },
};

/** How long a report waits for the checks of its links, in ms. */
const CHECK_PATIENCE_MS = 10_000;

/** How long the scan waits for the service, in ms: as in the terminal. */
const SCAN_TIMEOUT_MS = 120_000;

/** Scans the workspace folders and reports progress; `null` without a folder or after cancellation. */
export async function scanFolders(
  { client, engine, folders, settings }: ServerState,
  workDoneToken: ProgressToken | undefined,
  token: CancellationToken,
): Promise<FoldersReport | null> {
  const { insights, clock, history } = engine;
  const { isTrusted } = client;
  if (folders.all.length === 0) return null;
  const progress = beginProgress(l10n.t('Checking the workspace'), workDoneToken, client);
  // What was looked at to find the manifests is not asked for again.
  const files = remembering(engine.files);
  try {
    const context = {
      files,
      insights,
      settings: settings.current,
      clock,
      isTrusted,
      history,
      patience: SCAN_TIMEOUT_MS,
      signal: signalOf(token),
      ...ofScan(progress),
    };
    const found = await engine.findManifests(folders.all, files);
    const report = await reportFolders(found, context, (uri) => settings.for(uri));
    return token.isCancellationRequested ? null : report;
  } finally {
    progress.end();
  }
}
