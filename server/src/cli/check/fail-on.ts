import * as l10n from '@vscode/l10n';
import { type FindingCode, findingCodes, type Severity, severities } from '../../model/finding.ts';
import { type Rating, ratings } from '../../model/severity-rating.ts';
import type { ReportedAdvisory } from '../../report/report.ts';
import { UsageError } from '../command.ts';
import { withProposal } from '../options.ts';

/** The conditions that make a check fail. */
export interface FailOn {
  /** The threshold of each finding code. Findings with another code never count. */
  readonly findings: ReadonlyMap<FindingCode, Threshold>;
  /** Whether gaps of a kind count; others have their default. */
  readonly gaps: ReadonlyMap<Gap, 'any' | 'off'>;
}

/**
 * A kind of unchecked dependencies: withheld for privacy, in manifests that are unreadable or have syntax errors, or
 * without a known version.
 */
export type Gap = (typeof gaps)[number];

export const gaps = ['withheld', 'unread', 'unclear', 'unchecked'] as const;

/** The lowest level that counts: a CVSS rating for advisories, a severity for all, or any. */
export type Threshold =
  | { readonly kind: 'any' }
  | { readonly kind: 'rating'; readonly rating: Rating }
  | { readonly kind: 'severity'; readonly severity: Severity };

export const defaultFailOn = 'advisory,no-match';

/** Worst first. An advisory without a score counts as medium. */
const ratingOrder: readonly Rating[] = ratings.map((it) => it.name);
const unratedAs: Rating = 'medium';

/** Reads `advisory:high,deprecated,no-match,withheld:off`; `none` disables all. */
export function readFailOn(text: string): FailOn {
  const thresholds = new Map<FindingCode, Threshold>();
  if (text.trim() === 'none') return { findings: thresholds, gaps: new Map(gaps.map((it) => [it, 'off'])) };
  const named = new Map<Gap, 'any' | 'off'>();
  for (const part of text.split(',')) {
    const [name = '', level, ...rest] = part.trim().split(':');
    const gap = rest.length > 0 ? undefined : gaps.find((it) => it === name);
    if (gap !== undefined) {
      if (level !== undefined && level !== 'off')
        throw new UsageError(`--fail-on: ${l10n.t('“{0}” is not a level of {1}; use one of {2}', level, gap, 'off')}`);
      named.set(gap, level ?? 'any');
      continue;
    }
    const code = findingCodes.find((it) => it === name);
    if (code === undefined || rest.length > 0) {
      throw new UsageError(
        withProposal(
          `--fail-on: ${l10n.t('“{0}” is not one of {1}, none', part.trim(), [...findingCodes, ...gaps].join(', '))}`,
          name,
          [...findingCodes, ...gaps],
        ),
      );
    }
    thresholds.set(code, readThreshold(code, level));
  }
  return { findings: thresholds, gaps: named };
}

/**
 * The `--fail-on` argument. If it names no findings, the default ones count, with those that project files add. Project
 * files cannot remove any.
 * @param added of the form that the schema of project files allows
 */
export function withDefaultFailOn(chosen: string | undefined, added: readonly string[]): FailOn {
  const named = chosen === undefined ? undefined : readFailOn(chosen);
  if (named && (named.findings.size > 0 || chosen?.trim() === 'none')) return named;
  const usual = readFailOn([...added, defaultFailOn].join(','));
  return { ...usual, gaps: new Map([...usual.gaps, ...(named?.gaps ?? [])]) };
}

function readThreshold(code: FindingCode, level: string | undefined): Threshold {
  if (level === undefined) return { kind: 'any' };
  const rating = ratingOrder.find((it) => it === level);
  if (rating !== undefined && code === 'advisory') return { kind: 'rating', rating };
  const severity = severities.find((it) => it === level);
  if (severity !== undefined) return { kind: 'severity', severity };
  const levels = [...(code === 'advisory' ? ratingOrder : []), ...severities];
  throw new UsageError(
    withProposal(
      `--fail-on: ${l10n.t('“{0}” is not a level of {1}; use one of {2}', level, code, levels.join(', '))}`,
      level,
      levels,
    ),
  );
}

/** Whether a finding is at or above its threshold. Malware has none. */
export function isFailure(
  finding: {
    readonly code: FindingCode;
    readonly severity: Severity;
    readonly advisories: readonly ReportedAdvisory[];
  },
  failOn: FailOn,
): boolean {
  // Only reports that nothing is to fail on leave malware out.
  if (finding.code === 'malicious') return failOn.findings.size > 0;
  const threshold = failOn.findings.get(finding.code);
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
