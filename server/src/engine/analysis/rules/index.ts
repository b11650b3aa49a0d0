import { advisory } from './advisory.ts';
import { advisoryBelow } from './advisory-below.ts';
import { archived } from './archived.ts';
import { deprecated } from './deprecated.ts';
import { installScript } from './install-script.ts';
import { license } from './license.ts';
import { licenseMismatch } from './license-mismatch.ts';
import { lowScore } from './low-score.ts';
import { malicious } from './malicious.ts';
import { noMatch } from './no-match.ts';
import { notFound } from './not-found.ts';
import { provenanceLost } from './provenance-lost.ts';
import type { Rule } from './rule.ts';
import { similarName } from './similar-name.ts';
import { youngVersion } from './young-version.ts';

/** Every rule, one row each. Findings of a dependency have this order. */
export const rules: readonly Rule[] = [
  malicious,
  advisory,
  advisoryBelow,
  deprecated,
  noMatch,
  notFound,
  license,
  licenseMismatch,
  archived,
  youngVersion,
  provenanceLost,
  installScript,
  lowScore,
  similarName,
];
