import * as l10n from '@vscode/l10n';
import type { CodeAction } from 'vscode-languageserver';
import { plannedTarget } from '../../connected/scheduling/planning.ts';
import { recommendedFix } from '../../engine/analysis/fixes.ts';
import { conditionText } from '../../engine/analysis/verdict-text.ts';
import { momentText } from '../../engine/base/moments.ts';
import { oneLine } from '../../engine/base/text.ts';
import {
  type EvaluatedDependency,
  type LinkedDependency,
  managedBy,
  placeOf,
} from '../../engine/model/evaluated-dependency.ts';
import {
  chooseVersionCommand,
  type PlannedEventId,
  placeIn,
  scheduleUpdateCommand,
  showPlannedCommand,
  type UpdateRequest,
} from './commands.ts';
import type { AnswerContext } from './feature.ts';
import { quickFix } from './offers.ts';

/** All versions, in a list of our extension. What has no text to change has no choice either. */
export function chooseAction(evaluated: EvaluatedDependency, { client }: AnswerContext): CodeAction[] {
  const { linked, resolution } = evaluated;
  const isListed = resolution.kind === 'version' || resolution.kind === 'no-match';
  const isOverridable = managedBy(linked) !== undefined && recommendedFix(evaluated)?.move.ok === true;
  if (!client.commandLinks || linked.isRecorded || !isListed || !(placeOf(linked) || isOverridable)) return [];
  const title = oneLine(l10n.t('Choose a version of {0}…', withCondition(linked)));
  const command = { title, command: chooseVersionCommand, arguments: [placeIn(evaluated)] };
  return [{ title, kind: quickFix, command }];
}

/** `Newtonsoft.Json (when '$(TargetFramework)' == 'net48')`: entries for several versions of a line tell them apart. */
function withCondition(linked: LinkedDependency): string {
  const condition = conditionText(linked);
  return condition === undefined ? linked.dependency.name : `${linked.dependency.name} (${condition})`;
}

/** Plans the update in the calendar, or moves or cancels the planned one: by commands of our extension. */
export function scheduleAction(evaluated: EvaluatedDependency, { plans, client }: AnswerContext): CodeAction[] {
  if (!plans || !client.commandLinks) return [];
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
