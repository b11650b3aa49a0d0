import type { FindingCode, Severity } from '../../model/finding.ts';

/** What a reader who has never seen docs/findings.md is told of a rule. */
export interface RuleText {
  readonly title: string;
  readonly help: string;
  /** Of most of its findings. */
  readonly severity: Severity;
  readonly tags: readonly string[];
}

export const ruleTexts: Readonly<Record<FindingCode, RuleText>> = {
  advisory: {
    title: 'Version with known advisories',
    help: 'The version has known security advisories of its own. Update to the default version, or to the nearest version with no known advisory.',
    severity: 'error',
    tags: ['security', 'supply-chain'],
  },
  deprecated: {
    title: 'Deprecated version',
    help: 'Its publishers have deprecated, yanked or retracted the version. Update to the default version.',
    severity: 'warning',
    tags: ['maintainability', 'supply-chain'],
  },
  'no-match': {
    title: 'Requirement that nothing meets',
    help: 'The package is known, but none of its published versions meets the requirement: installing it will fail.',
    severity: 'error',
    tags: ['correctness'],
  },
  'not-found': {
    title: 'Package that is not known',
    help: 'The service does not know the package. That is normal for private packages; it may also be too new, misspelt, or outside what the service covers.',
    severity: 'information',
    tags: ['supply-chain'],
  },
  license: {
    title: 'Licence outside the policy',
    help: 'The licence of the version is not among those that the policy allows.',
    severity: 'warning',
    tags: ['license'],
  },
  'license-mismatch': {
    title: 'Declared licence that is not the known one',
    help: 'The bill of materials declares another licence for the version than the service knows of. Find out which is right, and correct the bill of materials.',
    severity: 'information',
    tags: ['license'],
  },
};
