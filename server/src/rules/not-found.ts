import type { System } from '../model/system.ts';
import type { Rule } from './rule.ts';

/**
 * The service does not know the package. That is no error: private packages are like that. A tool that records
 * what is there misspells nothing.
 */
export const notFound: Rule = {
  code: 'not-found',
  find({ linked, resolution, version, package: list }) {
    const missing = resolution.kind === 'unknown' || (version?.state === 'unknown' && list?.state === 'unknown');
    if (!missing || linked.recorded) return undefined;
    const { name, key } = linked.dependency;
    return {
      severity: 'information',
      message: `the service does not know ${name}: it may be private, too new, or ${outside[key.system] ?? 'misspelt'}`,
    };
  },
};

/** What the service does not cover. Source: its contract, “Coverage”. */
const outside: Partial<Record<System, string>> = {
  PYPI: 'not released as a wheel or sdist',
  GO: 'not served by the module proxy',
  MAVEN: 'kept in a repository other than the central ones',
};
