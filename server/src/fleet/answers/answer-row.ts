import type { FindingCode, Severity } from '../../engine/model/finding.ts';
import type { System } from '../../engine/model/system.ts';
import type { FleetFix } from '../results/result.ts';

/** A package at one place, with its finding if it has one. */
export interface AnswerRow {
  readonly repository: string;
  readonly path: string;
  readonly line: number;
  readonly system: System;
  readonly name: string;
  /** Absent where none is known. */
  readonly version?: string;
  readonly relation: 'direct' | 'below';
  readonly via?: string;
  readonly licenses?: readonly string[];
  readonly licenseClass?: string;
  /** The finding; absent for a package without one. */
  readonly code?: FindingCode;
  readonly severity?: Severity;
  readonly advisories: readonly string[];
  readonly score?: number;
  readonly message?: string;
  readonly fix: FleetFix;
  /** The line of the manifest that the finding is about; absent where that is this place, or is not known. */
  readonly fixAt?: { readonly path: string; readonly line: number };
  readonly owners: readonly string[];
  readonly counts: boolean;
  /** The same in each run, at the same place. */
  readonly identity: string;
  /** The same in each run, wherever in its repository. */
  readonly subject: string;
}
