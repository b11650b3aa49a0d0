import type { CancellationToken } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { IdentifyAnswer, IdentifyParams } from '../../server/src/lsp/request-identify.ts';
import type {
  LineAnswer,
  LineParams,
  PurlAnswer,
  PurlParams,
  ReadPurlAnswer,
} from '../../server/src/lsp/request-purl.ts';
import type {
  RequirementsAnswer,
  RequirementsParams,
  UpgradeAnswer,
  UpgradeParams,
} from '../../server/src/lsp/request-requirements.ts';
import type { SubjectsAnswer, SubjectsParams } from '../../server/src/lsp/request-subjects.ts';

/** The server's own requests: what each takes and gives. docs/editors.md describes them. */
interface Requests {
  readonly subjects: (params: SubjectsParams) => SubjectsAnswer;
  readonly requirements: (params: RequirementsParams) => RequirementsAnswer;
  readonly upgrade: (params: UpgradeParams) => UpgradeAnswer;
  readonly identify: (params: IdentifyParams) => IdentifyAnswer;
  readonly readPurl: (params: PurlParams) => ReadPurlAnswer;
  readonly lookUpPurl: (params: PurlParams) => PurlAnswer;
  readonly dependencyLine: (params: LineParams) => LineAnswer;
}

/** Rejects where the server is not there, or does not take the parameters. */
export function ask<Name extends keyof Requests>(
  client: LanguageClient,
  name: Name,
  params: Parameters<Requests[Name]>[0],
  token?: CancellationToken,
): Promise<ReturnType<Requests[Name]>> {
  const method = `packageInsights/${name}`;
  // A token that is not there would be taken for another parameter.
  return token === undefined ? client.sendRequest(method, params) : client.sendRequest(method, params, token);
}
