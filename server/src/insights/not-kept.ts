import * as l10n from '@vscode/l10n';
import type { Failed } from './understand.ts';

/*
 * A service of kept answers cannot tell whether there is what it was never asked. It says so by a 404 of its own words,
 * and in a batch by a field beside the request.
 */

/** Whether a 404 says so. */
export function saysNotKept(text: string): boolean {
  return /^\w{1,20} not kept\b/.test(text);
}

export function notKept(): Failed {
  return { kind: 'failed', reason: l10n.t('the service has only kept answers, and none about this'), outage: false };
}
