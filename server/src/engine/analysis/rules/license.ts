import * as l10n from '@vscode/l10n';
import { factsOf, type LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { VersionFacts } from '../../model/facts.ts';
import { licensesOf } from '../../model/license-policy.ts';
import type { Project } from '../../model/project.ts';
import { licenseClassText } from '../../policy/license-classes.ts';
import { evaluateLicenses, type LicenseDecision, type LicenseReason } from '../../policy/license-policy.ts';
import { matchesPackage } from '../../policy/package-patterns.ts';
import type { Rule } from './rule.ts';

/** The policy of the project does not allow the license of the resolved version. */
export const license: Rule = {
  code: 'license',
  find(evaluated) {
    const facts = factsOf(evaluated);
    const decision = facts && licenseDecisionOf(evaluated.project, evaluated.linked, facts);
    if (!facts || !decision || decision.verdict === 'allow') return undefined;
    const why = decision.because.map((it) => decisionText(it, facts)).join('; ');
    return {
      severity: decision.verdict === 'deny' ? 'error' : 'warning',
      message: l10n.t('License policy: {0}.', why),
    };
  },
};

/**
 * The decision of the policy about a version; undefined without a policy, or if it does not apply to the dependency.
 */
export function licenseDecisionOf(
  project: Project | undefined,
  { key, dependency }: LinkedDependency,
  facts: Pick<VersionFacts, 'licenses'>,
): LicenseDecision | undefined {
  const policy = project?.licenses;
  if (!policy || (policy.runtimeOnly && (dependency.scope === 'dev' || dependency.scope === 'build'))) return undefined;
  const decision = evaluateLicenses(facts.licenses, policy);
  if (decision.verdict === 'allow') return decision;
  const exceptions = policy.exceptions.filter((it) => matchesPackage(it.package, key));
  if (exceptions.length === 0) return decision;
  if (exceptions.some((it) => it.licenses === undefined)) return undefined;
  const excepted = exceptions.flatMap((it) => it.licenses ?? []);
  return evaluateLicenses(facts.licenses, { ...policy, excepted });
}

/** Whether the policy denies a version, so that no fix may move there. */
export function isDenied(
  project: Project | undefined,
  linked: LinkedDependency,
  facts: Pick<VersionFacts, 'licenses'>,
): boolean {
  return licenseDecisionOf(project, linked, facts)?.verdict === 'deny';
}

/** `GPL-3.0-only is denied`; `GPL-3.0-only is denied (strong copyleft)` where the policy denies its class. */
export function decisionText(
  { license: name, rule, verdict, class: listed, unclear = '' }: LicenseReason,
  facts: Pick<VersionFacts, 'licenses' | 'licenseDetails'>,
): string {
  switch (rule) {
    case 'deny':
      return listed ? l10n.t('{0} is denied ({1})', name, licenseClassText(listed)) : l10n.t('{0} is denied', name);
    case 'review':
      return listed
        ? l10n.t('{0} needs a review ({1})', name, licenseClassText(listed))
        : l10n.t('{0} needs a review', name);
    case 'allow':
      return l10n.t('{0} is allowed', name);
    case 'unlisted':
      return verdict === 'deny'
        ? l10n.t('{0} is not in the list of allowed licenses', name)
        : l10n.t('{0} is not denied', name);
    case 'unclear':
      return l10n.t('{0} needs a review: “{1}” in the license policy is not a license', name, unclear);
    case 'unclassified':
      return verdict === 'deny'
        ? l10n.t('{0} belongs to no license class, denied', name)
        : l10n.t('{0} belongs to no license class, needs a review', name);
    case 'unknown': {
      if (name === '')
        return verdict === 'deny' ? l10n.t('unknown licenses are denied') : l10n.t('unknown license, needs a review');
      const written = name === 'non-standard' ? licensesOf(facts).join(', ') : name;
      return verdict === 'deny'
        ? l10n.t('“{0}” is not an SPDX license, denied', written)
        : l10n.t('“{0}” is not an SPDX license, needs a review', written);
    }
  }
}
