import * as l10n from '@vscode/l10n';
import type { CodeAction } from 'vscode-languageserver';
import { recommendedFix } from '../../engine/analysis/fixes.ts';
import { conditionText } from '../../engine/analysis/verdict-text.ts';
import { oneLine } from '../../engine/base/text.ts';
import {
  type EvaluatedDependency,
  type LinkedDependency,
  managedBy,
  placeOf,
} from '../../engine/model/evaluated-dependency.ts';
import { chooseVersionCommand, placeIn } from './commands.ts';
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
export function withCondition(linked: LinkedDependency): string {
  const condition = conditionText(linked);
  return condition === undefined ? linked.dependency.name : `${linked.dependency.name} (${condition})`;
}
