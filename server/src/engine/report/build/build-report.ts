import type { Report, ReportedFinding } from '../report.ts';
import type { ScanResult } from '../scan/scan.ts';
import {
  advisoriesAsOf,
  countLookups,
  dependenciesByFile,
  privateDependenciesIn,
  reportCoverage,
  syntaxProblemsIn,
  uncheckedIn,
} from './coverage.ts';
import { type FindingWithoutStatus, findingsOf, type SettingsFor } from './findings.ts';
import { inventoryOf } from './inventory.ts';
import { relativePath } from './paths.ts';

/** Whether a finding counts for the exit code, and whether the baseline has it. */
export type FindingStatus = Pick<ReportedFinding, 'counts' | 'known'>;

interface Reporting {
  readonly settingsFor: SettingsFor;
  /** Paths in the report are relative to it. */
  readonly directory: string;
  /** In ms since the epoch. */
  readonly now: number;
}

/** Builds the report of a scan. */
export function buildReport(
  { snapshots, unread, failures, repositories, old, below, excluded = 0, excludedBy = [] }: ScanResult,
  { settingsFor, directory, now }: Reporting,
  statusOf: (finding: FindingWithoutStatus) => FindingStatus = () => ({ counts: false, known: false }),
): Report {
  const files = dependenciesByFile(snapshots);
  const dependencies = files.flat();
  const closed = unread.map((it) => relativePath(it, directory));
  const unclear = syntaxProblemsIn(snapshots, directory, settingsFor).filter((it) => !closed.includes(it.path));
  const asOf = advisoriesAsOf(dependencies);
  return {
    manifests: files.length,
    dependencies: dependencies.length,
    coverage: {
      ...countLookups(dependencies),
      old: old?.count ?? 0,
      unread: unread.length,
      unclear: unclear.length,
      leftOut: excluded,
      ...(below && { below: reportCoverage(below) }),
    },
    at: new Date(now).toISOString(),
    ...(asOf !== undefined && { advisoriesAsOf: new Date(asOf).toISOString() }),
    ...inventoryOf(snapshots, directory, now),
    findings: findingsOf(snapshots, settingsFor, directory).map((it) => ({ ...it, ...statusOf(it) })),
    failures,
    ...(repositories && { repositories }),
    ...(old && { old: { count: old.count, since: new Date(old.since).toISOString() } }),
    withheld: privateDependenciesIn(dependencies, directory),
    unchecked: uncheckedIn(snapshots, directory),
    unclear,
    unread: closed,
    ...(excludedBy.length > 0 && { excluded: excludedBy }),
  };
}
