import * as vscode from 'vscode';
import { plainText } from '../escape.ts';

/** In the state of this person: the hosts of services that they do not want to send names to for now. */
const DECLINED = 'lookUpInBrowserDeclined';

/** Whether the offer was made in this window. */
let isOffered = false;

/** Whether the person has answered *Not Now* for the present service. */
export function isLookUpDeclined(state: vscode.Memento): boolean {
  return state.get<readonly string[]>(DECLINED, []).includes(hostOfService());
}

/**
 * Offers to look up names although the registry settings of the person's computer are unknown: once a window, and not
 * again where the person has answered. The status item, hovers, the report and the view of requirements ask again.
 */
export async function offerLookUpInBrowser(state: vscode.Memento): Promise<void> {
  if (isOffered || isLookUpDeclined(state)) return;
  isOffered = true;
  const { t } = vscode.l10n;
  const [lookUp, notNow] = [t('Look Up'), t('Not Now')];
  const host = hostOfService();
  const chosen = await vscode.window.showInformationMessage(questionText(), lookUp, notNow);
  if (chosen === lookUp) await lookUpInBrowser(host);
  if (chosen === notNow) await state.update(DECLINED, [...state.get<readonly string[]>(DECLINED, []), host]);
}

/**
 * Asks again: chosen at a package that is not looked up, at the status or in the command palette.
 * @returns whether the person permits it
 */
export async function confirmLookUpInBrowser(): Promise<boolean> {
  const { t } = vscode.l10n;
  const lookUp = t('Look Up');
  const message = t('Look up packages in the browser?');
  const host = hostOfService();
  const chosen = await vscode.window.showInformationMessage(message, { modal: true, detail: questionText() }, lookUp);
  if (chosen === lookUp) await lookUpInBrowser(host);
  return chosen === lookUp;
}

function serviceAddress(): string {
  return String(vscode.workspace.getConfiguration('packageInsights').get('baseUrl'));
}

/** As the server compares it; empty for an invalid address. */
function hostOfService(): string {
  return URL.canParse(serviceAddress()) ? new URL(serviceAddress()).host : '';
}

function questionText(): string {
  return vscode.l10n.t(
    'Nothing is looked up yet: a browser cannot read the registry settings of your computer, such as ~/.npmrc, which may assign names to a private registry. Send the names of packages to {0}? Names that files of the workspace assign to a private registry stay here.',
    plainText(serviceAddress()),
  );
}

/** @param host which the question has named */
async function lookUpInBrowser(host: string): Promise<void> {
  if (host === '') return;
  const settings = vscode.workspace.getConfiguration('packageInsights');
  const before = settings.get<unknown>('lookUpInBrowser');
  const permitted = [...new Set([...(Array.isArray(before) ? before : []), host])];
  await settings.update('lookUpInBrowser', permitted, vscode.ConfigurationTarget.Global);
}
