import { factsOf } from '../model/subject.ts';
import type { Rule } from './rule.ts';

/** The resolved version is deprecated, yanked or retracted. */
export const deprecated: Rule = {
  code: 'deprecated',
  find(subject) {
    const facts = factsOf(subject);
    const { resolution } = subject;
    if (resolution.kind !== 'version' || !facts?.isDeprecated) return undefined;
    const reason = facts.deprecatedReason ? `: ${facts.deprecatedReason}` : '';
    return {
      severity: 'warning',
      message: `${subject.linked.dependency.name} ${resolution.version} is ${wordForDeprecated[facts.key.system]}${reason}`,
    };
  },
};

/** What each system calls it. */
export const wordForDeprecated = {
  GO: 'retracted or deprecated',
  NPM: 'deprecated',
  CARGO: 'yanked',
  MAVEN: 'deprecated',
  PYPI: 'yanked',
  NUGET: 'deprecated',
} as const;
