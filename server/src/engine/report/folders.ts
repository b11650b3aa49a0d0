import * as l10n from '@vscode/l10n';
import type { Snapshot } from '../analysis/snapshot.ts';
import type { Insights } from '../model/ports.ts';
import { buildReport } from './build/build-report.ts';
import type { SettingsFor } from './build/findings.ts';
import type { Report } from './report.ts';
import { type FolderManifests, MAX_MANIFESTS } from './scan/folder-manifests.ts';
import { createScanner, type ScanContext, type ScanInsights, type ScanResult } from './scan/scan.ts';

/** The report of some folders, and the base of its paths. */
export interface FoldersReport {
  /** URI of a directory, with its trailing slash. */
  readonly base: string;
  readonly report: Report;
}

/** One batch of a scan. A file that turns out not to be a manifest has no snapshot. */
export interface ScanBatch {
  readonly manifests: readonly string[];
  readonly snapshots: readonly Snapshot[];
}

/** Manifests in the first batch, which is small so that findings appear soon. Each batch doubles, up to the maximum. */
const FIRST_BATCH_SIZE = 20;
const MAX_BATCH_SIZE = 160;

/**
 * Scans manifests batch by batch. Yields each batch once its facts are settled, first with cached answers, then again
 * if some of them were stale. Requests for open documents are not affected.
 */
export async function* scanInBatches(manifests: readonly string[], context: ScanContext): AsyncGenerator<ScanBatch> {
  const { clock, signal, patience } = context;
  const deadline = clock.now() + patience;
  const { insights, release } = apart(context.insights, 'in turn');
  const left = (): number => Math.max(0, deadline - clock.now());
  const old: (readonly string[])[] = [];
  let size = FIRST_BATCH_SIZE;
  try {
    for (
      let from = 0;
      from < manifests.length && !signal.aborted;
      from += size, size = Math.min(MAX_BATCH_SIZE, 2 * size)
    ) {
      const batch = manifests.slice(from, from + size);
      const scanner = createScanner({ ...context, insights, patience: left(), acceptsStale: true });
      const scanned = await scanner.scan(batch);
      if (scanned.old) old.push(batch);
      yield { manifests: batch, snapshots: scanned.snapshots };
      // Releasing thousands of requests at the end would block as long as ten keystrokes.
      release();
    }
    for (const batch of context.settings.offline ? [] : old) {
      if (signal.aborted) return;
      const { snapshots } = await createScanner({ ...context, insights, patience: left() }).scan(batch);
      yield { manifests: batch, snapshots };
      release();
    }
  } finally {
    release();
  }
}

/** Scans the manifests of an editor's folders in one pass, beside its open documents. */
export async function reportFolders(
  found: FolderManifests,
  context: ScanContext,
  settingsFor: SettingsFor,
): Promise<FoldersReport> {
  const { base, manifests, left, closed, aside, hidden, excludedBy } = found;
  const scanned = await scanBeside(manifests, context, aside, hidden);
  const excluded = found.excluded - (scanned.taken ?? 0);
  const tooMany = { reason: l10n.t('more than {0} manifests', MAX_MANIFESTS), count: left };
  const failures = left > 0 ? [...scanned.failures, tooMany] : scanned.failures;
  return {
    base,
    report: buildReport(
      { ...scanned, failures, unread: [...scanned.unread, ...closed], excluded, excludedBy },
      { settingsFor, directory: base, now: context.clock.now() },
    ),
  };
}

/** Scans manifests in one pass, beside the open documents of an editor. */
export function scanBeside(
  manifests: readonly string[],
  context: ScanContext,
  aside: readonly string[] = [],
  hidden: readonly string[] = [],
): Promise<ScanResult> {
  const { insights, release } = apart(context.insights, 'report');
  return createScanner({ ...context, insights })
    .scan(manifests, aside, hidden)
    .finally(release);
}

/**
 * The facts with owners of their own, so that requests of a scan replace neither those of an open document with the same
 * URI nor those of a scan at the same time.
 * @param asker a name that no scan at the same time has
 */
export function apart(
  insights: ScanInsights,
  asker: string,
): { readonly insights: ScanInsights; readonly release: () => void } {
  const owners = new Set<string>();
  const named = (owner: string): string => `${asker} ${owner}`;
  const own: Pick<Insights, 'request' | 'release' | 'whenSettled'> = {
    request(owner, wanted, background) {
      owners.add(owner);
      insights.request(named(owner), wanted, background);
    },
    release: (owner) => insights.release(named(owner)),
    whenSettled: (owner, patience, signal) => insights.whenSettled(named(owner), patience, signal),
  };
  return {
    insights: { ...insights, ...own },
    release: () => {
      for (const owner of owners) insights.release(named(owner));
      owners.clear();
    },
  };
}
