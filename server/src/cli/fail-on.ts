import * as l10n from '@vscode/l10n';
import { type FindingCode, findingCodes, type Severity, severities } from '../model/finding.ts';
import { type Rating, ratings } from '../model/rating.ts';
import type { ReportedAdvisory } from '../report/report.ts';
import { UsageError } from './command.ts';

/** From which findings on a check is not clean. A code that is missing never matters. */
export type FailOn = ReadonlyMap<FindingCode, Threshold>;

/** The least that matters: a rating of CVSS for advisories, a severity for all, or anything at all. */
export type Threshold =
  | { readonly kind: 'any' }
  | { readonly kind: 'rating'; readonly rating: Rating }
  | { readonly kind: 'severity'; readonly severity: Severity };

export const usualFailOn = 'advisory,no-match';

/** Worst first. Nobody rated an advisory without a score, so it counts as one in the middle. */
const ratingOrder: readonly Rating[] = ratings.map((it) => it.name);
const unratedAs: Rating = 'medium';

/** Reads `advisory:high,deprecated,no-match`; `none` for nothing at all. */
export function readFailOn(text: string): FailOn {
  const thresholds = new Map<FindingCode, Threshold>();
  if (text.trim() === 'none') return thresholds;
  for (const part of text.split(',')) {
    const [name = '', level, ...rest] = part.trim().split(':');
    const code = findingCodes.find((it) => it === name);
    if (code === undefined || rest.length > 0) {
      throw new UsageError(
        `--fail-on: ${l10n.t('“{0}” is none of {1}, or none', part.trim(), findingCodes.join(', '))}`,
      );
    }
    thresholds.set(code, readThreshold(code, level));
  }
  return thresholds;
}

/**
 * The usual findings, and what project files add to them: they cannot make anything pass.
 * @param added of the form that the schema of project files allows
 */
export function failOnWith(added: readonly string[]): FailOn {
  return readFailOn([...added, usualFailOn].join(','));
}

function readThreshold(code: FindingCode, level: string | undefined): Threshold {
  if (level === undefined) return { kind: 'any' };
  const rating = ratingOrder.find((it) => it === level);
  if (rating !== undefined && code === 'advisory') return { kind: 'rating', rating };
  const severity = severities.find((it) => it === level);
  if (severity !== undefined) return { kind: 'severity', severity };
  const levels = [...(code === 'advisory' ? ratingOrder : []), ...severities];
  throw new UsageError(
    `--fail-on: ${l10n.t('“{0}” is no level of {1}; there are {2}', level, code, levels.join(', '))}`,
  );
}

/** Whether a finding is at or above its threshold. */
export function isFailure(
  finding: {
    readonly code: FindingCode;
    readonly severity: Severity;
    readonly advisories: readonly ReportedAdvisory[];
  },
  failOn: FailOn,
): boolean {
  const threshold = failOn.get(finding.code);
  switch (threshold?.kind) {
    case undefined:
      return false;
    case 'any':
      return true;
    case 'severity':
      return severities.indexOf(finding.severity) <= severities.indexOf(threshold.severity);
    case 'rating':
      return finding.advisories.some((it) => rank(it.rating) <= rank(threshold.rating));
  }
}

function rank(rating: Rating): number {
  return ratingOrder.indexOf(rating === 'unrated' ? unratedAs : rating);
}
