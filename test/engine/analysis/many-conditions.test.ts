import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkDependencies } from '../../../server/src/engine/analysis/link/linker.ts';
import { msbuildProject } from '../../../server/src/engine/ecosystems/nuget/msbuild.ts';

function link(properties: string, version: string) {
  const items = `<PackageReference Include="A" Version="${version}" />`.repeat(100);
  const text = `<Project><PropertyGroup>${properties}</PropertyGroup><ItemGroup>${items}</ItemGroup></Project>`;
  const file = { uri: 'file:///a.csproj', format: msbuildProject, manifest: msbuildProject.parse(text) };
  return linkDependencies({ files: [file], constraints: [], included: [], missing: [] });
}

test('of thousands of values a few are looked up, and that there are more is said', () => {
  const values = Array.from({ length: 20_000 }, (_, at) => `<V Condition="c${at}">${at}.0</V>`).join('');
  const all = link(values, '$(V)');
  assert.equal(all.length, 100 * 33);
  const [last] = all.slice(-1);
  assert.equal(last?.requirement.kind, 'unresolved');
});

test('values that refer to each other under conditions do not multiply', () => {
  const chain = Array.from(
    { length: 300 },
    (_, at) => `<V${at} Condition="c${at}">$(V${at + 1})</V${at}><V${at} Condition="d${at}">$(V${at + 2})</V${at}>`,
  ).join('');
  assert.ok(link(`${chain}<V300>1.0</V300><V301>2.0</V301>`, '$(V0)').length <= 100 * 33);
});
