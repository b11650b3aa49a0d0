import * as vscode from 'vscode';
import type { RegistryRequest } from '../../server/src/editor/features/private-actions.ts';
import { plainText } from './escape.ts';

/** In the state of this person: the offer is made once, whatever the answer. */
const OFFERED = 'privateRegistriesOffered';

/**
 * Offers once to ask private registries, when the first private name is met. Nothing is asked before the person chooses.
 * @param host the registry of that name
 */
export async function offerAskingRegistries(host: string, state: vscode.Memento): Promise<void> {
  const settings = vscode.workspace.getConfiguration('packageInsights');
  const isChosen = settings.inspect('privateRegistries')?.globalValue !== undefined;
  if (isChosen || state.get(OFFERED) === true) return;
  await state.update(OFFERED, true);
  const { t } = vscode.l10n;
  const ask = t('Ask Registries');
  const chosen = await vscode.window.showInformationMessage(offerText(host), ask, t('Keep Off'));
  if (chosen === ask) await askRegistries();
}

/** Asks private registries from now on, after a question: chosen at a package whose name stays private. */
export async function confirmAskingRegistries({ host }: RegistryRequest): Promise<void> {
  const { t } = vscode.l10n;
  const ask = t('Ask Registries');
  const message = t('Ask private registries about their own packages?');
  const chosen = await vscode.window.showInformationMessage(message, { modal: true, detail: offerText(host) }, ask);
  if (chosen === ask) await askRegistries();
}

function offerText(host: string): string {
  return vscode.l10n.t(
    'Packages from {0} are not looked up, so that their names stay private. Package Insights can ask their own registries instead, as their clients do and with the credentials that these keep. No name goes anywhere else.',
    plainText(host),
  );
}

async function askRegistries(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('packageInsights');
  await settings.update('privateRegistries', 'ask', vscode.ConfigurationTarget.Global);
}
