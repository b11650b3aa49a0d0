import * as l10n from '@vscode/l10n';
import type { Dependency } from '../../model/manifest.ts';
import type { Rule } from './rule.ts';

/**
 * The service does not know the package. This is not an error, since it may be private. Records are skipped: tools do
 * not misspell names.
 */
export const notFound: Rule = {
  code: 'not-found',
  find({ linked, resolution, version, package: list }) {
    const missing = resolution.kind === 'unknown' || (version?.state === 'unknown' && list?.state === 'unknown');
    if (!missing || linked.isRecorded) return undefined;
    return { severity: 'information', message: messageFor(linked.dependency) };
  },
};

/** Explains the coverage of the service. Source: its contract, “Coverage”. */
function messageFor({ name, key }: Dependency): string {
  switch (key.system) {
    case 'PYPI':
      return l10n.t(
        '{0} is unknown to the service: it may be private, too new, or not released as a wheel or sdist',
        name,
      );
    case 'GO':
      return l10n.t('{0} is unknown to the service: it may be private, too new, or not on the module proxy', name);
    case 'MAVEN':
      return l10n.t('{0} is unknown to the service: it may be private, too new, or only in another repository', name);
    default:
      return l10n.t('{0} is unknown to the service: it may be private, too new, or misspelled', name);
  }
}
