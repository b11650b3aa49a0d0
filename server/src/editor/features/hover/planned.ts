import * as l10n from '@vscode/l10n';
import { momentText } from '../../../engine/base/moments.ts';
import type { EvaluatedDependency } from '../../../engine/model/evaluated-dependency.ts';
import { cancelPlannedCommand, movePlannedCommand, type PlannedEventId } from '../commands.ts';
import type { AnswerContext } from '../feature.ts';
import { type Block, type Inline, joined, paragraph } from '../markup.ts';

/**
 * The planned update of a dependency, also one that others of the team have planned:
 *
 *     Update to 4.17.21 scheduled for Tue 24 Nov 14:00 · Dependency updates · Open · Move… · Cancel
 */
export function plannedText(evaluated: EvaluatedDependency, { plans, client }: AnswerContext): Block[] {
  const planned = plans?.of(evaluated);
  if (!plans || !planned) return [];
  const { event, target } = planned;
  const when = momentText({ at: event.start, isAllDay: event.isAllDay }, plans.reader);
  const id: PlannedEventId = { id: event.id };
  const pieces: Inline[][] = [
    [l10n.t('Update to {0} scheduled for {1}', target, when)],
    ...(plans.calendar === undefined ? [] : [[plans.calendar]]),
    ...(event.link === undefined ? [] : [[{ link: l10n.t('Open'), url: event.link }]]),
    ...(client.commandLinks
      ? [
          [{ link: l10n.t('Move…'), command: movePlannedCommand, args: [id] }],
          [{ link: l10n.t('Cancel'), command: cancelPlannedCommand, args: [id] }],
        ]
      : []),
  ];
  return [paragraph(...joined(pieces, ' · '))];
}
