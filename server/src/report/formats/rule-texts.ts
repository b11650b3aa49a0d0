import type { FindingCode, Severity } from '../../model/finding.ts';

/** The description of a rule for readers who do not know docs/findings.md. */
export interface RuleText {
  readonly title: string;
  readonly help: string;
  /** The severity of most of its findings. */
  readonly severity: Severity;
  readonly tags: readonly string[];
}

export const ruleTexts: Readonly<Record<FindingCode, RuleText>> = {
  advisory: {
    title: 'Version with known advisories',
    help: 'The version itself has known security advisories. Update to the default version, or to the nearest version with no known advisory.',
    severity: 'error',
    tags: ['security', 'supply-chain'],
  },
  deprecated: {
    title: 'Deprecated version',
    help: 'The publisher has deprecated, yanked or retracted the version. Update to the default version.',
    severity: 'warning',
    tags: ['maintainability', 'supply-chain'],
  },
  'no-match': {
    title: 'Requirement without a matching version',
    help: 'The package is known, but no published version meets the requirement: installing it will fail.',
    severity: 'error',
    tags: ['correctness'],
  },
  'not-found': {
    title: 'Unknown package',
    help: 'The package is unknown to the service. This is normal for private packages. The package may also be too new, misspelled, or not covered.',
    severity: 'information',
    tags: ['supply-chain'],
  },
  license: {
    title: 'License outside the policy',
    help: 'The policy does not allow the license of the version.',
    severity: 'warning',
    tags: ['license'],
  },
  'license-mismatch': {
    title: 'Declared license differs from the reported license',
    help: 'The SBOM declares another license for the version than the service reports. Find out which one is right, and correct the SBOM.',
    severity: 'information',
    tags: ['license'],
  },
};
