import * as l10n from '@vscode/l10n';

/**
 * Why what stands in a lockfile is not changed in it.
 * @param command what writes it anew: `npm install`
 */
export function writtenBy(command: string): string {
  return l10n.t('a lockfile is written by its tool: {0}', command);
}
