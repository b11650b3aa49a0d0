import * as l10n from '@vscode/l10n';
import type { CodeAction, Command } from 'vscode-languageserver';
import { withCondition } from '../../../editor/features/choice-actions.ts';
import { placeIn, type UpdateRequest } from '../../../editor/features/commands.ts';
import type { Additions, AnswerContext, HintNote } from '../../../editor/features/feature.ts';
import { type Block, type Inline, joined, paragraph } from '../../../editor/features/markup.ts';
import { quickFix } from '../../../editor/features/offers.ts';
import { momentText, shortMomentText } from '../../../engine/base/moments.ts';
import { oneLine } from '../../../engine/base/text.ts';
import type { EvaluatedDependency } from '../../../engine/model/evaluated-dependency.ts';
import { plannedTarget } from '../../scheduling/planning.ts';
import type { Calendar } from './calendar.ts';
import type { PlannedUpdateOf, Plans } from './plans.ts';

/** A command of our extension: plans an update in the calendar. Its argument is an `UpdateRequest`. */
const scheduleUpdateCommand = 'packageInsights.scheduleUpdate';

/** A command of our extension: plans the updates of the active manifest. */
const scheduleAllCommand = 'packageInsights.scheduleAll';

/** Commands of our extension about planned updates. Their argument is a `PlannedEventId`. */
const showPlannedCommand = 'packageInsights.showPlanned';
const movePlannedCommand = 'packageInsights.movePlanned';
const cancelPlannedCommand = 'packageInsights.cancelPlanned';

/** An event of the calendar that is used. */
interface PlannedEventId {
  readonly id: string;
}

/** What answers about dependencies say about planned updates, while scheduling is connected. */
export function scheduleAdditions(calendar: Calendar): Additions {
  return {
    hover(evaluated, context) {
      const { plans } = calendar;
      const planned = plans?.of(evaluated);
      return plans && planned ? [plannedText(planned, plans, context)] : [];
    },
    links(evaluated) {
      const { plans } = calendar;
      return plans ? scheduleLinks(evaluated, plans) : [];
    },
    actions(evaluated, { client }) {
      const { plans } = calendar;
      return plans && client.commandLinks ? scheduleActions(evaluated, plans) : [];
    },
    hints(evaluated, { settings }) {
      const plans = settings.hintParts.includes('planned') ? calendar.plans : undefined;
      const planned = plans?.of(evaluated);
      return plans && planned ? [hintNote(planned, plans, settings.hintMarks.planned)] : [];
    },
    lenses(_, { client }): Command[] {
      if (!calendar.schedule || !client.commandLinks) return [];
      return [{ title: l10n.t('Schedule all updates…'), command: scheduleAllCommand }];
    },
  };
}

/**
 * The planned update of a dependency, also one that others of the team have planned:
 *
 *     Update to 4.17.21 scheduled for Tue 24 Nov 14:00 · Dependency updates · Open · Move… · Cancel
 */
function plannedText({ event, target }: PlannedUpdateOf, plans: Plans, { client }: AnswerContext): Block {
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
  return paragraph(...joined(pieces, ' · '));
}

/** Where an update is planned already, that one is moved. */
function scheduleLinks(evaluated: EvaluatedDependency, plans: Plans): Inline[][] {
  const target = plans.of(evaluated) ? undefined : plannedTarget(evaluated);
  if (target === undefined) return [];
  const request: UpdateRequest = { ...placeIn(evaluated), version: target.version };
  return [[{ link: l10n.t('Schedule…'), command: scheduleUpdateCommand, args: [request] }]];
}

/** Plans the update in the calendar, or moves or cancels the planned one: by commands of our extension. */
function scheduleActions(evaluated: EvaluatedDependency, plans: Plans): CodeAction[] {
  const name = withCondition(evaluated.linked);
  const planned = plans.of(evaluated);
  if (planned) {
    const { event, target } = planned;
    const when = momentText({ at: event.start, isAllDay: event.isAllDay }, plans.reader);
    const title = oneLine(l10n.t('Scheduled update of {0} to {1}: {2}…', name, target, when));
    const id: PlannedEventId = { id: event.id };
    return [{ title, kind: quickFix, command: { title, command: showPlannedCommand, arguments: [id] } }];
  }
  const target = plannedTarget(evaluated);
  if (target === undefined) return [];
  const title = oneLine(l10n.t('Schedule the update of {0} to {1}…', name, target.version));
  const request: UpdateRequest = { ...placeIn(evaluated), version: target.version };
  return [{ title, kind: quickFix, command: { title, command: scheduleUpdateCommand, arguments: [request] } }];
}

/**
 * When an update is planned: a later day with its time, or without.
 * @param mark instead of the word; empty for the word
 */
function hintNote({ event, target }: PlannedUpdateOf, { reader }: Plans, mark: string): HintNote {
  const at = { at: event.start, isAllDay: event.isAllDay };
  const text = (when: string): string => (mark === '' ? l10n.t('scheduled {0}', when) : `${mark} ${when}`);
  const id: PlannedEventId = { id: event.id };
  const command = { title: l10n.t('Scheduled updates'), command: showPlannedCommand, arguments: [id] };
  return { target, long: text(momentText(at, reader)), short: text(shortMomentText(at, reader)), command };
}
