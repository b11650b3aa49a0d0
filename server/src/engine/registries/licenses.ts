import { oneLine } from '../base/text.ts';
import type { VersionFacts } from '../model/facts.ts';
import { parseLicense } from '../policy/license-expressions.ts';
import { spdxOfLicense } from './license-names.ts';

/** Licenses that one version declares. Real ones name one or two. */
const MAX_LICENSES = 20;

/**
 * The licenses as the facts have them: an expression as it is, a name by its identifier, any other text as `non-standard` with the author's words.
 *
 *     ['MIT']                        MIT
 *     ['Apache 2.0']                 Apache-2.0, "Apache 2.0"
 *     ['SEE LICENSE IN eula.txt']    non-standard, "SEE LICENSE IN eula.txt"
 */
export function licensesFrom(declared: readonly string[]): Pick<VersionFacts, 'licenses' | 'licenseDetails'> {
  const details = declared
    .map((it) => oneLine(it).trim())
    .filter((it) => it !== '')
    .slice(0, MAX_LICENSES)
    .map((license) => ({ license, spdx: parseLicense(license) ? license : spdxOfLicense(license, '') }));
  return { licenses: [...new Set(details.map((it) => it.spdx))], licenseDetails: details };
}
