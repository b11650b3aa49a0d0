import * as l10n from '@vscode/l10n';
import type { Snapshot } from '../engine/workspace.ts';
import type { Registry } from '../model/registry.ts';
import { visible } from '../report/words.ts';
import type { Terminal } from './command.ts';

/** Says how many dependencies the service did not hear of, because they come from a registry of their own, and which. */
export function printWithheld(snapshots: readonly Snapshot[], command: string, terminal: Terminal): void {
  const numbers = new Map<string, number>();
  for (const { subjects, included } of snapshots) {
    for (const { resolution: it } of [subjects, ...included.map((one) => one.subjects)].flat()) {
      if (it.kind !== 'none' || it.withheld === undefined) continue;
      const origin = originOf(it.withheld);
      numbers.set(origin, (numbers.get(origin) ?? 0) + 1);
    }
  }
  for (const [origin, number] of [...numbers].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) {
    const line =
      number === 1
        ? l10n.t('not looked up, since names stay private: 1 dependency from {0}', visible(origin))
        : l10n.t('not looked up, since names stay private: {0} dependencies from {1}', number, visible(origin));
    terminal.error(`package-insights ${command}: ${line}`);
  }
}

function originOf({ host, from, beside }: Registry): string {
  if (host === undefined) {
    return from === undefined ? l10n.t('a registry of their own') : l10n.t('what {0} says is private', from);
  }
  if (from === undefined) return l10n.t('the registry {0}', host);
  return beside
    ? l10n.t('the registry {0} or another ({1})', host, from)
    : l10n.t('the registry {0} ({1})', host, from);
}
