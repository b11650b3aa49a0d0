import * as l10n from '@vscode/l10n';
import type { AffectedBelow, Below } from '../../model/graph/below.ts';
import { pathText, releaseText } from '../below/texts.ts';
import { severityText } from './advisory.ts';
import type { Rule } from './rule.ts';

/** Packages listed below one message. The hover lists as many. */
const MAX_LISTED_PACKAGES = 10;

/** The dependency brings packages along, by its lockfile, that have known advisories. */
export const advisoryBelow: Rule = {
  code: 'advisory-below',
  find({ below, linked }) {
    if (below === undefined || below.affected.length === 0) return undefined;
    return {
      severity: 'information',
      message: affectedText(below),
      details: below.affected
        .slice(0, MAX_LISTED_PACKAGES)
        .map((it) => `${affectedPackageText(it)}: ${pathText(below, it, linked.dependency.name)}`),
    };
  },
};

/** `Brings 2 packages with known advisories, worst high 7.5.`; without the severity while it is requested */
function affectedText({ affected }: Below): string {
  const count = affected.length;
  const worst = affected[0]?.advisories[0];
  if (worst === undefined || worst.facts.state === 'pending') {
    return count === 1
      ? l10n.t('Brings 1 package with known advisories.')
      : l10n.t('Brings {0} packages with known advisories.', count);
  }
  return count === 1
    ? l10n.t('Brings 1 package with known advisories, worst {0}.', severityText(worst))
    : l10n.t('Brings {0} packages with known advisories, worst {1}.', count, severityText(worst));
}

/** `qs 6.11.0 high 7.5 GHSA-hrpp-h998-j3pp`, with the worst of its advisories */
export function affectedPackageText({ key, advisories }: AffectedBelow): string {
  const [worst] = advisories;
  return worst ? `${releaseText(key)} ${severityText(worst)} ${worst.id}` : releaseText(key);
}
