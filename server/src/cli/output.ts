import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { fileTrouble } from '../model/file-trouble.ts';
import { type Terminal, UsageError } from './command.ts';
import { writeWhole } from './replace-file.ts';

/**
 * Tells whether a file can be written, as far as that shows without writing it: before anything is asked, or changed.
 * @param file as typed
 * @throws UsageError where it cannot
 */
export async function tryOutput(file: string, { directory }: Terminal): Promise<void> {
  const path = resolve(directory, file);
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) throw unwritable(file, l10n.t('it is a folder'));
  // With its dot a file in the place of a folder is none.
  const place = there ? path : `${dirname(path)}/.`;
  await access(place, constants.W_OK).catch((error: unknown) => {
    throw unwritable(file, fileTrouble(error));
  });
}

/**
 * Writes a file in one step: who reads it meanwhile, or a disk that is full, gets no half of it.
 * @param file as typed
 * @throws UsageError where it cannot be written
 */
export async function writeOutput(file: string, text: string, { directory }: Terminal): Promise<void> {
  await writeWhole(resolve(directory, file), Buffer.from(text)).catch((error: unknown) => {
    throw unwritable(file, fileTrouble(error));
  });
}

function unwritable(file: string, reason: string): UsageError {
  return new UsageError(l10n.t('{0} cannot be written: {1}', file, reason));
}
