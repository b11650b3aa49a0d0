import * as l10n from '@vscode/l10n';
import { dayOf } from '../../../engine/base/dates.ts';
import type { EvaluatedDependency } from '../../../engine/model/evaluated-dependency.ts';
import { worstChecks } from '../../../engine/model/signals/project.ts';
import { type Block, item, paragraph } from '../markup.ts';

/** `Scorecard 6.4 of 10 (2026-11-02) · 59,000 stars`: of the source project, while it is looked up. */
export function scoreLine({ sourceProject }: EvaluatedDependency): Block[] {
  if (sourceProject?.facts.state === 'failed') return [paragraph(l10n.t('Project: {0}', sourceProject.facts.reason))];
  if (sourceProject?.facts.state !== 'ready') return [];
  const { score, scoredAt, stars } = sourceProject.facts.value;
  const parts = [
    ...(score === undefined ? [] : [scoreText(score, scoredAt)]),
    ...(stars === undefined ? [] : [starsText(stars)]),
  ];
  return parts.length > 0 ? [paragraph(parts.join(' · '))] : [];
}

function scoreText(score: number, scoredAt: number | undefined): string {
  const shown = score.toFixed(1);
  return scoredAt === undefined
    ? l10n.t('Scorecard {0} of 10', shown)
    : l10n.t('Scorecard {0} of 10 ({1})', shown, dayOf(scoredAt));
}

function starsText(stars: number): string {
  if (stars === 1) return l10n.t('1 star');
  const locale = l10n.t({ message: 'en-US', comment: 'the locale that numbers are written for' });
  return l10n.t('{0} stars', new Intl.NumberFormat(locale).format(stars));
}

/** More checks explain a score, not a decision. */
const MAX_CHECKS = 5;

/** The checks that lower the score most: `Maintained 0: project is archived`. */
export function worstCheckLines({ sourceProject }: EvaluatedDependency): Block[] {
  if (sourceProject?.facts.state !== 'ready') return [];
  const worst = worstChecks(sourceProject.facts.value, MAX_CHECKS);
  if (worst.length === 0) return [];
  return [
    paragraph(l10n.t('Lowest checks of the Scorecard of {0}:', sourceProject.id)),
    ...worst.map((it) => item(it.reason === '' ? `${it.name} ${it.score}` : `${it.name} ${it.score}: ${it.reason}`)),
  ];
}
