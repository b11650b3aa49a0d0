import type { Report, ReportedFinding } from '../report.ts';
import type { ScanResult } from '../scan/scan.ts';
import { filesIn, lookedOf, uncheckedIn } from './coverage.ts';
import { findingsOf, type PlainFinding, type SettingsFor } from './findings.ts';
import { privateDependenciesIn, syntaxProblemsIn } from './gaps.ts';
import { inventoryOf } from './inventory.ts';
import { relativePath } from './paths.ts';

/** Whether a finding counts, and is in a baseline. */
export type Standing = Pick<ReportedFinding, 'counts' | 'known'>;

interface Reporting {
  readonly settingsFor: SettingsFor;
  /** The paths are relative to it. */
  readonly directory: string;
  /** In ms since the epoch. */
  readonly now: number;
}

/** Builds the report of a scan. */
export function reportOf(
  { snapshots, unread, failures, old, leftOut = 0 }: ScanResult,
  { settingsFor, directory, now }: Reporting,
  standing: (finding: PlainFinding) => Standing = () => ({ counts: false, known: false }),
): Report {
  const files = filesIn(snapshots);
  const subjects = files.flat();
  const unclear = syntaxProblemsIn(snapshots, directory);
  return {
    manifests: files.length,
    dependencies: subjects.length,
    coverage: { ...lookedOf(subjects), old: old?.count ?? 0, unread: unread.length, unclear: unclear.length, leftOut },
    at: new Date(now).toISOString(),
    ...inventoryOf(snapshots, directory, now),
    findings: findingsOf(snapshots, settingsFor, directory).map((it) => ({ ...it, ...standing(it) })),
    failures,
    ...(old && { old: { count: old.count, since: new Date(old.since).toISOString() } }),
    withheld: privateDependenciesIn(subjects),
    unchecked: uncheckedIn(subjects),
    unclear,
    unread: unread.map((it) => relativePath(it, directory)),
  };
}
