import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { PageAssets as Parts } from '../../server/src/report/formats/format.ts';
import { html } from '../../server/src/report/formats/html.ts';
import type { Report } from '../../server/src/report/report.ts';
import { reportOf, tool, wholeCoverage } from '../report/reports.ts';
import { launchBrowser } from '../tools/chromium.ts';
import { root } from '../tools/paths.ts';

const folder = mkdtempSync(join(tmpdir(), 'report-page-'));
let browser: Browser;
let parts: Parts;

before(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'client', 'report-page', 'main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
  });
  const style = readFileSync(join(root, 'client', 'report-page', 'style.css'), 'utf8');
  parts = { script: outputFiles[0]?.text ?? '', style };
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** A report in the browser, and whatever the browser complains of. */
async function open(
  names: readonly string[],
  gaps: Partial<Report> = {},
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const file = join(folder, 'report.html');
  writeFileSync(file, html.write({ ...reportOf(names), ...gaps }, { color: false, tool, page: () => parts }));
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
  const complaints: string[] = [];
  page.on('console', (it) => complaints.push(it.text()));
  page.on('pageerror', (it) => complaints.push(String(it)));
  page.on('dialog', (it) => complaints.push(it.message()));
  page.on('request', (it) => it.url().startsWith('file:') || complaints.push(it.url()));
  await page.goto(pathToFileURL(file).href);
  return { page, complaints };
}

test('what is missing in a report stands at its head, and of many files a few are named', async () => {
  const { page } = await open(['a'], {
    coverage: { ...wholeCoverage, total: 3, lookedUp: 1, failed: 2, unread: 1, unclear: 7 },
    failures: [{ reason: 'connection refused', count: 2 }],
    unread: ['huge/package.json'],
    unclear: Array.from({ length: 7 }, (_, at) => ({ path: `p${at}/pom.xml`, line: 3 })),
  });
  assert.deepEqual(await page.locator('.incomplete').allInnerTexts(), [
    'Incomplete: 1 of 3 looked up: 2 failed; 1 manifest not read; 7 manifests partly read.',
    'Failed lookups: 2 (connection refused)',
    'Unreadable, dependencies are missing: huge/package.json',
    'Partly understood, dependencies may be missing: p0/pom.xml:3, p1/pom.xml:3, p2/pom.xml:3, p3/pom.xml:3, p4/pom.xml:3, and 2 more',
  ]);
  await page.close();
});

test('what strangers write is shown as they wrote it, and nothing of it runs or is loaded', async () => {
  const hostile = '\u202e<img src=https://insights.example/x onerror=alert(1)></script><script>alert(2)</script>';
  const { page, complaints } = await open([hostile]);
  const row = page.locator('.body [role=row]').first();
  await row.click();
  const shown = hostile.slice(1);
  assert.equal((await row.locator('[role=gridcell]').nth(1).textContent())?.trim(), shown);
  assert.equal((await page.locator('.details h2').textContent())?.trim(), `${shown} 1.0.0`);
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.locator('a[href^="javascript:"]').count(), 0);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('of 10,000 rows those exist that are seen; keys move through them, and paper has all', async () => {
  const { page, complaints } = await open(Array.from({ length: 10_000 }, (_, at) => `package-${at}`));
  const rows = page.locator('.body [role=row]');
  await rows.first().waitFor();
  assert.ok((await rows.count()) < 100);
  const grid = page.locator('[role=grid]');
  assert.equal(await grid.getAttribute('aria-rowcount'), '10001');
  await grid.focus();
  await page.keyboard.press('End');
  assert.equal(await page.locator('[aria-selected=true] [role=gridcell]').nth(1).textContent(), 'package-9999');
  assert.ok((await rows.count()) < 100);

  await page.keyboard.press('/');
  await page.keyboard.type('package-77 1.77.0');
  assert.equal(await page.locator('[role=status]').textContent(), '1 of 10000 shown');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'Package', exact: true }).click();
  assert.equal(await page.locator('[aria-sort=ascending]').textContent(), 'Package');
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('[aria-sort=descending]').textContent(), 'Package');

  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  assert.equal(await rows.count(), 10_000);
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  assert.ok((await rows.count()) < 100);
  assert.deepEqual(complaints, []);
  await page.close();
});
