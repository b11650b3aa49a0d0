import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setStage } from './stage.ts';

const stage = setStage();

for (const theme of ['Default Dark Modern', 'Default Light Modern']) {
  test(`the report of a workspace opens the manifest of a row (${theme})`, async (context) => {
    const screen = await stage.open(context, {
      release: 'newest',
      name: `report-${theme.split(' ')[1]}`,
      settings: { 'workbench.colorTheme': theme },
    });
    mkdirSync(join(screen.folder, 'inside'));
    writeFileSync(join(screen.folder, 'inside', '.npmrc'), '@inside:registry=https://npm.inside.example/\n');
    writeFileSync(join(screen.folder, 'inside', 'package.json'), '{ "dependencies": { "@inside/ui": "1.0.0" } }\n');
    await screen.open('package.json');
    await screen.squiggle('error');
    await screen.command('Package Insights: Show Report');
    const page = screen.page.frameLocator('iframe.webview').frameLocator('#active-frame');
    const row = page.locator('.body [role=row]').filter({ hasText: 'snakeyaml' }).first();
    await row.waitFor();
    await page.getByText(/private.* from (the registry )?npm\.inside\.example \(\.npmrc\)/).waitFor();
    await screen.picture('report');
    assert.equal(await page.locator('svg[role=img]').count(), 3);

    await page.locator('input').fill('log4j pom.xml');
    await row.waitFor({ state: 'hidden' });
    const found = page.locator('.body [role=row]').filter({ hasText: 'log4j' }).first();
    await found.click();
    await screen.page.locator('.tab.active').filter({ hasText: 'pom.xml' }).waitFor();
    await screen.picture('opened');

    await screen.page.locator('.tab').filter({ hasText: 'package.json' }).first().click();
    await found.waitFor({ state: 'hidden' });
    await screen.page.locator('.tab').filter({ hasText: 'Dependency Report' }).click();
    await found.waitFor();
    assert.equal(await page.locator('input').inputValue(), 'log4j pom.xml');
  });
}
