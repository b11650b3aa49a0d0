import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entriesOf, startLinkService } from '../harness/link-service.ts';
import { setStage } from './stage.ts';

const stage = setStage();

test('a suspected link is struck through, and an unchecked one is opened after a question', async (context) => {
  const service = await startLinkService({ entries: entriesOf({ list: 'MALWARE', expression: 'lodash.com/' }) });
  context.after(service.close);
  const screen = await stage.open(context, { release: 'newest', name: 'links' });
  const { page } = screen;
  const widget = page.locator('.quick-input-widget:visible');
  await screen.open('package.json');
  await screen.squiggle('error');
  await screen.command('Package Insights: Connect a Service…');
  await widget.getByText('Link Safety').click();
  await widget.filter({ hasText: 'Link Safety: Address' }).waitFor();
  await widget.locator('input').fill(service.url);
  await page.keyboard.press('Enter');
  await widget.locator('input[type=password]').fill('opensesame-0123456789');
  await page.keyboard.press('Enter');
  await widget.getByText('How Links Are Checked').waitFor();
  await page.keyboard.press('Enter');
  await screen.hover('lodash', 'may lead to malware');
  const hover = page.locator('.monaco-hover:visible');
  assert.deepEqual(await hover.locator('del').allInnerTexts(), ['Homepage (lodash.com)']);
  assert.equal(await hover.locator('a', { hasText: 'Homepage' }).count(), 0);
  assert.match(
    (await hover.locator('a', { hasText: 'Source' }).getAttribute('title')) ?? '',
    /no known threat, \d\d:\d\d/,
  );
  await screen.picture('suspected');

  service.fail((response) => response.writeHead(500).end());
  screen.change({
    'packageInsights.connections.linkSafety.baseUrl': service.url,
    'packageInsights.connections.linkSafety.mode': 'lookup',
  });
  await screen.hover('lodash', 'Open anyway');
  assert.equal(await hover.locator('a', { hasText: 'Source' }).count(), 0);
  await screen.picture('unchecked');
  await hover.locator('a', { hasText: 'Open anyway' }).first().click();
  const question = page.locator('.monaco-dialog-box');
  await question.filter({ hasText: 'This link was not checked. Open it anyway?' }).waitFor();
  await screen.picture('question');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'hidden' });
});
