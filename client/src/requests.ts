import * as vscode from 'vscode';
import type { BaseLanguageClient, WorkDoneProgressReport } from 'vscode-languageclient';
import type {
  AuditAnswer,
  ConnectionsAnswer,
  TryConnectionParams,
} from '../../server/src/connected/editor/connections/requests.ts';
import type {
  CallMethodParams,
  CopyRequestParams,
  RequestTemplateParams,
  ServiceMethodsAnswer,
} from '../../server/src/connected/editor/documents/call-method.ts';
import type { PlannableUpdate } from '../../server/src/connected/editor/schedule/plannable.ts';
import type {
  PlannableParams,
  ScheduleAnswer,
  ScheduleParams,
} from '../../server/src/connected/editor/schedule/requests.ts';
import type { CallAnswer, CopiedRequest } from '../../server/src/connected/model/documents/requests.ts';
import type {
  BroughtAnswer,
  BroughtParams,
  WaysOutAnswer,
  WaysOutParams,
} from '../../server/src/editor/requests/brought.ts';
import type { DependenciesAnswer, DependenciesParams } from '../../server/src/editor/requests/dependencies.ts';
import type { IdentifyAnswer, IdentifyParams } from '../../server/src/editor/requests/identify.ts';
import type { InstallParams } from '../../server/src/editor/requests/install.ts';
import type { CheckedLink, CheckLinksParams } from '../../server/src/editor/requests/links.ts';
import type { NoticesAnswer, NoticesParams } from '../../server/src/editor/requests/notices.ts';
import type {
  LineAnswer,
  LineParams,
  PurlAnswer,
  PurlParams,
  ReadPurlAnswer,
} from '../../server/src/editor/requests/purl.ts';
import type { PurlAtAnswer, PurlAtParams } from '../../server/src/editor/requests/purl-hover.ts';
import type { ReportAnswer, ReportParams } from '../../server/src/editor/requests/report.ts';
import type {
  RequirementsAnswer,
  RequirementsParams,
  UpgradeAnswer,
  UpgradeParams,
} from '../../server/src/editor/requests/requirements.ts';
import type { UpdatesAnswer, UpdatesParams } from '../../server/src/editor/requests/updates.ts';
import type { VersionsAnswer, VersionsParams } from '../../server/src/editor/requests/versions.ts';
import type { Install } from '../../server/src/engine/analysis/install.ts';
import type { ConnectionTrial, OfferedThreatLists } from '../../server/src/engine/model/connection.ts';

/** The server's own requests with their parameters and results. docs/editors.md describes them. */
interface Requests {
  readonly subjects: (params: DependenciesParams) => DependenciesAnswer;
  readonly requirements: (params: RequirementsParams) => RequirementsAnswer;
  readonly upgrade: (params: UpgradeParams) => UpgradeAnswer;
  readonly brought: (params: BroughtParams) => BroughtAnswer;
  readonly waysOut: (params: WaysOutParams) => WaysOutAnswer;
  readonly identify: (params: IdentifyParams) => IdentifyAnswer;
  readonly readPurl: (params: PurlParams) => ReadPurlAnswer;
  readonly lookUpPurl: (params: PurlParams) => PurlAnswer;
  readonly purlAt: (params: PurlAtParams) => PurlAtAnswer | null;
  readonly dependencyLine: (params: LineParams) => LineAnswer;
  readonly report: (params: ReportParams) => ReportAnswer | null;
  readonly notices: (params: NoticesParams) => NoticesAnswer | null;
  readonly install: (params: InstallParams) => Install | null;
  readonly updates: (params: UpdatesParams) => UpdatesAnswer | null;
  readonly versions: (params: VersionsParams) => VersionsAnswer;
  readonly checkLinks: (params: CheckLinksParams) => readonly CheckedLink[];
  readonly connections: (params: object) => ConnectionsAnswer;
  readonly audit: (params: object) => AuditAnswer | null;
  readonly schedule: (params: ScheduleParams) => ScheduleAnswer;
  readonly plannable: (params: PlannableParams) => readonly PlannableUpdate[] | null;
  readonly tryConnection: (params: TryConnectionParams) => ConnectionTrial | null;
  readonly serviceMethods: (params: object) => ServiceMethodsAnswer;
  readonly requestTemplate: (params: RequestTemplateParams) => string | null;
  readonly callMethod: (params: CallMethodParams) => CallAnswer;
  readonly copyRequest: (params: CopyRequestParams) => CopiedRequest | null;
  readonly threatLists: (params: object) => OfferedThreatLists | null;
}

/** Rejects if the server is not running, or rejects the parameters. */
export function sendRequest<Name extends keyof Requests>(
  client: BaseLanguageClient,
  name: Name,
  params: Parameters<Requests[Name]>[0],
  token?: vscode.CancellationToken,
): Promise<ReturnType<Requests[Name]>> {
  const method = `packageInsights/${name}`;
  // An undefined token would count as another parameter.
  return token === undefined ? client.sendRequest(method, params) : client.sendRequest(method, params, token);
}

/**
 * Sends a notification. Without a running server nothing is lost, since it receives the same data with `initialize`.
 */
export function notify(client: BaseLanguageClient, method: string, params: object): void {
  if (!client.isRunning()) return;
  client.sendNotification(method, params).catch((it: unknown) => client.outputChannel.appendLine(String(it)));
}

/**
 * Sends a slow request and shows its progress.
 * @param tell converts the progress of the server for display
 * @returns undefined if the person has cancelled, or the server has ended
 */
export async function sendRequestWithProgress<Name extends keyof Requests>(
  client: BaseLanguageClient,
  name: Name,
  params: Parameters<Requests[Name]>[0],
  title: string,
  tell: (told: WorkDoneProgressReport) => { readonly message?: string; readonly increment?: number },
): Promise<ReturnType<Requests[Name]> | undefined> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const { WorkDoneProgress } = await import('vscode-languageclient');
    const workDoneToken = `${name} ${Date.now()}`;
    const telling = client.onProgress(WorkDoneProgress.type, workDoneToken, (it) => {
      if (it.kind === 'report') progress.report(tell(it));
    });
    try {
      const answer = await sendRequest(client, name, { ...params, workDoneToken }, token);
      return token.isCancellationRequested ? undefined : answer;
    } catch (error) {
      // A request that is cancelled in the queue is answered with an error.
      if (token.isCancellationRequested) return undefined;
      if (client.isRunning()) throw error;
      vscode.window.showWarningMessage(vscode.l10n.t('The language server ended before it answered.'));
      return undefined;
    } finally {
      telling.dispose();
    }
  });
}

/** The progress of the server as text. */
export function progressMessage({ message }: WorkDoneProgressReport): { readonly message?: string } {
  return message === undefined ? {} : { message };
}
