import { stat } from 'node:fs/promises';
import { fileTrouble } from '../../engine/base/file-error.ts';
import type { CheckoutResult } from './checkout.ts';

/** A directory as it is. */
export async function openDirectory(path: string): Promise<CheckoutResult> {
  try {
    if (!(await stat(path)).isDirectory()) return { kind: 'refused', reason: 'it is not a folder', isTransient: false };
  } catch (error) {
    return { kind: 'refused', reason: fileTrouble(error), isTransient: false };
  }
  return { kind: 'checkout', checkout: { directory: path, left: [], close: async () => {} } };
}
