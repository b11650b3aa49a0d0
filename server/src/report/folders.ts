import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { Snapshot } from '../analysis/snapshot.ts';
import { fileUri } from '../base/uri.ts';
import type { Insights } from '../model/ports.ts';
import { buildReport } from './build/build-report.ts';
import type { SettingsFor } from './build/findings.ts';
import type { ExcludedManifests, Report } from './report.ts';
import { findManifests } from './scan/find-manifests.ts';
import { createScanner, type ScanContext, type ScanInsights, type ScanResult } from './scan/scan.ts';

/** The report of some folders, and the base of its paths. */
export interface FoldersReport {
  /** URI of a directory, with its trailing slash. */
  readonly base: string;
  readonly report: Report;
}

/** A larger workspace is scanned in part. Each manifest takes about 100 kB of memory until the report is complete. */
const MAX_MANIFESTS = 5000;

/** The manifests of some folders, found by the same search as in the terminal. */
export interface FolderManifests {
  /** Path of the nearest common directory. */
  readonly base: string;
  /** URIs, folder by folder. */
  readonly manifests: readonly string[];
  /** Number of further manifests beyond the limit. */
  readonly left: number;
  /** Absolute paths of manifests that cannot be read. */
  readonly closed: readonly string[];
  /** Number of manifests that were excluded on purpose. */
  readonly excluded: number;
  /** The manifests that project files exclude. */
  readonly excludedBy: readonly ExcludedManifests[];
}

/**
 * @param folders addresses of the disk
 * @param isTrusted whether project files may exclude manifests
 */
export async function findManifestsInFolders(folders: readonly string[], isTrusted: boolean): Promise<FolderManifests> {
  const paths = folders.flatMap(pathsOf);
  const base = baseOf(paths);
  const exclude = { patterns: [], isTrusted };
  const { files, closed, excluded, excludedBy } = await findManifests(paths, base, { withRecords: false, exclude });
  const looked = files.slice(0, MAX_MANIFESTS);
  return { base, manifests: looked.map(fileUri), left: files.length - looked.length, closed, excluded, excludedBy };
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

/**
 * Scans the manifests of an editor's folders in one pass, beside its open documents.
 * @param folders addresses of the disk
 */
export async function reportFolders(
  folders: readonly string[],
  context: ScanContext,
  settingsFor: SettingsFor,
): Promise<FoldersReport> {
  const found = await findManifestsInFolders(folders, context.isTrusted ?? true);
  const { base, manifests, left, closed, excluded, excludedBy } = found;
  const scanned = await scanBeside(manifests, context);
  const tooMany = { reason: l10n.t('more than {0} manifests', MAX_MANIFESTS), count: left };
  const failures = left > 0 ? [...scanned.failures, tooMany] : scanned.failures;
  return {
    base: `${fileUri(base)}/`.replace(/\/\/$/, '/'),
    report: buildReport(
      { ...scanned, failures, unread: [...scanned.unread, ...closed.map(fileUri)], excluded, excludedBy },
      { settingsFor, directory: base, now: context.clock.now() },
    ),
  };
}

/** Scans manifests in one pass, beside the open documents of an editor. */
export function scanBeside(manifests: readonly string[], context: ScanContext): Promise<ScanResult> {
  const { insights, release } = apart(context.insights, 'report');
  return createScanner({ ...context, insights })
    .scan(manifests)
    .finally(release);
}

/** Empty for a folder on another machine, or with an invalid path. */
function pathsOf(folder: string): string[] {
  try {
    return [fileURLToPath(folder)];
  } catch {
    return [];
  }
}

/** The nearest common directory. */
function baseOf(paths: readonly string[]): string {
  const [first = sep, ...others] = paths.map((it) => it.replace(/(?<=.)[\\/]$/, ''));
  let base = first;
  while (!others.every((it) => it === base || it.startsWith(base.endsWith(sep) ? base : base + sep))) {
    if (base === dirname(base)) break;
    base = dirname(base);
  }
  return base;
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
