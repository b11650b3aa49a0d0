import * as l10n from '@vscode/l10n';

/** The label of a link, or the type of a related project, in the reader's language. */
export function relationText(label: string): string {
  switch (label) {
    case 'SOURCE_REPO':
      return l10n.t('Source');
    case 'HOMEPAGE':
      return l10n.t('Homepage');
    case 'DOCUMENTATION':
      return l10n.t('Documentation');
    case 'ISSUE_TRACKER':
      return l10n.t('Issues');
    default:
      return wordsOf(label);
  }
}

/** The surest first. Source: the contract of the service, relationProvenance. */
const byCertainty: readonly string[] = [
  'SLSA_ATTESTATION',
  'GO_ORIGIN',
  'PYPI_PUBLISH_ATTESTATION',
  'RUBYGEMS_PUBLISH_ATTESTATION',
  'UNVERIFIED_METADATA',
];

const CLAIMED = byCertainty.indexOf('UNVERIFIED_METADATA');

/**
 * The place of a related project among others, the surest first. A value that is not known yet is behind the verified ones
 * if its name says that it is one, else behind all.
 */
export function rankOf({ provenance }: { readonly provenance: string }): number {
  const known = byCertainty.indexOf(provenance);
  if (known >= 0) return known;
  return provenance.endsWith('_ATTESTATION') ? CLAIMED - 0.5 : byCertainty.length;
}

export function byRank(a: { readonly provenance: string }, b: { readonly provenance: string }): number {
  return rankOf(a) - rankOf(b);
}

/** How sure the service is of a related project. Source: its contract, relationProvenance. */
export function certaintyText(provenance: string): string {
  switch (provenance) {
    case 'SLSA_ATTESTATION':
      return l10n.t('attested');
    case 'PYPI_PUBLISH_ATTESTATION':
    case 'RUBYGEMS_PUBLISH_ATTESTATION':
    case 'PUBLISH_ATTESTATION':
      return l10n.t('attested by its publication');
    case 'GO_ORIGIN':
      return l10n.t('origin of the module');
    case 'UNVERIFIED_METADATA':
      return l10n.t('claimed by the package');
    default:
      return wordsOf(provenance);
  }
}

/** `ATTESTATION` → `attestation`: the contract may grow. */
function wordsOf(constant: string): string {
  return constant.toLowerCase().replaceAll('_', ' ');
}
