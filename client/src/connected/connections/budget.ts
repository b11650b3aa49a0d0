import * as vscode from 'vscode';
import { chooseConnected } from './connect.ts';
import { settingKeys } from './connected.ts';

/** Source: the setting's declaration. */
const MAX_BUDGET = 1_000_000;

/** In ms. */
const MESSAGE_TIME = 5000;

/** Asks for the budget of a service, and writes the setting of this machine. */
export async function setBudget(given: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const service = await chooseConnected(given);
  if (service === undefined) return;
  const settings = vscode.workspace.getConfiguration('packageInsights.connections');
  const key = `${settingKeys[service.name]}.dailyBudget`;
  const text = await vscode.window.showInputBox({
    title: t('{0}: Requests a Day', service.label),
    prompt: t('After so many requests a day (UTC) nothing is sent in the background. What you ask for is always sent.'),
    value: String(settings.get<number>(key) ?? ''),
    ignoreFocusOut: true,
    validateInput: (it) =>
      budgetIn(it) === undefined
        ? t('A whole number from 0 to {0}', MAX_BUDGET.toLocaleString(vscode.env.language))
        : undefined,
  });
  const budget = budgetIn(text ?? '');
  if (budget === undefined) return;
  await settings.update(key, budget, vscode.ConfigurationTarget.Global);
  vscode.window.setStatusBarMessage(t('Budget of {0}: {1} a day (UTC)', service.label, budget), MESSAGE_TIME);
}

function budgetIn(text: string): number | undefined {
  const budget = /^\d{1,7}$/.test(text.trim()) ? Number(text) : undefined;
  return budget !== undefined && budget <= MAX_BUDGET ? budget : undefined;
}
