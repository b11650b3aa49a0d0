import * as l10n from '@vscode/l10n';
import { bySeverity, isCountKnown } from '../../../analysis/rules/advisory.ts';
import type { Advisory, EvaluatedDependency } from '../../../model/evaluated-dependency.ts';
import { advisoryLink } from '../../../model/links.ts';
import { ratingOf, ratingText } from '../../../model/severity-rating.ts';
import { type Block, type Inline, item, paragraph, phrase } from '../markup.ts';

/** Some versions have hundreds of advisories: the worst come first. */
const MAX_ADVISORIES = 10;

/** The flaws of a version, the worst first. */
export function advisories(evaluated: Pick<EvaluatedDependency, 'advisories'>): Block[] {
  if (evaluated.advisories.length === 0) return [];
  const more = evaluated.advisories.length - MAX_ADVISORIES;
  return [
    paragraph(
      ...phrase(l10n.t('{0} of this version itself (without its dependencies):'), {
        strong: countOf(evaluated.advisories),
      }),
    ),
    ...bySeverity(evaluated.advisories).slice(0, MAX_ADVISORIES).map(advisory),
    ...(more > 0 ? [item(l10n.t('and {0} more', more))] : []),
  ];
}

function countOf(all: readonly Advisory[]): string {
  if (!isCountKnown(all)) return l10n.t('Known advisories');
  return all.length === 1 ? l10n.t('1 known advisory') : l10n.t('{0} known advisories', all.length);
}

function advisory({ id, aliases, facts }: Advisory): Block {
  if (facts.state !== 'ready') return item(linkTo(id, undefined));
  const { title, url, score } = facts.value;
  const parts: Inline[] = [linkTo(id, url)];
  const word = ratingText(ratingOf(score));
  parts.push(score === undefined ? ` ${word}` : ` ${word} ${score.toFixed(1)}`);
  if (title) parts.push(`: ${title}`);
  if (aliases.length > 0) parts.push(` (${l10n.t('also {0}', aliases.join(', '))})`);
  return item(...parts);
}

function linkTo(id: string, address: string | undefined): Inline {
  const { text, url } = advisoryLink(id, address);
  return { link: text, url };
}
