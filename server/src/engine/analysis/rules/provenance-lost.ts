import * as l10n from '@vscode/l10n';
import type { Rule } from './rule.ts';

/** The version in use has a verified attestation, and the recommended one has none: it may come from somewhere else. */
export const provenanceLost: Rule = {
  code: 'provenance-lost',
  find({ resolution }, { recommended }) {
    if (resolution.kind !== 'version' || !recommended?.losesProvenance) return undefined;
    const message = l10n.t(
      'Update without provenance: {0} has a verified attestation of its origin, and the service reports none for {1}.',
      resolution.version,
      recommended.version,
    );
    return { severity: 'information', message };
  },
};
