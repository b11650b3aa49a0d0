import type { FindingCode, Severity } from '../model/finding.ts';
import type { AdvisoryId } from '../model/keys.ts';
import type { Rating } from '../model/rating.ts';
import type { System } from '../model/system.ts';

/** What one check of some manifests came to: everything that a format shows, and nothing that it has to work out. */
export interface Report {
  readonly manifests: number;
  readonly dependencies: number;
  /** By file, then by place, then by code. */
  readonly findings: readonly ReportedFinding[];
  /** What could not be looked up: the findings are not all there is. */
  readonly failures: readonly Failure[];
}

export interface ReportedFinding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly message: string;
  /** Relative to the directory that the check was started in, with `/`. */
  readonly path: string;
  readonly region: Region;
  readonly system: System;
  readonly name: string;
  /** The resolved version; absent where there is none. */
  readonly version?: string;
  /** Worst first. */
  readonly advisories: readonly ReportedAdvisory[];
  /** The default version first, then the nearest sound one. */
  readonly fixes: readonly ReportedFix[];
  /** The same in every run, on whichever line the dependency stands. */
  readonly fingerprint: string;
  /** Whether it is at or above what `--fail-on` names, and in no baseline. */
  readonly counts: boolean;
  /** Whether the baseline has it. */
  readonly known: boolean;
}

export interface ReportedAdvisory {
  readonly id: AdvisoryId;
  readonly aliases: readonly AdvisoryId[];
  readonly title: string;
  readonly url: string;
  readonly rating: Rating;
  /** CVSS v3 base score. */
  readonly score?: number;
}

export interface ReportedFix {
  readonly version: string;
  readonly why: 'default' | 'nearest';
  /** What is wrong with the target itself. */
  readonly flaw?: string;
  /** Why it has to be done by hand; a clause. There are no edits then. */
  readonly refused?: string;
  readonly edits: readonly ReportedEdit[];
}

export interface ReportedEdit {
  readonly path: string;
  readonly region: Region;
  readonly newText: string;
}

/** A stretch of a file. Lines and columns from 1, columns in UTF-16 units, the end exclusive. */
export interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Look-ups that failed for one reason. */
export interface Failure {
  /** A clause: `connection refused`. */
  readonly reason: string;
  readonly count: number;
}

/** The program, as reports name it. */
export interface Tool {
  readonly name: string;
  readonly version: string;
  readonly homepage: string;
}

/** The fix to name first: one that can be done and has no flaw, else the first there is. */
export function bestFix({ fixes }: Pick<ReportedFinding, 'fixes'>): ReportedFix | undefined {
  return fixes.find((it) => it.refused === undefined && it.flaw === undefined) ?? fixes[0];
}
