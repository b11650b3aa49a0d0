import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { eventually, patience } from './eventually.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const rowOf = ({ page }: Screen, text: string | RegExp): Locator =>
  page.locator('.pane .monaco-list-row').filter({ hasText: text }).first();
const choiceOf = ({ page }: Screen, text: string | RegExp): Locator =>
  page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();

test('what packages and files are, on the screen (dark, newest VS Code)', async (context) => {
  const settings = { 'workbench.colorTheme': 'Default Dark Modern' };
  const viewport = { width: 1280, height: 1000 };
  // One window for all of these: to start it takes as long as each of them.
  const screen = await stage.open(context, { release: 'newest', name: 'looking-up-Dark', settings, viewport });

  await context.test('a file is identified from the explorer and copied as a dependency', async () => {
    mkdirSync(join(screen.folder, 'lib'));
    // What the embedded catalog has the digest of.
    writeFileSync(join(screen.folder, 'lib', 'commercial.nupkg'), 'Example.Commercial 1.0.0');
    await screen.open('dotnet/app.csproj');
    await screen.shows('vulnerabilit');
    await rowOf(screen, /^lib$/).click();
    await screen.menu(rowOf(screen, 'commercial.nupkg'), 'Identify a File');
    await choiceOf(screen, 'Example.Commercial 1.0.0').waitFor();
    await screen.picture('identified');
    await screen.page.keyboard.press('Enter');
    await choiceOf(screen, '<PackageReference Include="Example.Commercial" Version="1.0.0" />').waitFor();
    await screen.picture('offered');
    await screen.page.keyboard.press('Enter');
    await screen.page.locator('.statusbar-item').filter({ hasText: 'Copied: <PackageReference' }).waitFor();
  });

  await context.test('a person sees what a dependency requires, and what its update would change', async () => {
    await screen.open('package.json');
    await screen.shows('→ 4.17.21');
    await screen.putCursor('"express"');
    await screen.command('Package Insights: Show Requirements');
    await rowOf(screen, /express.*4\.18\.2/).waitFor();
    // The files make room.
    await screen.page.locator('.pane-header').filter({ hasText: 'sample' }).first().click();
    await rowOf(screen, 'dependencies').waitFor();
    await rowOf(screen, /debug.*2\.6\.9.*MIT/).waitFor();
    // The package is at the top, with its version and where that comes from.
    await eventually(async () => {
      const [top = ''] = await screen.page.locator('.pane .monaco-list-row').allInnerTexts();
      assert.match(top, /express\s*4\.18\.2/);
    });
    await screen.picture('tree');

    // Each target has a row: the smallest safe one first.
    await rowOf(screen, 'Changes with 5.').click();
    await rowOf(screen, 'Changed').waitFor();
    assert.match(await rowOf(screen, 'body-parser').innerText(), /before: 1\.20\.1/);
    await screen.picture('upgrade');

    // The tree follows the cursor.
    await screen.putCursor('"minimist"');
    await rowOf(screen, 'Changes with 1.2.8').waitFor();
    await screen.picture('followed');

    // Pinned, it does not.
    await screen.command('Package Insights: Keep This Dependency When the Cursor Moves');
    const follow = screen.page.locator('.pane .action-label[aria-label^="Follow the Cursor Again"]');
    await follow.waitFor({ state: 'attached' });
    await screen.putCursor('"express"');
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await rowOf(screen, 'Changes with 1.2.8').waitFor();
    await screen.command('Package Insights: Follow the Cursor Again');
    await rowOf(screen, /express.*4\.18\.2/).waitFor();
  });

  await context.test('one command from the line shows what its update would change', async () => {
    await screen.putCursor('"lodash"');
    await screen.command('Package Insights: What Changes…');
    await rowOf(screen, /Fixes \d vulnerabilities/).waitFor();
    await screen.picture('what-changes');
    // It takes the focus, and the keyboard leads to each row.
    await screen.page.keyboard.press('ArrowDown');
    const row = screen.page.locator('.pane .monaco-list-row.focused');
    assert.match((await row.getAttribute('aria-label')) ?? '', /Fixes \d vulnerabilities/);
    await screen.page.keyboard.press('ArrowRight');
    await rowOf(screen, 'GHSA-35jh-r3h4-6jhm').waitFor();
    await screen.picture('fixes');
  });

  await context.test('a purl is looked up, and told to be wrong while it is typed', async () => {
    await screen.open('package.json');
    await screen.shows('→ 4.17.21');
    // Where no dependency is, nothing is suggested.
    const input = screen.page.locator('.quick-input-widget:visible input');
    await screen.putCursor('"version"');
    await screen.command('Package Insights: Look Up a Package');
    await screen.page.locator('.quick-input-title').getByText('Look up a package').waitFor();
    assert.equal(await input.inputValue(), '');
    await screen.page.keyboard.press('Escape');
    await screen.putCursor('"lodash"');
    await screen.command('Package Insights: Look Up a Package');
    await screen.page.waitForFunction(
      'document.querySelector(".quick-input-widget input").value === "pkg:npm/lodash@4.17.15"',
    );
    await input.fill('pkg:npm/lodash@4.17.15?arch=any');
    await screen.page.locator('.quick-input-message').getByText('it has qualifiers').waitFor();
    await screen.picture('wrong');
    await input.fill('pkg:npm/lodash@4.17.15');
    await screen.page.keyboard.press('Enter');
    await screen.page.locator('.tab').filter({ hasText: 'lodash' }).waitFor();
    const page = screen.page.frameLocator('iframe.webview').frameLocator('iframe');
    await page.getByText('GHSA-35jh-r3h4-6jhm').first().waitFor();
    await screen.picture('page');
  });

  await context.test(
    'a name as people type it opens the page of the package, in the system that is chosen',
    async () => {
      const input = screen.page.locator('.quick-input-widget:visible input');
      await screen.open('package.json');
      await screen.shows('→ 4.17.21');
      await screen.putCursor('"version"');
      await screen.command('Package Insights: Look Up a Package');
      await screen.page.locator('.quick-input-title').getByText('Look up a package').waitFor();
      await input.fill('nmp/lodash');
      await screen.page.locator('.quick-input-message').getByText('Did you mean npm/lodash?').waitFor();
      await screen.picture('nearest');
      await input.fill('lodash');
      await screen.page.locator('.quick-input-message').getByText('Press Enter to choose the system.').waitFor();
      await screen.page.keyboard.press('Enter');
      await choiceOf(screen, 'npm/lodash').waitFor();
      await screen.picture('systems');
      // That of the active manifest comes first.
      await screen.page.keyboard.press('Enter');
      const page = screen.page.frameLocator('iframe.webview').last().frameLocator('iframe');
      await page.getByText('Latest version:').first().waitFor();
      await screen.picture('package-page');
    },
  );
});

test('a file is what it is said to be, or something else, or unknown (light, oldest VS Code)', async (context) => {
  const settings = { 'workbench.colorTheme': 'Default Light Modern' };
  const screen = await stage.open(context, { release: 'oldest', name: 'verify-Light', settings });
  const { page, folder } = screen;
  mkdirSync(join(folder, 'lib'));
  writeFileSync(join(folder, 'lib', 'example.commercial.1.0.0.nupkg'), 'Example.Commercial 1.0.0');
  writeFileSync(join(folder, 'lib', 'example.commercial.2.0.0.nupkg'), 'changed');
  const reference = '<PackageReference Include="Example.Commercial" Version="1.0.0" />';
  writeFileSync(join(folder, 'app.csproj'), `<Project>\n<ItemGroup>\n${reference}\n</ItemGroup>\n</Project>\n`);
  await screen.open('app.csproj');
  await screen.shows('→ 2.1.0');
  await rowOf(screen, /^lib$/).click();
  const told = (text: string): Locator => page.locator('.notification-toast').filter({ hasText: text });
  const input = page.locator('.quick-input-widget:visible input');
  const guessed = async (purl: string): Promise<unknown> =>
    page.waitForFunction(`document.querySelector('.quick-input-widget input')?.value === ${JSON.stringify(purl)}`);

  // What is typed is looked at before it is taken.
  const accept = (): Promise<void> =>
    eventually(async () => {
      // It may have gone just now: what comes of it is on the screen for some seconds alone.
      if (await input.isVisible()) await input.press('Enter', { timeout: patience / 40 });
      await input.waitFor({ state: 'hidden', timeout: patience / 40 });
    });

  await screen.menu(rowOf(screen, 'commercial.1.0.0.nupkg'), 'Verify a File');
  await guessed('pkg:nuget/example.commercial@1.0.0');
  await input.fill('pkg:nuget/example.commercial');
  await page.locator('.quick-input-message').getByText('The version is missing').waitFor();
  await screen.picture('without-version');
  await input.fill('pkg:nuget/example.commercial@1.0.0');
  await accept();
  await told('Yes: by its').waitFor();
  await screen.picture('yes');

  // The menu that closes may take the focus back, and the box is gone before anything was typed: then once more.
  const verify = (file: string, guess: string, claim: string, answer: string): Promise<void> =>
    eventually(async () => {
      await screen.menu(rowOf(screen, file), 'Verify a File');
      await input.waitFor({ timeout: patience / 10 });
      await guessed(guess);
      await input.fill(claim, { timeout: patience / 10 });
      await accept();
      await told(answer).waitFor({ timeout: patience / 10 });
    });
  const changed = 'pkg:nuget/example.commercial@2.0.0';
  await verify('commercial.2.0.0.nupkg', changed, changed, 'Unknown:');
  await told('Unknown:').getByText('Look Up Package').waitFor();
  await screen.picture('unknown');
  await screen.command('Notifications: Clear All Notifications');

  const other = 'pkg:nuget/newtonsoft.json@12.0.3';
  await verify('commercial.1.0.0.nupkg', 'pkg:nuget/example.commercial@1.0.0', other, 'No: by its');
  await screen.picture('no');
  await told('No:').getByText('Show Details').click();
  await choiceOf(screen, 'Example.Commercial 1.0.0').waitFor();
  await page.keyboard.press('Escape');
});
