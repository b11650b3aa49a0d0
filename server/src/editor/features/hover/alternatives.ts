import * as l10n from '@vscode/l10n';
import { verdictOf } from '../../../engine/analysis/verdict.ts';
import { conditionText, otherwiseText } from '../../../engine/analysis/verdict-text.ts';
import { type EvaluatedDependency, factsOf } from '../../../engine/model/evaluated-dependency.ts';
import { ratingText } from '../../../engine/model/severity-rating.ts';
import { type Block, type Inline, item, type Markup, phrase } from '../markup.ts';

/** Of the versions of one dependency, before the rest is counted. */
const MAX_LISTED = 8;

/**
 * The versions that a dependency has under different conditions, worst first; empty if it has one.
 *
 *     - 12.0.1 when '$(TargetFramework)' == 'net48': high, 1 known advisory
 *     - 13.0.3 otherwise
 */
export function describeAlternatives(all: readonly EvaluatedDependency[]): Markup {
  if (all.length < 2) return [];
  const left = all.length - MAX_LISTED;
  return [
    ...all.slice(0, MAX_LISTED).map(describeAlternative),
    ...(left > 0 ? [item(l10n.t('and {0} more', left))] : []),
  ];
}

function describeAlternative(evaluated: EvaluatedDependency): Block {
  const { linked, resolution } = evaluated;
  const { requirement } = linked;
  const written = requirement.kind === 'text' ? requirement.text : '';
  const version: Inline =
    resolution.kind === 'version' ? { strong: resolution.version } : written === '' ? '…' : { code: written };
  const notes = notesOf(evaluated).join(', ');
  const { condition = '' } = linked.dependency;
  const text = conditionText(linked);
  const when = text === otherwiseText() ? [text] : phrase(l10n.t('when {0}'), { code: condition });
  return item(version, ' ', ...when, notes === '' ? '' : `: ${notes}`);
}

/** What is known of one version, in short: `high`, `2 known advisories`, `deprecated` */
export function notesOf(evaluated: EvaluatedDependency): string[] {
  const { advisories, isDeprecated, worst } = verdictOf(evaluated);
  const { length } = advisories;
  return [
    ...(evaluated.linked.of && worst && worst.rating !== 'unrated' ? [ratingText(worst.rating)] : []),
    ...(length > 0
      ? [length === 1 ? l10n.t('1 known vulnerability') : l10n.t('{0} known vulnerabilities', length)]
      : []),
    ...(isDeprecated ? [l10n.t('deprecated')] : []),
    ...(factsOf(evaluated) === undefined ? [l10n.t('not checked')] : []),
  ];
}
