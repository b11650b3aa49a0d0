import * as l10n from '@vscode/l10n';
import type { AffectedBelow, Below } from '../../model/graph/below.ts';
import { pathText, releaseText } from '../below/texts.ts';
import { isCountKnown, severityText } from './advisory.ts';
import type { Rule } from './rule.ts';

/** Packages listed below one message. The hover lists as many. */
const MAX_LISTED_PACKAGES = 10;

/** The dependency brings packages along, by its lockfile, that have known advisories. */
export const advisoryBelow: Rule = {
  code: 'advisory-below',
  find({ below, linked }) {
    if (below === undefined || below.affected.length === 0) return undefined;
    const listed = below.affected.slice(0, MAX_LISTED_PACKAGES);
    const paths = below.pathsTo(listed).map((it) => pathText(below.graph, it, linked.dependency.name));
    return {
      severity: 'information',
      message: affectedText(below),
      details: listed.map((it, at) => `${affectedPackageText(it)}: ${paths[at]}`),
    };
  },
};

/**
 * `Brings qs 6.11.0 with known advisories, worst high 7.5.`, of several their number and the worst; without the severity
 * while it is requested
 */
function affectedText({ affected }: Below): string {
  const [first, ...others] = affected;
  if (first === undefined) return '';
  const count = 1 + others.length;
  const release = releaseText(first.key);
  const [worst] = first.advisories;
  if (worst === undefined || !affected.every((it) => isCountKnown(it.advisories))) {
    return count === 1
      ? l10n.t('Brings {0} with known vulnerabilities.', release)
      : l10n.t('Brings {0} packages with known vulnerabilities.', count);
  }
  return count === 1
    ? l10n.t('Brings {0} with known vulnerabilities, worst {1}.', release, severityText(worst))
    : l10n.t('Brings {0} packages with known vulnerabilities, worst {1} in {2}.', count, severityText(worst), release);
}

/** `qs 6.11.0 high 7.5 GHSA-hrpp-h998-j3pp`, with the worst of its advisories */
function affectedPackageText({ key, advisories }: AffectedBelow): string {
  const [worst] = advisories;
  if (worst === undefined) return releaseText(key);
  return [releaseText(key), ...(isCountKnown(advisories) ? [severityText(worst)] : []), worst.id].join(' ');
}
