import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import type { FindingCode, Severity } from '../../model/finding.ts';
import type { Span } from '../../model/span.ts';
import type { Verdict } from '../../model/verdict.ts';

/** A rule that checks a dependency for one kind of problem. */
export interface Rule {
  readonly code: FindingCode;
  /** Undefined without a problem, or while facts are missing. */
  readonly find: (evaluated: EvaluatedDependency, verdict: Verdict) => RuleResult | undefined;
}

export interface RuleResult {
  /** Sentences with severity and target first. Lists add the package and its version. */
  readonly message: string;
  /** What the message sums up, one line each: advisories, worst first. */
  readonly details?: readonly string[];
  /** The default severity; `off` for a finding that a person or a project chooses. */
  readonly severity: Severity | 'off';
  /** The span in the file of the dependency; its requirement if absent. */
  readonly span?: Span;
}
