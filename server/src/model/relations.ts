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

/** How sure the service is of a related project. Source: its contract, relationProvenance. */
export function certaintyText(provenance: string): string {
  switch (provenance) {
    case 'SLSA_ATTESTATION':
      return l10n.t('attested');
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
