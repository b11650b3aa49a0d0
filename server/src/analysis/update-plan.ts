import * as l10n from '@vscode/l10n';
import { type EvaluatedDependency, isPending } from '../model/evaluated-dependency.ts';
import type { Edit } from '../model/finding.ts';
import { type Fix, fixInScope, highestEdits, type UpdateScope } from './fixes.ts';
import { verdictOf } from './verdict.ts';

/** An update of everything: what it changes, and what it leaves with the reason. */
export interface UpdatePlan {
  /** Each place once, with the fix that decides its version. */
  readonly changes: readonly { readonly edit: Edit; readonly fix: Fix }[];
  /** Dependencies that would have to move and do not, or of which that is not known. `reason` is a clause. */
  readonly left: readonly { readonly evaluated: EvaluatedDependency; readonly reason: string }[];
}

/** What was not checked is not updated, and is counted as left. */
export function planUpdates(dependencies: readonly EvaluatedDependency[], scope: UpdateScope): UpdatePlan {
  const fixes: Fix[] = [];
  const left: { readonly evaluated: EvaluatedDependency; readonly reason: string }[] = [];
  for (const evaluated of dependencies) {
    if (evaluated.linked.isRecorded) continue;
    const fix = fixInScope(evaluated, scope);
    const reason = reasonAgainst(evaluated, fix, scope);
    if (reason !== undefined) left.push({ evaluated, reason });
    else if (fix) fixes.push(fix);
  }
  const changes = highestEdits(fixes, dependencies);
  const moved = new Set(changes.map(({ edit }) => placeId(edit)));
  for (const { evaluated, move } of fixes) {
    const isLeft = move.ok && !move.edits.some((it) => moved.has(placeId(it)));
    if (isLeft) left.push({ evaluated, reason: l10n.t('no version for all that share it') });
  }
  return { changes, left };
}

function placeId({ uri, span }: Edit): string {
  return `${uri} ${span.start}`;
}

function reasonAgainst(evaluated: EvaluatedDependency, fix: Fix | undefined, scope: UpdateScope): string | undefined {
  const { resolution, version } = evaluated;
  if (fix && !fix.target.isChecked) return l10n.t('not checked');
  if (fix) return fix.move.ok ? undefined : fix.move.reason;
  const isFailed = resolution.kind === 'failed' || version?.state === 'failed';
  if (isFailed || isPending(evaluated)) return l10n.t('not checked');
  if (resolution.kind === 'unknown' || version?.state === 'unknown') return l10n.t('unknown to the service');
  if (resolution.kind === 'none') return resolution.withheld ? l10n.t('kept private') : undefined;
  const { needsMove, targets, isWithoutFix } = verdictOf(evaluated);
  if (isWithoutFix) return l10n.t('no safe version');
  if (needsMove || resolution.kind === 'no-match') return l10n.t('no known safe version');
  const target = scope === 'safe' ? undefined : targets.find((it) => it.kinds.includes(scope));
  return target && (target.flaw ?? l10n.t('not checked'));
}
