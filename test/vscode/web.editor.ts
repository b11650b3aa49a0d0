import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../tools/chromium.ts';
import { packVsix } from '../tools/packing.ts';
import { cache } from '../tools/paths.ts';
import { eventually } from './eventually.ts';
import { screenOf } from './screen.ts';
import { openWebWindow } from './web-window.ts';

const { PACKAGE_INSIGHTS_VSIX: packed } = process.env;
const vsix = packed ?? join(cache, 'editor-tests.vsix');
let browser: Browser;
before(async () => {
  if (packed === undefined) await packVsix(vsix);
  browser = await launchBrowser();
});
after(() => browser.close());

test('in VS Code for the web, a folder without a disk has hints, hovers, findings, fixes and a report', async (context) => {
  const window = await openWebWindow(context, browser, vsix);
  const { page, asked } = window;
  const screen = screenOf(window, 'web');
  try {
    await screen.open('package.json');
    // No name is sent before the person permits it: settings of the computer may assign it to a private registry.
    const offer = page.locator('.notification-toast').filter({ hasText: 'Nothing is looked up yet' });
    await offer.waitFor();
    // One question for all lines, not a hint on each.
    assert.equal(await page.locator('.view-line').filter({ hasText: 'private' }).count(), 1);
    await screen.picture('withheld');
    assert.deepEqual(asked, []);
    // A notification that is still moving takes no click.
    await eventually(async (timeout) => {
      if (await offer.isVisible()) await offer.getByText('Not Now', { exact: true }).click({ timeout });
      await offer.waitFor({ state: 'hidden', timeout });
    });
    // VS Code keeps it after some seconds.
    await page.waitForTimeout(7000);
    // The answer is kept: the window opens again without the question.
    await screen.open('package.json');
    const item = page.locator('.statusbar-item').filter({ hasText: 'not looked up yet' });
    await item.waitFor();
    assert.equal(await offer.count(), 0);
    // Each place has its button.
    await screen.command('Package Insights: Show Report');
    const report = page.frameLocator('iframe.webview').frameLocator('#active-frame');
    const question = page.locator('.monaco-dialog-box').filter({ hasText: 'Look up packages in the browser?' });
    await report.getByText('not looked up yet').first().waitFor();
    await screen.picture('report-before');
    await report.getByRole('button', { name: 'Look Up Packages in the Browser…' }).click();
    await question.getByText('Cancel', { exact: true }).click();
    await page.keyboard.press('Control+W');
    await page.locator('.pane-header').filter({ hasText: 'Requirements' }).first().click();
    await screen.putCursor('lodash');
    const view = page.locator('.pane').filter({ hasText: 'which may assign names to a private registry' });
    await view.getByText('Look Up Packages in the Browser…').waitFor();
    await screen.picture('requirements-before');
    assert.match(await screen.hover('lodash', 'Not looked up yet'), /Look Up Packages in the Browser…/);
    await screen.picture('hover-before');
    await page.mouse.move(5, 5);
    assert.deepEqual(asked, []);
    await item.click();
    await screen.picture('asked-again');
    await question.getByText('Look Up', { exact: true }).click();

    // The version is that of the lockfile beside the manifest.
    await screen.shows('5.3.0 · MIT');
    await screen.squiggle('error');
    await screen.picture('hints');
    assert.ok(asked.length > 0);
    assert.match(await screen.hover('lodash', 'vulnerabilities'), /4\.17\.21/);
    await screen.picture('hover');
    assert.match((await screen.problems()).join('\n'), /minimist/);
    await screen.problemsAway();

    await screen.quickFixes('^4.17.15');
    await screen.take('Update lodash to 4.17.21');
    await screen.shows('"^4.17.21"');
    await screen.picture('fixed');
    await page.keyboard.press('Control+Z');
    await screen.shows('"^4.17.15"');

    await screen.command('Package Insights: Show Report');
    await report.locator('.body [role=row]').filter({ hasText: 'log4j' }).first().waitFor();
    await screen.picture('report');

    // What cannot work here is not offered.
    await page.keyboard.press('F1');
    await page.keyboard.type('Package Insights: ');
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Look Up' }).first().waitFor();
    assert.equal(await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Connect' }).count(), 0);
    await page.keyboard.press('Escape');
  } catch (error) {
    await screen.picture('failed');
    throw error;
  }
});
