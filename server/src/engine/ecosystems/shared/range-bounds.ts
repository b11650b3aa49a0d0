import * as l10n from '@vscode/l10n';
import { type Rewrite, refuse } from '../../model/versioning.ts';

/**
 * The numbers of the smallest exclusive bound above a version, as precise as the written bound: zeros at its end are
 * no part of its precision.
 *
 *     <42 → 50.0.1: <51      <1.5 → 1.7.3: <1.8      <2.0.0 → 3.1.0: <4.0.0
 *
 * Source: Dependabot's `update_greatest_version`, which treats zeros in the same way.
 * @param written the numbers of the bound, in digits
 * @param version those of the version, of any count
 */
export function numbersAbove(written: readonly string[], version: readonly string[]): string[] {
  const last = Math.max(
    0,
    written.findLastIndex((it) => !/^0+$/.test(it)),
  );
  return written.map((_, at) => {
    const number = version[at] ?? '0';
    return at < last ? number : at > last ? '0' : `${BigInt(number) + 1n}`;
  });
}

/** @param bound what excludes the version: `<2`, `2.0)` */
export function refuseBounded(bound: string, version: string): Rewrite {
  const setting = 'packageInsights.boundedRanges';
  return refuse(l10n.t('{0} excludes {1}, and {2} is "never"', bound, version, setting));
}
