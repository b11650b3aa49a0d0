import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import type { FindingCode, Severity } from '../../model/finding.ts';
import type { Span } from '../../model/span.ts';

/** A rule that checks a dependency for one kind of problem. */
export interface Rule {
  readonly code: FindingCode;
  /** Undefined without a problem, or while facts are missing. */
  readonly find: (evaluated: EvaluatedDependency) => RuleResult | undefined;
}

export interface RuleResult {
  /** A sentence that names the package, for a list of problems far from the line. */
  readonly message: string;
  /** The default severity. */
  readonly severity: Severity;
  /** The span in the file of the dependency; its requirement if absent. */
  readonly span?: Span;
}
