import type { Screen } from './screen.ts';

/** Makes all updates of the preview, which are selected. */
export async function confirmPreview({ page }: Screen): Promise<void> {
  const list = page.locator('.quick-input-widget:visible').filter({ hasText: 'Update to these versions?' });
  await list.locator('.monaco-list-row').first().waitFor();
  await page.keyboard.press('Enter');
  await list.waitFor({ state: 'hidden' });
}
