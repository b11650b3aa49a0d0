import type { Coverage, Report } from '../../engine/report/report.ts';
import type { RunOptions } from '../check-repository.ts';
import type { BadLine, Repository } from '../repository.ts';
import type { FleetFinding, RepositoryResult, RepositoryState, Use } from './result.ts';

/** One check of a fleet. */
export interface Run {
  /** Sorts by time: `20260101T120000Z-4f2a9c`. */
  readonly id: string;
  /** `2026-01-01T12:00:00.000Z` */
  readonly at: string;
  readonly options: RunOptions;
  readonly bad: readonly BadLine[];
  readonly repositories: number;
}

/** How far a repository of a run is. */
export interface RepositoryRow {
  readonly name: string;
  /** `pending`: without a result. */
  readonly state: RepositoryState | 'pending';
  readonly reasons: readonly string[];
  readonly code: 0 | 1 | 2;
  readonly revision?: string;
  readonly ms: number;
  readonly manifests: number;
  /** Absent where nothing was read. */
  readonly coverage?: Coverage;
}

export type UseRow = Use & { readonly repository: string };
export type FindingRow = FleetFinding & { readonly repository: string };

/** Which rows are read. Absent parts do not restrict. */
export interface RowFilter {
  readonly system?: string;
  /** Canonical. */
  readonly name?: string;
  /** The identifier of an advisory, or an alias. */
  readonly advisory?: string;
  readonly repository?: string;
}

/**
 * The results of a fleet, in a file or a database that several processes use. Each repository has at most one result in
 * each run, however often it is written. Methods reject with errors of the database.
 */
export interface Results {
  create(run: Omit<Run, 'repositories'>, repositories: readonly Repository[]): Promise<void>;
  /** The newest first. */
  runs(): Promise<readonly Run[]>;
  run(id: string): Promise<Run | undefined>;
  /** The repositories of a run without a result, in the order of the list. */
  pending(run: string): Promise<readonly Repository[]>;
  /** How many repositories of a run have a result. */
  done(run: string): Promise<number>;
  /** A repository of a run; undefined where there is none, or where it has a result. */
  open(run: string, name: string): Promise<Repository | undefined>;
  /**
   * Notes that a check begins.
   * @returns how many earlier checks began and neither ended nor gave up: their workers were killed
   */
  begin(run: string, name: string): Promise<number>;
  /** Notes that a check was given up in an orderly way. */
  giveUp(run: string, name: string): Promise<void>;
  /** Replaces the result. */
  put(run: string, name: string, result: RepositoryResult): Promise<void>;
  /** In the order of the list. */
  repositories(run: string): Promise<readonly RepositoryRow[]>;
  uses(run: string, filter: RowFilter): Promise<readonly UseRow[]>;
  findings(run: string, filter: RowFilter): Promise<readonly FindingRow[]>;
  /** The reports of a run, one after the other: together they may not fit into memory. */
  reports(run: string): AsyncIterable<{ readonly repository: string; readonly report: Report }>;
  close(): Promise<void>;
}

/** Whether results are in a database, not in a file. */
export function isDatabaseAddress(address: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(address);
}
