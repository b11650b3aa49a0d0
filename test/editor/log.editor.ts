import { test } from 'node:test';
import { setStage } from './stage.ts';

const stage = setStage();

test('the log outlives a new start of the server', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'log' });
  await screen.open('package.json');
  await screen.squiggle('error');
  await screen.command('Package Insights: Show Log');
  const lines = screen.page.locator('.output-view .view-line').filter({ hasText: 'asks' });
  await lines.first().waitFor();
  await screen.command('Package Insights: Restart Language Server');
  await lines.nth(1).waitFor();
  await screen.picture('restarted');
});
