import * as l10n from '@vscode/l10n';
import type { ConnectionName, Connections } from '../../engine/model/connection.ts';
import { unitsText } from '../api/cost.ts';
import { hasPages } from '../api/pages.ts';
import { type CallAnswer, copyFormats, type RequestCalls, requestLanguage } from '../model/documents/requests.ts';
import type {
  DocumentClient,
  DocumentFinding,
  DocumentLens,
  RunContext,
  ServiceDocument,
  ServiceDocumentKind,
} from '../model/documents/service-document.ts';
import { problemsOf } from './calls.ts';
import { type CheckedRequest, checkRequest } from './check.ts';
import { completeRequest } from './complete.ts';
import { hoverRequest } from './hover.ts';
import { parseRequest } from './parse.ts';
import { type Changed, getAndUpdate, insertVersion } from './versions.ts';

export interface RequestKindParts {
  readonly calls: RequestCalls;
  readonly connections: Pick<Connections, 'client'>;
  readonly isConnected: (name: ConnectionName) => boolean;
}

/** Request documents in an editor. Claimed also while nothing is connected: then they can be written and not sent. */
export function createRequestKind({ calls, connections, isConnected }: RequestKindParts): ServiceDocumentKind {
  const check = ({ text }: ServiceDocument, { isOwnExtension }: DocumentClient): Promise<CheckedRequest> =>
    checkRequest(parseRequest(text), { isConnected, isOwnExtension });
  return {
    name: 'request',
    claims: ({ languageId }) => languageId === requestLanguage,
    async findings(document, { client }) {
      const { findings } = await check(document, client);
      return findings.map((it) => withAddress(it, document));
    },
    hover: ({ text }, offset) => hoverRequest(parseRequest(text), offset),
    completion: ({ text }, offset, { client }) =>
      completeRequest(parseRequest(text), offset, { isConnected, takesSnippets: client.takesSnippets }),
    async lenses(document, { client }) {
      return lensesOf(document, await check(document, client), client, isConnected);
    },
    async run(name, [uri, given], context) {
      const document = typeof uri === 'string' ? context.document(uri) : undefined;
      if (document === undefined) return null;
      switch (name) {
        case 'send':
          return send(document, { ...(typeof given === 'string' && { confirm: given }) }, calls, context);
        case 'sendAll':
          return send(document, { page: 'all' }, calls, context);
        case 'copy': {
          const format = copyFormats.find((it) => it === given) ?? 'http';
          return calls.copy(document.text, format);
        }
        case 'insertVersion':
          return change(
            document,
            await insertVersion(await check(document, context.client), connections, context.signal),
            context,
          );
        case 'getAndUpdate':
          return change(
            document,
            await getAndUpdate(await check(document, context.client), connections, context.signal),
            context,
          );
        default:
          return null;
      }
    },
    onDidChange: () => () => {},
  };
}

/** Commands of fixes get the address of their document. */
function withAddress(finding: DocumentFinding, { uri }: ServiceDocument): DocumentFinding {
  const fixes = finding.fixes?.map((it) =>
    it.command && 'run' in it.command ? { ...it, command: { ...it.command, args: [uri] } } : it,
  );
  return { ...finding, ...(fixes && { fixes }) };
}

/** `▷ Send · 1 quota unit | All pages | Copy as cURL | Copy as .http`, above the method. */
function lensesOf(
  { uri }: ServiceDocument,
  checked: CheckedRequest,
  { isOwnExtension }: DocumentClient,
  isConnected: (name: ConnectionName) => boolean,
): DocumentLens[] {
  const { method, parsed } = checked;
  if (method === undefined || parsed.method === undefined) return [];
  const { span } = parsed.method;
  const errors = problemsOf(checked).length;
  const lens = (title: string, id: string, run: string, args: readonly unknown[] = []): DocumentLens => ({
    span,
    title,
    command: isOwnExtension ? { id: `packageInsights.${id}`, args: [uri, ...args] } : { run, args: [uri, ...args] },
    ...(errors > 0 && { disabled: errors === 1 ? l10n.t('1 error') : l10n.t('{0} errors', errors) }),
  });
  const copies = copyFormats.toReversed().map((format) => {
    const title = format === 'curl' ? l10n.t('Copy as cURL') : l10n.t('Copy as .http');
    return lens(
      title,
      format === 'curl' ? 'copyRequestAsCurl' : 'copyRequestAsHttp',
      'copy',
      isOwnExtension ? [] : [format],
    );
  });
  if (!isConnected(method.connection)) {
    const connect = {
      span,
      title: l10n.t('Connect {0}…', method.connection),
      command: { id: 'packageInsights.connectService', args: [{ name: method.connection }] },
    };
    return [...(isOwnExtension ? [connect] : []), ...(errors > 0 ? [] : copies)];
  }
  const icon = isOwnExtension ? '$(play) ' : '▷ ';
  const title = `${icon}${l10n.t('Send')} · ${unitsText(method.units)}`;
  const sending = lens(title, 'sendRequest', 'send');
  if (errors > 0) return [sending];
  return [sending, ...(hasPages(method) ? [lens(l10n.t('All Pages'), 'sendAllPages', 'sendAll')] : []), ...copies];
}

async function send(
  document: ServiceDocument,
  options: Parameters<RequestCalls['send']>[1],
  calls: RequestCalls,
  { signal, report, tell }: RunContext,
): Promise<CallAnswer> {
  report(l10n.t('Sending'));
  const answer = await calls.send(document.text, options, signal, (pages) => report(l10n.t('{0} pages', pages)));
  const [severity, message] = toldOf(answer);
  if (message !== undefined) tell(severity, message);
  return answer;
}

function toldOf(answer: CallAnswer): readonly ['error' | 'warning' | 'information', string | undefined] {
  switch (answer.kind) {
    case 'answer':
      return [answer.isError ? 'error' : 'information', `${answer.method}: ${answer.summary}`];
    case 'refused':
      return ['error', answer.problems[0]?.message];
    case 'confirm':
      return ['warning', l10n.t('{0} removes “{1}”: repeat the name to confirm.', answer.method, answer.name)];
    case 'not-connected':
      return ['error', `${answer.connection}: ${answer.reason}`];
    case 'failed':
      return ['error', answer.reason];
    case 'aborted':
      return ['information', undefined];
  }
}

async function change(document: ServiceDocument, changed: Changed, { edit, tell }: RunContext): Promise<boolean> {
  if (changed.kind === 'failed') {
    tell('error', changed.reason);
    return false;
  }
  return edit(document, l10n.t('Insert what was read'), changed.changes);
}
