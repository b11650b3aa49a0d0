import * as l10n from '@vscode/l10n';
import { broughtBy } from '../../../analysis/brought.ts';
import type { Snapshot } from '../../../analysis/snapshot.ts';
import type { EvaluatedDependency } from '../../../model/evaluated-dependency.ts';
import { type Block, paragraph } from '../markup.ts';

/** `Brings 63 packages`: what is installed because of a dependency, by its lockfile. Without one it is unknown. */
export function describeBrought(
  snapshot: Pick<Snapshot, 'uri' | 'lockfiles'>,
  evaluated: EvaluatedDependency,
): Block[] {
  const brought = broughtBy(snapshot, evaluated);
  if (brought === undefined) return [];
  const { count, isPartial } = brought;
  if (isPartial) return count === 0 ? [] : [paragraph(atLeast(count))];
  if (count === 0) return [paragraph(l10n.t('Brings no other package'))];
  return [paragraph(count === 1 ? l10n.t('Brings 1 package') : l10n.t('Brings {0} packages', count))];
}

function atLeast(count: number): string {
  return count === 1 ? l10n.t('Brings at least 1 package') : l10n.t('Brings at least {0} packages', count);
}
