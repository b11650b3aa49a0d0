import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { releases } from '../tools/vscode.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

function write(screen: Screen, name: string, lines: readonly string[]): void {
  writeFileSync(join(screen.folder, name), `${lines.join('\n')}\n`);
}

for (const release of releases) {
  test(`a bill of materials shows what is wrong with what it lists (${release} VS Code)`, async (context) => {
    const screen = await stage.open(context, { release, name: `sbom-${release}` });
    write(screen, 'app.cdx.json', [
      '{',
      '  "bomFormat": "CycloneDX",',
      '  "specVersion": "1.6",',
      '  "components": [',
      '    {',
      '      "type": "library",',
      '      "name": "lodash",',
      '      "version": "4.17.15",',
      '      "licenses": [{ "license": { "id": "ISC" } }],',
      '      "purl": "pkg:npm/lodash@4.17.15"',
      '    }',
      '  ]',
      '}',
    ]);
    write(screen, 'app.spdx', [
      'SPDXVersion: SPDX-2.3',
      'PackageName: lodash',
      'SPDXID: SPDXRef-lodash',
      'PackageVersion: 4.17.15',
      'PackageLicenseDeclared: ISC',
      'ExternalRef: PACKAGE-MANAGER purl pkg:npm/lodash@4.17.15',
    ]);
    for (const file of ['app.cdx.json', 'app.spdx']) {
      await screen.open(file);
      await screen.squiggle('error');
      await screen.squiggle('info');
      const hover = await screen.hover('pkg:npm/lodash', 'declared in the file: ISC');
      assert.match(hover, /License MIT/);
      assert.match(hover, /GHSA-35jh-r3h4-6jhm/);
      await screen.picture('hover');
      const problems = await screen.problems();
      const holds = (text: RegExp): boolean => problems.some((it) => text.test(it));
      assert.ok(holds(/lodash 4\.17\.15: \d vulnerabilities, worst high /), problems.join('\n'));
      assert.ok(holds(/lodash 4\.17\.15: License declared as ISC, but the service reports MIT\./), problems.join('\n'));
      await screen.picture('problems');
      await screen.problemsAway();
    }
  });

  test(`a purl in any text tells what it is (${release} VS Code)`, async (context) => {
    const settings = { 'packageInsights.purlHovers': true };
    const screen = await stage.open(context, { release, name: `purls-${release}`, settings });
    write(screen, 'notes.md', ['# Notes', '', 'We still use [lodash](pkg:npm/lodash@4.17.15).']);
    write(screen, 'notes.txt', ['To be replaced: pkg:npm/lodash, soon.']);
    await screen.open('notes.md');
    // What the service says comes last.
    assert.match(await screen.hover('pkg:npm/lodash@4.17.15', 'GHSA-35jh-r3h4-6jhm'), /vulnerabilities, worst high/);
    await screen.picture('markdown');
    await screen.open('notes.txt');
    assert.match(await screen.hover('pkg:npm/lodash', 'License MIT'), /4\.18\.1/);
    await screen.picture('text');
  });
}
