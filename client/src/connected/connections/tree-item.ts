import type * as vscode from 'vscode';

/**
 * Gives a row one label for screen readers: what is shown in it. Without, VS Code has them read the tooltip.
 * @param more what only the icon shows
 */
export function readAsShown(item: vscode.TreeItem, ...more: readonly string[]): vscode.TreeItem {
  const shown = [item.label, item.description].filter((it) => typeof it === 'string' && it !== '');
  item.accessibilityInformation = { label: [...shown, ...more].join(', ') };
  return item;
}
