import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noUpdatePolicy } from '../../../server/src/engine/analysis/evaluate/update-policy.ts';
import { higherVersions, lowerVersions } from '../../../server/src/engine/analysis/evaluate/update-target.ts';
import { listOf } from '../../../server/src/engine/model/facts.ts';
import type { System } from '../../../server/src/engine/model/system.ts';

/*
 * Renovate, “ignoreUnstable”: from a pre-release of the same major, minor and patch number a newer one is an update.
 * NuGet's own `dotnet list package --outdated` takes newer pre-releases for one in use since version 8 of its SDK.
 */
const lines: Readonly<Record<System, readonly [current: string, above: readonly string[], others: readonly string[]]>> =
  {
    NUGET: ['1.2.0-beta.435', ['1.2.0-beta.507', '1.2.0-beta.556'], ['1.1.118', '1.2.0-nightly.1', '1.3.0-beta.1']],
    NPM: ['2.0.0-rc.1', ['2.0.0-rc.2', '2.0.0-rc.10'], ['1.9.0', '2.0.0-canary.1', '2.1.0-rc.1']],
    CARGO: ['0.2.0-alpha.1', ['0.2.0-alpha.2', '0.2.0-rc.1'], ['0.1.9', '0.3.0-alpha.1']],
    PYPI: ['2.0b1', ['2.0b2', '2.0.0rc1'], ['1.9', '2.0rc2.dev3', '2.1a1', '2.0rc1+cu118']],
    MAVEN: ['3.0.0-M1', ['3.0.0-M2', '3.0.0-RC1'], ['2.7.18', '3.0.0-SNAPSHOT', '3.1.0-M1', '3.0.0-M3-jre']],
    GO: ['v1.3.0-rc.1', ['v1.3.0-rc.2'], ['v1.2.9', 'v1.3.0-rc.2.0.20240102030405-0123456789ab', 'v1.4.0-rc.1']],
  };

describe('newer pre-releases of the same version are above a pre-release', () => {
  for (const [system, [current, above, others]] of Object.entries(lines)) {
    const key = { system: system as System, name: 'a' };
    const factsOf = (...versions: readonly string[]) => ({
      key,
      purl: '',
      versions: listOf(versions.map((version) => ({ version, isDefault: version === others[0], isDeprecated: false }))),
    });
    test(`${system}: without a stable version above`, () => {
      const facts = factsOf(current, ...above, ...others);
      assert.deepEqual(higherVersions(facts, current, others[0], noUpdatePolicy), above);
      const last = above.at(-1) ?? '';
      assert.deepEqual(lowerVersions(facts, last, others[0], noUpdatePolicy), [
        ...[current, ...above.slice(0, -1)].reverse(),
        others[0],
      ]);
    });
    test(`${system}: not with one`, () => {
      const stable = system === 'GO' ? 'v9.9.9' : '9.9.9';
      const facts = factsOf(current, ...above, stable);
      assert.deepEqual(higherVersions(facts, current, undefined, noUpdatePolicy), [stable]);
    });
    test(`${system}: not from a stable version`, () => {
      const facts = factsOf(current, ...above, others[0] ?? '');
      assert.deepEqual(higherVersions(facts, others[0] ?? '', others[0], noUpdatePolicy), []);
    });
  }
});
