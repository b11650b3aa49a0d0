import type { Snapshot } from '../engine/snapshot.ts';
import type { Subject } from '../model/subject.ts';
import type { Report, ReportedFinding } from '../report/report.ts';
import { findingsOf, type PlainFinding, type SettingsFor } from './findings.ts';
import { inventoryOf } from './inventory.ts';
import type { Surveyed } from './survey.ts';
import { unclearIn } from './unclear.ts';
import { relativePath } from './view.ts';
import { withheldIn } from './withheld.ts';

/** Whether a finding counts, and is in a baseline. */
export type Standing = Pick<ReportedFinding, 'counts' | 'known'>;

interface Reporting {
  readonly settingsFor: SettingsFor;
  /** The paths are relative to it. */
  readonly directory: string;
  /** In ms since the epoch. */
  readonly now: number;
}

/** What a survey came to. */
export function reportOf(
  { snapshots, unread, failures, old }: Surveyed,
  { settingsFor, directory, now }: Reporting,
  standing: (finding: PlainFinding) => Standing = () => ({ counts: false, known: false }),
): Report {
  const files = filesIn(snapshots);
  return {
    manifests: files.length,
    dependencies: files.flat().length,
    at: new Date(now).toISOString(),
    ...inventoryOf(snapshots, directory, now),
    findings: findingsOf(snapshots, settingsFor, directory).map((it) => ({ ...it, ...standing(it) })),
    failures,
    ...(old && { old: { count: old.count, since: new Date(old.since).toISOString() } }),
    withheld: withheldIn(files.flat()),
    unclear: unclearIn(snapshots, directory),
    unread: unread.map((it) => relativePath(it, directory)),
  };
}

/** What stands in each file, of which one that several manifests include counts once. */
function filesIn(snapshots: readonly Snapshot[]): readonly (readonly Subject[])[] {
  const files = new Map<string, readonly Subject[]>();
  for (const it of snapshots) for (const { uri, subjects } of [it, ...it.included]) files.set(uri, subjects);
  return [...files.values()];
}
