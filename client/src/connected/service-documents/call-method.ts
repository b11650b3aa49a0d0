import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { MethodSummary } from '../../../../server/src/connected/model/documents/requests.ts';
import { plainText } from '../../escape.ts';
import { sendRequest } from '../../requests.ts';
import { requestLanguage } from '../../selector.ts';

/**
 * Opens a request document for a method.
 * @param given the id of the method; else the person chooses one
 */
export async function callServiceMethod(client: BaseLanguageClient, given: unknown): Promise<void> {
  const method = typeof given === 'string' ? given : await chooseMethod(client);
  if (method === undefined) return;
  const content = await sendRequest(client, 'requestTemplate', { method });
  if (content === null) {
    vscode.window.showErrorMessage(vscode.l10n.t('No service has a method {0}.', plainText(method)));
    return;
  }
  const document = await vscode.workspace.openTextDocument({ language: requestLanguage, content });
  const editor = await vscode.window.showTextDocument(document);
  const at = document.positionAt(firstGap(content));
  editor.selection = new vscode.Selection(at, at);
}

/** Behind what is to be filled in first: an empty parameter, or within an empty value of the body. */
function firstGap(content: string): number {
  const parameter = /: (?=\n)/.exec(content);
  if (parameter) return parameter.index + 2;
  const value = /: ["{[](?=["}\]])/.exec(content);
  return value ? value.index + value[0].length : content.trimEnd().length;
}

interface MethodItem extends vscode.QuickPickItem {
  readonly method?: string;
}

/** All methods by service, those of connected services first. */
async function chooseMethod(client: BaseLanguageClient): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const { methods } = await sendRequest(client, 'serviceMethods', {});
  const rank = (it: MethodSummary): number => (it.isConnected ? 0 : 1);
  const sorted = methods.toSorted((a, b) => rank(a) - rank(b));
  const items = sorted.flatMap((it, at): MethodItem[] => {
    const label = it.isConnected ? it.connection : t('{0} (not connected)', it.connection);
    const isFirst = sorted[at - 1]?.connection !== it.connection;
    const separator: MethodItem = { label, kind: vscode.QuickPickItemKind.Separator };
    return [...(isFirst ? [separator] : []), itemOf(it)];
  });
  const options = { title: t('Call a Service Method'), matchOnDescription: true, placeHolder: t('Which method?') };
  return (await vscode.window.showQuickPick(items, options))?.method;
}

const icons = { read: 'eye', write: 'edit', destroy: 'trash' } as const satisfies Readonly<
  Record<MethodSummary['effect'], string>
>;

function itemOf({ id, verb, path, units, effect }: MethodSummary): MethodItem {
  const cost = units === 1 ? vscode.l10n.t('1 quota unit') : vscode.l10n.t('{0} quota units', units);
  return { label: `$(${icons[effect]}) ${id}`, description: `${verb} ${path} · ${cost}`, method: id };
}
