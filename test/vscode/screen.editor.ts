import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { askedNames } from '../harness/asked-names.ts';
import { releases } from '../tools/vscode.ts';
import { eventually } from './eventually.ts';
import { startFarService } from './far-service.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

/** Names of packages that nothing in the sample names, and where they are typed: so many keys from the line of a hint. */
const typings = [
  {
    file: 'requirements.txt',
    text: 'Flask==2.2.4\n',
    from: '⚠ high',
    keys: ['End', 'Enter'],
    name: 'example-attested',
    hint: 'example-attested1.1.0 · Apache-2.0 OR MIT',
  },
  {
    file: 'package.json',
    text: '{\n  "dependencies": {\n    "lodash": "4.18.1",\n    "": "10.1.0"\n  }\n}\n',
    from: '4.18.1 · MIT',
    keys: ['ArrowDown', 'Home', 'ArrowRight'],
    name: 'babel-eslint',
    hint: '⚠ deprecated',
  },
] as const;

function write({ folder }: Screen, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

for (const release of releases) {
  test(`a person sees what is wrong and fixes it (${release} VS Code)`, async (context) => {
    const screen = await stage.open(context, { release, name: release });
    await screen.open('package.json');
    await screen.squiggle('error');
    await screen.picture('squiggles');

    await screen.shows('⚠ high');
    await screen.picture('hints');

    const hover = await screen.hover('^4.17.15', 'package-lock.json');
    assert.match(hover, /GHSA-35jh-r3h4-6jhm/);
    await screen.picture('hover');

    const problems = await screen.problems();
    assert.ok(
      problems.some((it) => /^lodash 4\.17\.15: \d vulnerabilities, worst high [\d.]+, fixed in 4\.17\.21/.test(it)),
      problems.join('\n'),
    );
    await screen.picture('problems');
    await screen.problemsAway();

    const fixes = await screen.quickFixes('^4.17.15');
    assert.match(fixes[0] ?? '', /Update lodash to 4\.17\.\d+ \(patch, fixes \d vulnerabilities/);
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

test('the answers of a distant service appear without an action', async (context) => {
  const far = await startFarService(context);
  // A file that is saved by itself, as in a browser it is after a second, has whole names sooner.
  const settings = { 'packageInsights.baseUrl': far.url, 'files.autoSave': 'off' };
  // One window for all of these: to start it takes as long as each of them.
  const screen = await stage.open(context, { release: 'newest', name: 'systems', settings });
  const { page } = screen;

  await context.test('manifests of every system have hints on the screen', async () => {
    for (const file of [
      'maven/pom.xml',
      'python/requirements.txt',
      'python/pyproject.toml',
      'dotnet/app.csproj',
      'go/go.mod',
      'rust/Cargo.toml',
    ]) {
      await screen.open(file);
      await screen.shows('vulnerabilit');
      await screen.picture(file.replaceAll('/', '-'));
    }
  });

  for (const { file, text, from, keys, name, hint } of typings) {
    await context.test(`a name typed into ${file} is asked about once it is whole, and then has its hint`, async () => {
      write(screen, `typed/${file}`, text);
      await screen.open(`typed/${file}`);
      await screen.shows(from);
      await page.locator('.view-line').filter({ hasText: from }).first().click();
      for (const key of keys) await page.keyboard.press(key);
      // Each letter by itself, as fast as a person types.
      await page.keyboard.type(name, { delay: 80 });
      await screen.shows(hint);
      await screen.picture('typed');
      assert.deepEqual(
        askedNames(far.requests).filter((it) => name.startsWith(it)),
        [name],
      );
    });
  }

  // The finding of the last of them.
  await screen.squiggle('warning');
});
