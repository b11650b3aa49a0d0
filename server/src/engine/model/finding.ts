import * as l10n from '@vscode/l10n';
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

/** A finding in few words: no title shows a code. */
export function wordForCode(code: FindingCode): string {
  switch (code) {
    case 'advisory':
      return l10n.t('vulnerabilities');
    case 'malicious':
      return l10n.t('malicious');
    case 'advisory-below':
      return l10n.t('brings affected packages');
    case 'deprecated':
      return l10n.t('deprecated');
    case 'no-match':
      return l10n.t('no matching version');
    case 'not-found':
      return l10n.t('unknown to the service');
    case 'license':
      return l10n.t('license');
    case 'license-mismatch':
      return l10n.t('license mismatch');
    case 'archived':
      return l10n.t('repository archived');
    case 'young-version':
      return l10n.t('within the cooldown');
    case 'provenance-lost':
      return l10n.t('provenance lost');
    case 'install-script':
      return l10n.t('install script');
    case 'low-score':
      return l10n.t('low score');
    case 'similar-name':
      return l10n.t('similar name');
  }
}

/** A problem of a dependency, at the span of its requirement. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly uri: string;
  readonly span: Span;
  /** `3 vulnerabilities, worst high 7.4, fixed in 4.17.21.` */
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
