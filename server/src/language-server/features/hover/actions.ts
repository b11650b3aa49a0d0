import * as l10n from '@vscode/l10n';
import { type DependencyFinding, findingsBehind } from '../../../analysis/findings.ts';
import { fixesFor } from '../../../analysis/fixes.ts';
import { verdictOf } from '../../../analysis/verdict.ts';
import { overridesText, shortTargetNotes, targetNotes } from '../../../analysis/verdict-text.ts';
import type { EvaluatedDependency } from '../../../model/evaluated-dependency.ts';
import { ignoreRequests } from '../code-actions.ts';
import { type DependencyPlace, placeIn, updateCommand, whatChangesCommand } from '../commands.ts';
import type { AnswerContext } from '../feature.ts';
import { type Block, type Inline, joined, type Markup, paragraph } from '../markup.ts';

/** Targets in one row. The choice of versions has all. */
const MAX_TARGETS = 4;

/**
 * The actions of a dependency, the recommended one first. Without commands, the versions that it can move to.
 *
 *     Update to 4.17.21 (patch) · 4.18.1 (minor, default version) · What changes · Ignore…
 */
export function actionLinks(evaluated: EvaluatedDependency, context: AnswerContext): Markup {
  const place = placeIn(evaluated);
  const pieces = [
    ...updateLinks(evaluated, place),
    ...(context.client.commandLinks ? otherLinks(evaluated, place, context) : []),
  ];
  return pieces.length > 0 ? [paragraph(...joined(pieces, ' · '))] : [];
}

function updateLinks(evaluated: EvaluatedDependency, place: DependencyPlace): Inline[][] {
  if (evaluated.linked.isRecorded) return [];
  const verdict = verdictOf(evaluated);
  const { recommended } = verdict;
  const fixes = fixesFor(evaluated).filter(
    ({ move, target }) => move.ok && (target.flaw === undefined || !verdict.needsMove),
  );
  const sorted = [
    ...fixes.filter((it) => it.target === recommended),
    ...fixes.filter((it) => it.target !== recommended),
  ];
  return sorted.slice(0, MAX_TARGETS).map(({ target, move }, at) => {
    const overridden = move.ok && move.overrides ? [overridesText(move.overrides)] : [];
    const notes = [...shortTargetNotes(evaluated, target), ...overridden].join(', ');
    const text = notes === '' ? target.version : `${target.version} (${notes})`;
    const link = at === 0 ? l10n.t('Update to {0}', text) : text;
    const title = [target.version, ...targetNotes(evaluated, target, verdict)].join(', ');
    return [{ link, title, command: updateCommand, args: [{ ...place, version: target.version }] }];
  });
}

function otherLinks(evaluated: EvaluatedDependency, place: DependencyPlace, context: AnswerContext): Block['parts'][] {
  const { targets, recommended } = verdictOf(evaluated);
  // The requirements of several packages are not compared.
  const target = evaluated.shared ? undefined : (recommended ?? targets[0]);
  const requests = findingsBehind(evaluated, context.settings).flatMap((it: DependencyFinding) =>
    ignoreRequests(it, context),
  );
  return [
    ...(target
      ? [[{ link: l10n.t('What changes'), command: whatChangesCommand, args: [{ ...place, version: target.version }] }]]
      : []),
    ...(requests.length > 0 ? [[{ link: l10n.t('Ignore…'), command: 'packageInsights.ignore', args: requests }]] : []),
  ];
}
