import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { PageAssets as Parts } from '../../server/src/engine/report/formats/format.ts';
import { html } from '../../server/src/engine/report/formats/html.ts';
import { pageDataOf } from '../../server/src/engine/report/formats/page-texts.ts';
import type { Report } from '../../server/src/engine/report/report.ts';
import { reportOf, tool, wholeCoverage } from '../engine/report/reports.ts';
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
    'Incomplete: 1 of 3 dependencies in 1 manifest checked. Not checked: 2 failed; 1 manifest not read; 7 manifests partly read.',
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
  assert.equal((await row.locator('[role=gridcell]').nth(2).textContent())?.trim(), shown);
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
  assert.equal(await page.locator('[aria-selected=true] [role=gridcell]').nth(2).textContent(), 'package-9999');
  assert.ok((await rows.count()) < 100);

  await page.keyboard.press('/');
  await page.keyboard.type('package-77 1.77.0');
  assert.equal(await page.locator('[role=status]').textContent(), '1 of 10000 shown');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  assert.ok(await page.getByRole('button', { name: 'Clear filters' }).isDisabled());
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

/** The page as an editor shows it, with what it posts to the editor. */
async function openInEditor(report: Report, width = 900) {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  await page.addInitScript(`
    window.posted = [];
    window.acquireVsCodeApi = () => ({ postMessage: (it) => posted.push(it), getState() {}, setState() {} });
  `);
  const file = join(folder, 'editor.html');
  const script = parts.script.replace(/<\//g, '<\\/');
  writeFileSync(
    file,
    `<!doctype html><html lang="en"><meta charset="utf-8"><style>${parts.style}</style><body><script>${script}</script>`,
  );
  await page.goto(pathToFileURL(file).href);
  const send = (message: unknown): Promise<void> =>
    page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
  const posted = (): Promise<readonly { readonly kind: string }[]> => page.evaluate('posted');
  await send(pageDataOf(report, tool));
  await page.locator('h1').waitFor();
  return { page, send, posted };
}

/** A report with a strong copyleft among permissive licenses. */
function withCopyleft(): Report {
  const report = reportOf(['a', 'b', 'org.springframework.boot:spring-boot-starter-web']);
  const packages = report.packages.map((it, at) => ({
    ...it,
    licenseClass: at === 2 ? ('strong-copyleft' as const) : ('permissive' as const),
  }));
  return { ...report, packages };
}

test('one click, or five keys, show everything under a strong copyleft', async () => {
  const { page } = await openInEditor(withCopyleft());
  const rows = page.locator('.body [role=row]');
  await page.getByRole('button', { name: 'Strong copyleft: 1' }).click();
  assert.equal(await rows.count(), 1);
  assert.equal(await page.locator('[role=status]').first().textContent(), '1 of 3 shown');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  assert.equal(await rows.count(), 3);

  // Findings, licenses, down twice, choose.
  const again = await openInEditor(withCopyleft());
  for (const key of ['Tab', 'Tab', 'ArrowDown', 'ArrowDown', 'Enter']) await again.page.keyboard.press(key);
  assert.equal(await again.page.locator('.body [role=row]').count(), 1);
  assert.equal(await again.page.locator('.bar-button[aria-pressed=true]').textContent(), 'Strong copyleft1');
  // The bar keeps the focus, and Space takes the filter back.
  await again.page.keyboard.press(' ');
  assert.equal(await again.page.locator('.body [role=row]').count(), 3);
  // Letters find a bar.
  await again.page.keyboard.press('w');
  await again.page.keyboard.press('Enter');
  assert.equal(await again.page.locator('.empty').innerText(), 'No row matches the filters.\n\nClear filters');
  await page.close();
  await again.page.close();
});

test('the update of a row is a click or the letter U, and says once that it was done', async () => {
  const { page, send, posted } = await openInEditor(withCopyleft());
  const row = page.locator('.body [role=row]').first();
  const updates = async () => (await posted()).filter((it) => it.kind !== 'ready');
  await row.getByRole('button', { name: '2.0.0 · major' }).click();
  const sent = { kind: 'update', path: 'app/package.json', line: 1, column: 1, declared: 'a', version: '2.0.0' };
  assert.deepEqual(await updates(), [sent]);

  await page.locator('[role=grid]').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('u');
  assert.deepEqual(await updates(), [sent, sent]);
  const { kind, version, ...place } = sent;
  await send({ updated: place, version });
  await row.getByText('Updated to 2.0.0').waitFor();
  assert.equal(
    await page.locator('[role=status]').first().textContent(),
    'a updated to 2.0.0. Refresh to check again.',
  );
  await page.keyboard.press('u');
  assert.equal(await row.getByRole('button').count(), 0);
  assert.equal((await updates()).length, 2);
  await page.close();
});

test('an update that has to be done by hand says why, and does nothing', async () => {
  const report = withCopyleft();
  const [project] = report.projects;
  assert.ok(project);
  const dependencies = project.dependencies.map((it) => ({
    ...it,
    updates: it.updates.map((one) => ({ ...one, refused: 'managed by bom 1.0: update acme instead' })),
  }));
  const { page, posted } = await openInEditor({ ...report, projects: [{ ...project, dependencies }] });
  const row = page.locator('.body [role=row]').first();
  await row.getByText('2.0.0 · major, by hand: managed by bom 1.0: update acme instead').waitFor();
  assert.equal(await row.getByRole('button').count(), 0);
  await page.locator('[role=grid]').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('u');
  await page.locator('.updates').getByText('by hand: managed by bom 1.0: update acme instead').waitFor();
  const button = page.locator('.updates').getByRole('button');
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  await button.click({ force: true });
  assert.deepEqual(
    (await posted()).map((it) => it.kind),
    ['ready'],
  );
  await page.close();
});

test('without an editor the targets are text', async () => {
  const { page } = await open(['a', 'b']);
  const row = page.locator('.body [role=row]').first();
  assert.equal(await row.getByText('2.0.0 · major').count(), 1);
  await row.click();
  assert.equal(await page.locator('.updates').innerText(), '2.0.0 major');
  assert.equal(await page.locator('main button:not(.head button)').count(), 0);
  await page.close();
});

for (const width of [310, 440, 520, 600, 720, 900]) {
  test(`at a width of ${width} everything fits, and a long name keeps both its ends`, async () => {
    const { page, send } = await openInEditor(withCopyleft(), width);
    const data = pageDataOf(withCopyleft(), tool);
    // The longest that a translation has.
    await send({ ...data, texts: { ...data.texts, distances: 'Aktualisierungen' } });
    const title = page.locator('figcaption').filter({ hasText: 'Aktualisierungen' });
    const bar = page.locator('.bar-button').filter({ hasText: 'Up to date' });
    if (await title.isVisible()) {
      const [words, button] = [await title.boundingBox(), await bar.boundingBox()];
      const isBeside = words && button && words.y < button.y + button.height && button.y < words.y + words.height;
      const end = await title.evaluate((it) => it.getBoundingClientRect().left + it.scrollWidth);
      assert.ok(!isBeside || (button && end <= button.x), 'a title lies over its buttons');
    }
    const fits = 'document.documentElement.scrollWidth <= innerWidth';
    assert.equal(await page.evaluate(fits), true);
    const row = page.locator('.body [role=row]').filter({ hasText: 'spring' });
    const list = await page.locator('.list').evaluate((it) => it.scrollWidth <= it.clientWidth);
    assert.equal(list, true);
    const name = row.locator('[title="org.springframework.boot:spring-boot-starter-web"]');
    const [start, end] = await name
      .locator('.cut span')
      .evaluateAll((parts) => parts.map((it) => ({ text: it.textContent, isCut: it.scrollWidth > it.clientWidth })));
    assert.deepEqual([start?.isCut, end], [true, { text: 'starter-web', isCut: false }]);
    await page.close();
  });
}

test('an empty report says why it is empty', async () => {
  const all = reportOf(['a']);
  const shown = async (report: Report): Promise<string> => {
    const { page } = await openInEditor(report);
    await page.getByRole('button', { name: /^Findings/ }).click();
    const text = await page.locator('.empty').innerText();
    await page.close();
    return text;
  };
  assert.equal(await shown({ ...all, findings: [] }), 'No findings.');
  const coverage = { ...wholeCoverage, total: 1, failed: 1 };
  const failures = [{ reason: 'connection refused', count: 1 }];
  assert.match(
    await shown({ ...all, findings: [], coverage, failures }),
    /^No findings\.\n\nIncomplete: 0 of 1 dependency in 1 manifest checked/,
  );
  const none = { ...all, findings: [], packages: [], projects: [], dependencies: 0 };
  assert.equal(await shown(none), 'No dependencies.');
  assert.match(await shown({ ...none, manifests: 0 }), /^No manifests such as package\.json/);
});

/** The landmarks and controls of a page in their order, as a screen reader names them. */
const spoken = `
banner:
heading "Dependency report" [level=1]
search:
figure "Findings":
toolbar "Findings":
'button "High: 3"': High 3
figure "Licenses":
toolbar "Licenses":
figure "Updates":
toolbar "Updates":
group "List":
button "Findings (3)" [pressed]
button "Dependencies (3)"
searchbox "Search (press /)"
status: 3 of 3 shown
combobox "System":
combobox "Project":
combobox "License":
button "Clear filters" [disabled]
button "Refresh"
main:
grid "Dependency report":
row "Severity ↓ Score Package Version Finding Update Project":
columnheader "Package":
row "High 7.0 org.springframework.boot:spring-boot-starter-web 1.2.0 1 vulnerability, high 7.0, fixed in 2.0.0. 2.0.0 · major app/package.json:3" [selected]:
complementary:
heading "org.springframework.boot:spring-boot-starter-web 1.2.0" [level=2]
button "Open app/package.json:3"
list "Update":
button "Update to 2.0.0"`;

test('a screen reader finds landmarks, headings, and a name for each control', async () => {
  const { page } = await openInEditor(withCopyleft());
  await page.locator('[role=grid]').focus();
  for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  const lines = (await page.locator('body').ariaSnapshot()).split('\n').map((it) => it.replace(/^ *- /, ''));
  let from = 0;
  for (const line of spoken.trim().split('\n')) {
    const at = lines.indexOf(line, from);
    assert.ok(at >= 0, `${line}\nis not in\n${lines.slice(from).join('\n')}`);
    from = at + 1;
  }
  // Nothing that takes the focus is without a name.
  assert.deepEqual(
    lines.filter((it) => /^(button|link|combobox|searchbox)(?! ")/.test(it)),
    [],
  );
  await page.close();
});

test('nothing is said by color alone, and forced colors show what is pressed', async () => {
  const { page } = await openInEditor(withCopyleft());
  await page.emulateMedia({ forcedColors: 'active' });
  const bar = page.getByRole('button', { name: 'Strong copyleft: 1' });
  const styleOf = (selector: string, name: string, part = ''): Promise<string> =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}'), '${part}')['${name}']`);
  const button = '.bar-button[title^=Strong]';
  const before = await styleOf(button, 'backgroundColor');
  await bar.click();
  const pressed = await styleOf(button, 'backgroundColor');
  assert.notEqual(pressed, before);
  assert.equal(await styleOf(`${button} .label`, 'content', '::before'), '"✓ "');
  const drawn = await styleOf(`${button} .bar`, 'backgroundColor');
  assert.notEqual(drawn, pressed);
  await page.close();
});
