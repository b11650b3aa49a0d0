import type { Screen } from './screen.ts';

/** Selects every change of the first file in the preview of a refactoring, and applies them. */
export async function confirmPreview({ page }: Screen): Promise<void> {
  const panel = page.locator('.bulk-edit-panel');
  await panel.locator('.monaco-list-row .edit-checkbox').first().click();
  await panel.getByText('Apply', { exact: true }).click();
  await panel.waitFor({ state: 'hidden' });
}
