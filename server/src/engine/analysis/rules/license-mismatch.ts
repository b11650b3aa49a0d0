import * as l10n from '@vscode/l10n';
import { factsOf } from '../../model/evaluated-dependency.ts';
import type { VersionFacts } from '../../model/facts.ts';
import { licensesOf } from '../../model/license-policy.ts';
import { sameLicenses } from '../../policy/license-expressions.ts';
import type { Rule } from './rule.ts';

/** An SBOM declares another license than the service: one of them is wrong or outdated. */
export const licenseMismatch: Rule = {
  code: 'license-mismatch',
  find(evaluated) {
    const facts = factsOf(evaluated);
    const { declared } = evaluated.linked.dependency;
    if (!facts || !declared || sameLicenses(declared.licenses, facts.licenses) !== false) return undefined;
    const [stated, known] = [licenseList(declared.licenses), licenseList(licensesOf(facts))];
    return {
      severity: 'information',
      message: l10n.t('License declared as {0}, but the service reports {1}.', stated, known),
      ...(declared.span && { span: declared.span }),
    };
  },
};

/** In one message. A file may list thousands of licenses. */
const MAX_LISTED_LICENSES = 5;

/** `MIT, ISC` */
export function licenseList(licenses: VersionFacts['licenses']): string {
  return licenses.length > MAX_LISTED_LICENSES
    ? `${licenses.slice(0, MAX_LISTED_LICENSES).join(', ')}, …`
    : licenses.join(', ');
}
