import type { Span } from './span.ts';

export const severities = ['error', 'warning', 'information', 'hint'] as const;
export type Severity = (typeof severities)[number];

/** Stable codes of findings; each has a section in docs/findings.md. */
export const findingCodes = [
  'malicious',
  'advisory',
  'advisory-below',
  'deprecated',
  'no-match',
  'not-found',
  'license',
  'license-mismatch',
  'archived',
  'young-version',
  'provenance-lost',
  'install-script',
  'low-score',
  'similar-name',
] as const;
export type FindingCode = (typeof findingCodes)[number];

/** A problem of a dependency, at the span of its requirement. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly uri: string;
  readonly span: Span;
  /** `3 known advisories, worst high 7.4. Fixed in 4.17.21.` */
  readonly message: string;
  /** The package and its version, which the message does not repeat: `lodash 4.17.15`. */
  readonly subject: string;
  /** What the message sums up, one line each. */
  readonly details: readonly string[];
}

/** A replacement of text in one file. */
export interface Edit {
  readonly uri: string;
  readonly span: Span;
  readonly newText: string;
}
