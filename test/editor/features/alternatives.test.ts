import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDependency, placeIn, readPlace } from '../../../server/src/editor/features/commands.ts';
import { openLab } from '../../harness/lab.ts';

test('a command about one version of several means that version', async () => {
  const lab = await openLab(
    new Map([
      [
        'a.csproj',
        `<Project><PropertyGroup><V>2.0.0</V>
          <V Condition="'$(TargetFramework)' == 'net48'">1.0.0</V>
          <V Condition="'$(TargetFramework)' == 'net6.0'">1.1.0</V></PropertyGroup>
          <ItemGroup><PackageReference Include="Lib" Version="$(V)" /></ItemGroup></Project>`,
      ],
    ]),
    { 'NUGET lib': { versions: ['1.0.0', '1.1.0', '2.0.0'] } },
  );
  const snapshot = await lab.settled('a.csproj');
  await lab.close();
  assert.equal(snapshot.dependencies.length, 3);
  for (const it of snapshot.dependencies) {
    const place = readPlace(JSON.parse(JSON.stringify(placeIn(it))));
    assert.ok(place);
    assert.equal(findDependency(snapshot, place), it);
  }
});
