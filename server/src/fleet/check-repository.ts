import { stat } from 'node:fs/promises';
import type { Snapshot } from '../engine/analysis/snapshot.ts';
import { fileUri } from '../engine/base/uri.ts';
import type { Clock, Files } from '../engine/model/ports.ts';
import type { Settings } from '../engine/model/settings.ts';
import type { Level } from '../engine/model/severity-rating.ts';
import { buildReport, type FindingStatus } from '../engine/report/build/build-report.ts';
import type { FindingWithoutStatus } from '../engine/report/build/findings.ts';
import { apart } from '../engine/report/folders.ts';
import { coverageText, failureReasonText, isComplete, reasonsText } from '../engine/report/formats/texts.ts';
import type { Failure, Report } from '../engine/report/report.ts';
import { findManifests } from '../engine/report/scan/find-manifests.ts';
import { createScanner, type ScanInsights } from '../engine/report/scan/scan.ts';
import { type Checkout, type CheckoutResult, checkoutLimits } from './checkout/checkout.ts';
import { readOwners } from './owners.ts';
import type { Repository, RepositorySource } from './repository.ts';
import type { RepositoryResult } from './results/result.ts';
import { findingsIn, lockedIn, usesIn } from './results/rows.ts';

/** What a check of a repository needs. One of it serves all repositories of a process, so that they share facts. */
export interface CheckParts {
  readonly insights: ScanInsights;
  readonly settings: Settings;
  readonly clock: Clock;
  /** The files below some folders, which are URIs; without credentials. */
  readonly disk: (roots: readonly string[]) => Files;
  readonly open: (source: RepositorySource, signal: AbortSignal) => Promise<CheckoutResult>;
  readonly rate: RateReport;
  /** How long to wait for the service for one repository, in ms. */
  readonly patience: number;
}

/** Which findings count, and the exit code of a check, as `check` has them. */
export interface RateReport {
  status(options: RunOptions, snapshots: readonly Snapshot[]): (finding: FindingWithoutStatus) => FindingStatus;
  /** Adds repositories that were not requested although findings about them would count. */
  complete(options: RunOptions, snapshots: readonly Snapshot[], report: Report): Report;
  code(options: RunOptions, snapshots: readonly Snapshot[], report: Report): 0 | 1 | 2;
}

/** The options of a run. They are the same for all of its repositories and on all machines. */
export interface RunOptions {
  /** Absent for the default findings. */
  readonly failOn?: string;
  /** The level at which advisories without a rating count: as chosen, and as the machine says that began the run. */
  readonly unrated?: Level;
  readonly unratedHere?: Level;
  readonly allowPrivate: boolean;
  /** Whether the ways out of affected packages below dependencies are searched. */
  readonly ways: boolean;
}

/** `retry`: another try may succeed; the result counts if there is none. */
export type CheckOutcome =
  | { readonly kind: 'done' | 'retry'; readonly result: RepositoryResult }
  | { readonly kind: 'interrupted' };

/** A repository with more is checked in part. Each manifest takes about 100 kB of memory until the check is complete. */
const MAX_MANIFESTS = 5000;
/** In bytes, of all manifests of a repository: their texts are in memory at the same time. */
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

/** Checks one repository. Nothing of it is run, and it is not trusted. Never rejects for what is in the repository. */
export async function checkRepository(
  repository: Repository,
  options: RunOptions,
  parts: CheckParts,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  const started = parts.clock.now();
  const took = (): number => Math.max(0, parts.clock.now() - started);
  const opened = await parts.open(repository.source, signal);
  if (signal.aborted) {
    if (opened.kind === 'checkout') await opened.checkout.close();
    return { kind: 'interrupted' };
  }
  if (opened.kind === 'refused') {
    const { reason, isTransient } = opened;
    const nothing = { code: 2 as const, uses: [], findings: [], ms: took() };
    return { kind: isTransient ? 'retry' : 'done', result: { state: 'failed', reasons: [reason], ...nothing } };
  }
  const { checkout } = opened;
  try {
    const checked = await checkFiles(repository, checkout, options, parts, signal);
    if (signal.aborted) return { kind: 'interrupted' };
    const { revision } = checkout;
    const isRetried = checked.result.report !== undefined && checked.result.report.failures.length > checked.kept;
    return {
      kind: isRetried && !parts.settings.offline ? 'retry' : 'done',
      result: { ...checked.result, ms: took(), ...(revision !== undefined && { revision }) },
    };
  } finally {
    await checkout.close();
  }
}

/** @returns `kept`: how many failures another try would have, too */
async function checkFiles(
  { name }: Repository,
  { directory, left, bringing }: Checkout,
  options: RunOptions,
  parts: CheckParts,
  signal: AbortSignal,
): Promise<{ readonly result: Omit<RepositoryResult, 'ms'>; readonly kept: number }> {
  const { settings, clock, patience, rate } = parts;
  // In a repository that the person does not trust, no project file hides a manifest.
  const exclude = { patterns: [], isTrusted: false };
  const found = await findManifests(['.'], directory, { withRecords: false, exclude });
  const chosen = await withinLimits(found.files);
  const disk = parts.disk([`${fileUri(directory)}/`]);
  const files = bringing?.(disk) ?? disk;
  const { insights, release } = apart(parts.insights, `fleet ${name} in ${directory}`);
  const scanner = createScanner({
    files,
    insights,
    settings: { ...settings, privateRegistries: 'off' },
    clock,
    isTrusted: false,
    patience,
    ...(options.ways && { searchesWays: true }),
    signal,
    progress: () => {},
  });
  try {
    const scanned = await scanner.scan(chosen.files.map(fileUri), found.aside.map(fileUri), found.hidden.map(fileUri));
    const { snapshots } = scanned;
    const locked = lockedIn(snapshots, directory);
    const beyond = [...left, ...chosen.left, ...locked.left];
    const built = buildReport(
      {
        ...scanned,
        failures: [...scanned.failures, ...beyond],
        unread: [...scanned.unread, ...found.closed.map(fileUri)],
        excluded: found.excluded - (scanned.taken ?? 0),
      },
      { settingsFor: () => settings, directory, now: clock.now() },
      rate.status(options, snapshots),
    );
    const report = rate.complete(options, snapshots, built);
    const owners = await readOwners(files, `${fileUri(directory)}/`);
    const code = rate.code(options, snapshots, report);
    const reasons = notChecked(report, beyond);
    return {
      kept: beyond.length,
      result: {
        state: reasons.length > 0 ? 'incomplete' : 'checked',
        reasons,
        code,
        uses: usesIn(report, locked.all, owners),
        findings: findingsIn(report, owners),
        report,
      },
    };
  } finally {
    release();
  }
}

/**
 * Why not all of it is checked; empty for a complete check. Unknown packages leave a check complete, as in `check`.
 * @param beyond the failures that are limits, not lookups
 */
function notChecked(report: Report, beyond: readonly Failure[]): readonly string[] {
  if (isComplete(report)) return [];
  const lookups = report.failures.filter((it) => !beyond.includes(it));
  const coverage = coverageText({ ...report, failures: lookups });
  const said = [coverage, reasonsText(report), ...lookups.map(failureReasonText)].filter((it) => it !== undefined);
  return [...said, ...beyond.map(({ reason, count }) => `${reason}: ${count}`)];
}

async function withinLimits(
  files: readonly string[],
): Promise<{ readonly files: readonly string[]; readonly left: readonly Failure[] }> {
  const within: string[] = [];
  let bytes = 0;
  let tooMuch = 0;
  for (const it of files.slice(0, MAX_MANIFESTS)) {
    const size = (await stat(it).catch(() => undefined))?.size ?? 0;
    // A larger one is not read, and counts as unreadable.
    if (size <= checkoutLimits.fileBytes) bytes += size;
    if (bytes > MAX_MANIFEST_BYTES) tooMuch++;
    else within.push(it);
  }
  const tooMany = files.length - Math.min(files.length, MAX_MANIFESTS);
  return {
    files: within,
    left: [
      { reason: `more than ${MAX_MANIFESTS} manifests`, count: tooMany },
      { reason: `more than ${MAX_MANIFEST_BYTES / 1024 / 1024} MiB of manifests`, count: tooMuch },
    ].filter((it) => it.count > 0),
  };
}
