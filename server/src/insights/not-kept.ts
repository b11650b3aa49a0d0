import * as l10n from '@vscode/l10n';
import { flag } from './fields.ts';
import type { Failed } from './understand.ts';
import type { AskedVersion, BatchForm } from './version-batch.ts';

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

/** A batch that tells apart what is unknown and what is not kept. */
export function heedingNotKept(
  form: BatchForm,
  asked: readonly AskedVersion[],
): readonly [form: BatchForm, asked: readonly AskedVersion[]] {
  // Of each response, the version is read just before somebody is told of it.
  let isNotKept = false;
  return [
    {
      ...form,
      version: (response) => {
        isNotKept = flag(response, 'notKept');
        return form.version(response);
      },
    },
    asked.map(({ key, learn }) => ({
      key,
      learn: (learnt) => learn(learnt.kind === 'unknown' && isNotKept ? notKept() : learnt),
    })),
  ];
}
