import * as l10n from '@vscode/l10n';
import { type FindingCode, findingCodes, type Severity, severities } from '../../engine/model/finding.ts';
import type { Project } from '../../engine/model/project.ts';
import { defaultUnrated, gravestOf, type Level, levels, type Rating } from '../../engine/model/severity-rating.ts';
import type { ReportedAdvisory } from '../../engine/report/report.ts';
import { type Terminal, UsageError } from '../command.ts';
import { notOneOf, withProposal } from '../options.ts';

/** The conditions that make a check fail. */
export interface FailOn {
  /** The threshold of each finding code. Findings with another code never count. */
  readonly findings: ReadonlyMap<FindingCode, Threshold>;
  /** New names without a known owner count, too, whatever the threshold of `not-found` is. */
  readonly newNames?: true;
  /** Whether gaps of a kind count; others have their default. */
  readonly gaps: ReadonlyMap<Gap, 'any' | 'off'>;
  /** The level that counts for advisories without a rating. */
  readonly unrated: Level;
}

/** What a person and a machine say about the conditions, as typed and already validated. */
export interface FailOnOptions {
  /** `--fail-on` */
  readonly failOn?: string;
  /** `--unrated` */
  readonly unrated?: Level;
  /** What the machine says: project files may only be stricter. */
  readonly unratedHere?: Level;
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
  | { readonly kind: 'rating'; readonly rating: Level }
  | { readonly kind: 'severity'; readonly severity: Severity };

export const defaultFailOn = 'advisory,no-match';

/** The machine's word about advisories without a rating. */
export const UNRATED_VARIABLE = 'PACKAGE_INSIGHTS_UNRATED';

export function readLevel(text: string, option: string): Level {
  const level = levels.find((it) => it === text);
  if (level) return level;
  throw notOneOf(text, levels, option);
}

/** The options of a check that decide what counts, with what the machine says. */
export function readFailOnOptions(
  given: { readonly 'fail-on': string | undefined; readonly unrated: Level | undefined },
  { environment }: Pick<Terminal, 'environment'>,
): FailOnOptions {
  const { 'fail-on': failOn, unrated } = given;
  const here = environment[UNRATED_VARIABLE] ?? '';
  return {
    ...(failOn !== undefined && { failOn }),
    ...(unrated !== undefined && { unrated }),
    ...(here !== '' && { unratedHere: readLevel(here, UNRATED_VARIABLE) }),
  };
}

/** Reads `advisory:high,deprecated,no-match,withheld:off`; `none` disables all. */
export function readFailOn(text: string): Omit<FailOn, 'unrated'> {
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
 * What counts by the arguments and by the project files of the checked manifests, which cannot remove anything: without
 * `--fail-on`, or if it names no findings, the default ones and those that they add; without `--unrated` the strictest
 * of them.
 * @param isChange whether the check compares with where a change began: what is new there is known
 */
export function failOnFor(
  { failOn: chosen, unrated, unratedHere }: FailOnOptions,
  projects: readonly (Project | undefined)[],
  isChange = false,
): FailOn {
  const said = projects.map((it) => it?.unratedCountsAs ?? unratedHere ?? defaultUnrated);
  const counting = { unrated: unrated ?? gravestOf([...said, unratedHere]) ?? defaultUnrated };
  const named = chosen === undefined ? undefined : readFailOn(chosen);
  if (named && (named.findings.size > 0 || chosen?.trim() === 'none')) return { ...named, ...counting };
  const added = projects.flatMap((it) => it?.failOn ?? []);
  const usual = readFailOn([...added, defaultFailOn].join(','));
  const gaps = new Map([...usual.gaps, ...(named?.gaps ?? [])]);
  return { ...usual, gaps, ...(isChange && { newNames: true }), ...counting };
}

function readThreshold(code: FindingCode, level: string | undefined): Threshold {
  if (level === undefined) return { kind: 'any' };
  const rating = levels.find((it) => it === level);
  if (rating !== undefined && code === 'advisory') return { kind: 'rating', rating };
  const severity = severities.find((it) => it === level);
  if (severity !== undefined) return { kind: 'severity', severity };
  const known = [...(code === 'advisory' ? levels : []), ...severities];
  throw new UsageError(
    withProposal(
      `--fail-on: ${l10n.t('“{0}” is not a level of {1}; use one of {2}', level, code, known.join(', '))}`,
      level,
      known,
    ),
  );
}

/** Whether a finding is at or above its threshold. Malware has none. */
export function isFailure(
  finding: {
    readonly code: FindingCode;
    readonly severity: Severity;
    readonly advisories: readonly ReportedAdvisory[];
    readonly isNewName?: true;
  },
  failOn: FailOn,
): boolean {
  // Only reports that nothing is to fail on leave malware out.
  if (finding.code === 'malicious') return failOn.findings.size > 0;
  if (finding.isNewName && failOn.newNames) return true;
  const threshold = failOn.findings.get(finding.code);
  switch (threshold?.kind) {
    case undefined:
      return false;
    case 'any':
      return true;
    case 'severity':
      return severities.indexOf(finding.severity) <= severities.indexOf(threshold.severity);
    case 'rating':
      return finding.advisories.some((it) => isAtLeast(it.rating, threshold.rating, failOn.unrated));
  }
}

function isAtLeast(rating: Rating, least: Level, unrated: Level): boolean {
  const level = rating === 'unrated' ? unrated : rating;
  return level === 'malicious' || levels.indexOf(level) <= levels.indexOf(least);
}
