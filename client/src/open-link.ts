import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { CheckedLink } from '../../server/src/editor/requests/links.ts';
import type { DependencySummary } from '../../server/src/editor/requests/summary.ts';
import { plainText } from './escape.ts';
import { sendRequest } from './requests.ts';

/** A link of a list. */
export interface WebLink {
  readonly label: string;
  readonly url: string;
}

type Start = () => Promise<{ readonly client: BaseLanguageClient }>;

/** Opens the only link, or the one that the person picks. */
export async function openLinkOf(start: Start, { name, links }: DependencySummary): Promise<void> {
  const checked = links.length > 1 ? await checkLinks(start, links) : [];
  const items = links.map((link, at) => ({ ...itemOf(link, checked[at]), url: link.url }));
  const chosen = items.length > 1 ? await vscode.window.showQuickPick(items, { title: name }) : items[0];
  if (chosen) await openLink(start, chosen.url);
}

/** A link in a list of choices. */
export function itemOf({ label, url }: WebLink, checked: CheckedLink | undefined): vscode.QuickPickItem {
  return {
    label: plainText(label),
    detail: plainText(url),
    ...(checked && checked.note !== '' && { description: checked.note }),
  };
}

/**
 * Opens a web address that a package declares. One that is not checked is opened after a question, and one that a list
 * names is not opened.
 */
export async function openLink(start: Start, url: string): Promise<void> {
  const { t } = vscode.l10n;
  if (!/^https?:\/\//i.test(url)) return;
  const [checked] = await checkLinks(start, [{ url }]);
  const address = plainText(url);
  if (checked?.kind === 'suspected') {
    const message = t('This link is not opened: it {0}.', checked.note);
    await vscode.window.showWarningMessage(message, { modal: true, detail: address });
    return;
  }
  if (checked?.kind === 'unchecked') {
    const open = t('Open Anyway');
    const message = t('This link was not checked. Open it anyway?');
    if ((await vscode.window.showWarningMessage(message, { modal: true, detail: address }, open)) !== open) return;
  }
  await vscode.env.openExternal(vscode.Uri.parse(url));
}

/** What is known of each link; empty if links are not checked. */
export async function checkLinks(
  start: Start,
  links: readonly Pick<WebLink, 'url'>[],
): Promise<readonly CheckedLink[]> {
  const mode: unknown = vscode.workspace.getConfiguration('packageInsights').get('connections.linkSafety.mode');
  if (mode === 'off' || mode === undefined) return [];
  const { client } = await start();
  return sendRequest(client, 'checkLinks', { urls: links.map((it) => it.url) });
}

/** The address in the argument of a command: `{ url }`. */
export function urlIn(argument: unknown): string | undefined {
  const { url } = (argument ?? {}) as { readonly url?: unknown };
  return typeof url === 'string' ? url : undefined;
}
