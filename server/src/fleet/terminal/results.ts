import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { fileTrouble } from '../../engine/base/file-error.ts';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import { isDatabaseAddress, type Results } from '../results/results.ts';

/**
 * Opens the results of a fleet.
 * @throws UsageError where they cannot be used
 */
export async function openResults(address: string, isCreated: boolean, terminal: Terminal): Promise<Results> {
  const fleet = await import('../fleet.ts');
  const isDatabase = isDatabaseAddress(address);
  return fleet
    .openResults(isDatabase ? address : resolve(terminal.directory, address), isCreated)
    .catch((error: unknown) => {
      // An address may contain a password.
      const what = isDatabase ? l10n.t('the database') : address;
      throw new UsageError(l10n.t('{0} cannot be used: {1}', what, fileTrouble(error)));
    });
}
