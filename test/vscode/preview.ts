import type { Screen } from './screen.ts';

/** Takes a row of the list of *Update…*: the safe versions of the file without a title. */
export async function update(screen: Screen, title = 'Safe versions of this file'): Promise<void> {
  await screen.command('Package Insights: Update…');
  const list = screen.page.locator('.quick-input-widget:visible').filter({ hasText: 'Update to which versions?' });
  const row = list.locator('.monaco-list-row').filter({ hasText: title });
  await row.waitFor();
  await list.locator('input').fill(title);
  await list.locator('.monaco-list-row.focused').filter({ hasText: title }).waitFor();
  await screen.page.keyboard.press('Enter');
  await list.waitFor({ state: 'hidden' });
}

/** Makes all updates of the preview, which are selected. */
export async function confirmPreview({ page }: Screen): Promise<void> {
  const list = page.locator('.quick-input-widget:visible').filter({ hasText: 'Update to these versions?' });
  await list.locator('.monaco-list-row').first().waitFor();
  await page.keyboard.press('Enter');
  await list.waitFor({ state: 'hidden' });
}
