import type { Rule } from './rule.ts';

/** The package is known, and none of its published versions meets the requirement. */
export const noMatch: Rule = {
  code: 'no-match',
  find({ linked, resolution }) {
    if (resolution.kind !== 'no-match') return undefined;
    return { severity: 'error', message: `no version of ${linked.dependency.name} meets ${resolution.range}` };
  },
};
