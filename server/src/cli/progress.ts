import * as l10n from '@vscode/l10n';
import type { Counts } from '../survey/tally.ts';

const width = 24;

/** `[############············] 412 of 824 looked up` */
export function progressLine({ asked, pending }: Counts): string {
  const done = asked - pending;
  const filled = asked === 0 ? 0 : Math.floor((width * done) / asked);
  return `[${'#'.repeat(filled)}${'·'.repeat(width - filled)}] ${l10n.t('{0} of {1} looked up', done, asked)}`;
}
