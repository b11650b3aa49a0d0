import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import type { themes } from './screen.ts';
import { setStage } from './stage.ts';

/* What a line of the sample leads to: the nearest version without problems, and the place that decides on it. */

const stage = setStage();
const service = await startServiceForFile();
const both: readonly (keyof typeof themes)[] = ['light', 'dark'];

test('the nearest version without problems is offered where its version is decided', async (context) => {
  const settings = { 'packageInsights.baseUrl': service.url };
  const screen = await stage.open(context, { release: 'newest', name: 'nearest', settings });

  await screen.open('dotnet/app.csproj');
  for (const theme of both) {
    await screen.wear(theme);
    await screen.hover('Newtonsoft.Json', '13.0.1');
    await screen.picture(`newtonsoft-${theme}`);
  }
  const [newtonsoft = ''] = await screen.quickFixes('Newtonsoft.Json');
  assert.match(newtonsoft, /13\.0\.1/);
  await screen.picture('newtonsoft-menu');
  await screen.page.keyboard.press('Escape');

  await screen.open('go/go.mod');
  await screen.hover('golang.org/x/crypto', 'v0.');
  await screen.picture('x-crypto');
  await screen.quickFixes('golang.org/x/crypto');
  await screen.picture('x-crypto-menu');
  await screen.page.keyboard.press('Escape');

  await screen.open('maven-boot/pom.xml');
  await screen.hover('spring-boot-starter-web', 'spring-boot');
  await screen.picture('spring-boot');
  await screen.quickFixes('spring-boot-starter-web');
  await screen.picture('spring-boot-menu');
  await screen.page.keyboard.press('Escape');

  const path = join(screen.folder, 'dotnet', 'conditions.csproj');
  writeFileSync(
    path,
    `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFrameworks>net6.0;net8.0</TargetFrameworks>
    <JsonVersion>13.0.3</JsonVersion>
    <JsonVersion Condition="'$(TargetFramework)' == 'net6.0'">12.0.3</JsonVersion>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Newtonsoft.Json" Version="$(JsonVersion)" />
  </ItemGroup>
</Project>
`,
  );
  await screen.open('dotnet/conditions.csproj');
  for (const theme of both) {
    await screen.wear(theme);
    const hover = await screen.hover('Include="Newtonsoft.Json"', 'net6.0');
    assert.match(hover, /12\.0\.3/);
    assert.match(hover, /13\.0\.3/);
    await screen.picture(`conditions-${theme}`);
  }
  const fixes = await screen.quickFixes('Include="Newtonsoft.Json"');
  assert.equal(new Set(fixes).size, fixes.length, fixes.join('\n'));
  await screen.picture('conditions-menu');
});
