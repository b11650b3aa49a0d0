import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { DependencySummary } from '../../server/src/editor/requests/summary.ts';
import { plainText } from './escape.ts';
import { checkLinks, itemOf, openLink } from './open-link.ts';
import { sendRequest } from './requests.ts';

/** How long the message is shown, in ms. */
const MESSAGE_TIME = 5000;

export async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  const [line = ''] = text.split('\n', 1);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied: {0}', plainText(line)), MESSAGE_TIME);
}

/** Copies a version as a dependency line for the active manifest. */
export async function copyDependencyLine(client: BaseLanguageClient, summary: DependencySummary): Promise<void> {
  const line = await lineFor(client, summary);
  if (line.kind === 'line') await copy(line.text);
  else vscode.window.showInformationMessage(plainText(line.reason));
}

/** Offers actions for a version. */
export async function showVersionActions(
  client: BaseLanguageClient,
  summary: DependencySummary,
  artifacts: readonly string[],
): Promise<void> {
  const { t } = vscode.l10n;
  const line = await lineFor(client, summary);
  const links = [
    ...summary.links.map(({ label, url }) => ({ label: t('Open {0}', label), url })),
    ...artifacts.filter((it) => /^https?:/.test(it)).map((url) => ({ label: t('Open the origin of the file'), url })),
  ];
  const start = async () => ({ client });
  const checked = await checkLinks(start, links);
  const choices = [
    ...(line.kind === 'line'
      ? [
          {
            label: `$(copy) ${t('Copy as dependency')}`,
            description: line.format,
            detail: plainText(line.text),
            run: () => copy(line.text),
          },
        ]
      : []),
    { label: `$(copy) ${t('Copy as purl')}`, detail: summary.purl, run: () => copy(summary.purl) },
    {
      label: `$(book) ${t('Show details')}`,
      run: () => vscode.commands.executeCommand('packageInsights.lookUpPurl', summary.purl),
    },
    ...links.map((link, at) => {
      const item = itemOf(link, checked[at]);
      return { ...item, label: `$(link-external) ${item.label}`, run: () => openLink(start, link.url) };
    }),
  ];
  const chosen = await vscode.window.showQuickPick(choices, { title: `${summary.name} ${summary.version ?? ''}` });
  await chosen?.run();
}

async function lineFor(client: BaseLanguageClient, { system, name, version }: DependencySummary) {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || version === undefined) {
    return { kind: 'none', reason: vscode.l10n.t('Open the target manifest first.') } as const;
  }
  const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
  return sendRequest(client, 'dependencyLine', { textDocument, system, name, version });
}
