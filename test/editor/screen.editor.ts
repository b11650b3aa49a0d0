import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { releases } from '../workbench/vscode.ts';
import { eventually } from './eventually.ts';
import { setStage } from './stage.ts';

const stage = setStage();

for (const release of releases) {
  test(`a person sees what is wrong and fixes it (${release} VS Code)`, async (context) => {
    const screen = await stage.open(context, { release, name: release });
    await screen.open('package.json');
    await screen.squiggle('error');
    await screen.picture('squiggles');

    await screen.shows('4.17.15 · MIT');
    await screen.picture('hints');

    const hover = await screen.hover('^4.17.15', 'package-lock.json');
    assert.match(hover, /GHSA-35jh-r3h4-6jhm/);
    await screen.picture('hover');

    const problems = await screen.problems();
    assert.ok(
      problems.some((it) => /lodash 4\.17\.15 has \d known advisories/.test(it)),
      problems.join('\n'),
    );
    await screen.picture('problems');
    await screen.problemsAway();

    const fixes = await screen.quickFixes('^4.17.15');
    assert.match(fixes[0] ?? '', /Update lodash to 4\.18\.1/);
    await screen.picture('fixes');
    await screen.take('Update lodash to 4.18.1');
    await screen.shows('"lodash": "^4.18.1"');
    await screen.save();
    await eventually(() =>
      assert.match(readFileSync(join(screen.folder, 'package.json'), 'utf8'), /"lodash": "\^4\.18\.1"/),
    );
    await screen.shows('4.18.1 · MIT');
    await screen.picture('fixed');
  });
}

test('manifests of every system have hints on the screen', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'systems' });
  for (const file of [
    'maven/pom.xml',
    'python/requirements.txt',
    'python/pyproject.toml',
    'dotnet/app.csproj',
    'go/go.mod',
    'rust/Cargo.toml',
  ]) {
    await screen.open(file);
    await screen.shows('advisor');
    await screen.picture(file.replaceAll('/', '-'));
  }
});
