import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import type { FindingCode, Severity } from '../../model/finding.ts';
import type { Span } from '../../model/span.ts';

/** One thing that can be wrong with a dependency. */
export interface Rule {
  readonly code: FindingCode;
  /** Undefined where nothing is wrong, or nothing is known yet. */
  readonly find: (evaluated: EvaluatedDependency) => RuleResult | undefined;
}

export interface RuleResult {
  /** A sentence that names the package, for a list of problems far from the line. */
  readonly message: string;
  /** Unless a setting says otherwise. */
  readonly severity: Severity;
  /** Where to say it, in the file of the dependency; else at its requirement. */
  readonly span?: Span;
}
