import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { Insights } from '../model/ports.ts';
import { fileUri } from '../model/uri.ts';
import type { Report } from '../report/report.ts';
import { findingsOf, sizeOf } from './findings.ts';
import { inventoryOf } from './inventory.ts';
import { createSurvey, type Surveyed, type SurveyedInsights, type Surveying } from './survey.ts';
import { findManifests } from './walk.ts';
import { withheldIn } from './withheld.ts';

/** The report of some folders, and where its paths begin. */
export interface FoldersReport {
  /** The address of a directory, with its last slash. */
  readonly base: string;
  readonly report: Report;
}

/** A workspace with more manifests is surveyed in part: each is held in memory until the report is there. */
const most = { manifests: 5000, source: 'some 100 kB of memory each, in the process that answers an editor' };

/** What was found in some folders. */
interface Found extends Surveyed {
  /** A path. */
  readonly base: string;
  /** Manifests that there was no room for. */
  readonly left: number;
}

/**
 * Surveys the manifests of an editor's folders, found as the terminal finds them. What the editor asks about its open
 * documents goes on undisturbed.
 * @param folders addresses of the disk
 * @param asker tells surveys apart that may be under way at the same time
 */
export async function findInFolders(folders: readonly string[], surveying: Surveying, asker: string): Promise<Found> {
  const paths = folders.flatMap(pathsOf);
  const base = baseOf(paths);
  const { files } = await findManifests(paths, base, { withRecords: false });
  const looked = files.slice(0, most.manifests);
  const { insights, release } = apart(surveying.insights, asker);
  try {
    const surveyed = await createSurvey({ ...surveying, insights }).look(looked.map(fileUri));
    return { ...surveyed, base, left: files.length - looked.length };
  } finally {
    release();
  }
}

/** @param folders addresses of the disk */
export async function reportFolders(folders: readonly string[], surveying: Surveying): Promise<FoldersReport> {
  const { snapshots, failures, base, left } = await findInFolders(folders, surveying, 'report');
  const now = surveying.clock.now();
  const tooMany = { reason: l10n.t('more than {0} manifests', most.manifests), count: left };
  return {
    base: `${fileUri(base)}/`.replace(/\/\/$/, '/'),
    report: {
      ...sizeOf(snapshots),
      at: new Date(now).toISOString(),
      ...inventoryOf(snapshots, base, now),
      findings: findingsOf(snapshots, surveying.settings, base).map((it) => ({ ...it, counts: false, known: false })),
      failures: left > 0 ? [...failures, tooMany] : failures,
      withheld: withheldIn(snapshots),
    },
  };
}

/** None for a folder of another machine, or one that no path can have. */
function pathsOf(folder: string): string[] {
  try {
    return [fileURLToPath(folder)];
  } catch {
    return [];
  }
}

/** The nearest directory that holds them all. */
function baseOf(paths: readonly string[]): string {
  const [first = sep, ...others] = paths.map((it) => it.replace(/(?<=.)[\\/]$/, ''));
  let base = first;
  while (!others.every((it) => it === base || it.startsWith(base.endsWith(sep) ? base : base + sep))) {
    if (base === dirname(base)) break;
    base = dirname(base);
  }
  return base;
}

/** The facts for an asker of its own: what it wants is not mixed with what an open document of that address wants. */
function apart(
  insights: SurveyedInsights,
  asker: string,
): { readonly insights: SurveyedInsights; readonly release: () => void } {
  const owners = new Set<string>();
  const named = (owner: string): string => `${asker} ${owner}`;
  const own: Pick<Insights, 'want' | 'release' | 'settled'> = {
    want(owner, wanted, background) {
      owners.add(owner);
      insights.want(named(owner), wanted, background);
    },
    release: (owner) => insights.release(named(owner)),
    settled: (owner, patience, signal) => insights.settled(named(owner), patience, signal),
  };
  return {
    insights: { ...insights, ...own },
    release: () => {
      for (const owner of owners) insights.release(named(owner));
    },
  };
}
