import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionHolds, meantBy } from '../../../../server/src/engine/ecosystems/nuget/msbuild-conditions.ts';

/* Source of what is expected: MSBuild's documentation, “MSBuild conditions” and “Property functions”. */

const [holds, fails, open] = [true, false, undefined];
const cases: readonly (readonly [condition: string, net48: boolean | undefined, net8: boolean | undefined])[] = [
  [`'$(TargetFramework)' == 'net48'`, holds, fails],
  [`'$(targetframework)'=='NET48'`, holds, fails],
  [`$(TargetFramework) == net48`, holds, fails],
  [`'$(TargetFramework)' != 'net48'`, fails, holds],
  [`!('$(TargetFramework)' == 'net48')`, fails, holds],
  [`'$(TargetFramework)' == 'net48' and '$(OS)' == 'Windows_NT'`, open, fails],
  [`'$(TargetFramework)' == 'net48' or '$(OS)' == 'Windows_NT'`, holds, open],
  [`'$(TargetFramework)' == 'net48' OR '$(TargetFramework)' == 'net472'`, holds, fails],
  [`'$(OS)' == 'Windows_NT'`, open, open],
  [`'$(TargetFrameworkIdentifier)' == '.NETFramework'`, holds, fails],
  [`$([MSBuild]::GetTargetFrameworkIdentifier('$(TargetFramework)')) == '.NETCoreApp'`, fails, holds],
  [`$(TargetFramework.StartsWith('net4'))`, holds, fails],
  [`'$(TargetFramework.StartsWith("net4"))' == 'true'`, holds, fails],
  [`$([MSBuild]::IsTargetFrameworkCompatible('$(TargetFramework)', 'net6.0'))`, fails, holds],
  [`'$([MSBuild]::IsTargetFrameworkCompatible('$(TargetFramework)', 'net6.0'))' == 'false'`, holds, fails],
  [`!$([MSBuild]::IsTargetFrameworkCompatible('$(TargetFramework)', 'net9.0'))`, holds, holds],
  [`$([MSBuild]::IsTargetFrameworkCompatible('$(TargetFramework)', 'netstandard2.0'))`, open, open],
  [`Exists('x.props')`, open, open],
  [`Exists('x.props') and '$(TargetFramework)' == 'net48'`, open, fails],
  [`'$(TargetFramework)-$(Configuration)' == 'net48-Debug'`, open, open],
  [`'$(TargetFramework)x' == 'net48x'`, holds, fails],
  [`'$(TargetFramework)' == 'net48`, open, open],
  [`('$(TargetFramework)' == 'net48'`, open, open],
  [`'$(TargetFramework)' == 'net48' and`, open, open],
  ['', open, open],
  ['('.repeat(5000), open, open],
  [`'${'$(a)'.repeat(240)}`, open, open],
  ['$('.repeat(490), open, open],
];

for (const [condition, net48, net8] of cases) {
  test(`${condition.slice(0, 100)} is decided by the framework where it can be`, () => {
    assert.deepEqual([conditionHolds(condition, 'net48'), conditionHolds(condition, 'net8.0')], [net48, net8]);
  });
}

test('the frameworks of a lockfile are those that the condition leaves', () => {
  const all = ['.NETFramework,Version=v4.8', 'net8.0-windows7.0', 'net8.0'];
  const meant = (condition: string): readonly string[] => meantBy(condition, all, (it) => it);
  assert.deepEqual(meant(`'$(TargetFramework)' == 'net48'`), [all[0]]);
  assert.deepEqual(meant(`'$(TargetFramework)' != 'net48'`), all.slice(1));
  assert.deepEqual(meant(`'$(TargetFramework)' == 'net8.0-windows'`), [all[1]]);
  assert.deepEqual(meant(`$([MSBuild]::X('$(TargetFramework)', 'net8.0'))`), [all[2]]);
  assert.deepEqual(meant(`'$(TargetFramework)' == 'net6.0'`), all);
});
