import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setStage } from './stage.ts';

const stage = setStage();

test('a deployment manifest is checked, previewed, deployed, compared and deleted', async (context) => {
  const screen = await stage.open(context, {
    release: 'newest',
    name: 'deployments',
    viewport: { width: 1200, height: 1000 },
    isConnected: true,
  });
  const { page } = screen;
  const widget = page.locator('.quick-input-widget:visible');
  const question = page.locator('.monaco-dialog-box');
  const lens = (title: string | RegExp) => page.locator('.codelens-decoration a').filter({ hasText: title }).first();
  const said = (text: string | RegExp) => page.locator('.notification-toast').filter({ hasText: text }).first();
  const clear = async (): Promise<void> => {
    await screen.command('Notifications: Clear All Notifications');
    await page.locator('.notification-toast').first().waitFor({ state: 'hidden' });
  };
  await screen.open('connected/deployment.yaml');

  // Types and properties, as in a manifest of packages.
  await screen.shows('runtimeconfig.v1beta1.configexperimental');
  await screen.shows('compute.v1.httpHealthCheck⚠ deprecated');
  await screen.shows('storage.v1.buckets⚠ unknown type');
  assert.match(await screen.hover('compute.v1.instance', 'Virtual machine'), /machineType string, required/);
  await screen.picture('hover');
  await screen.quickFixes('canIpForwards');
  await screen.picture('fix');
  await screen.take('Change to canIpForward');
  await screen.shows('canIpForward: false');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('sched');
  await page.locator('.suggest-widget:visible .monaco-list-row').filter({ hasText: 'scheduling' }).first().waitFor();
  await screen.picture('completion');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+K');

  // The service refuses a resource, and the error is shown at it.
  await lens('Preview').click();
  await widget.filter({ hasText: 'Name of the Deployment' }).waitFor();
  await page.keyboard.press('Enter');
  await question
    .filter({ hasText: 'These files are sent with the manifest:' })
    .filter({ hasText: 'store.jinja' })
    .waitFor();
  await question.getByRole('button', { name: 'Preview' }).click();
  await said('Preview has ended. Errors: 1').waitFor();
  await lens('demo/deployment').waitFor();
  assert.ok((await screen.problems()).some((it) => it.includes('The service reports') && it.includes('buckets')));
  await screen.picture('reported');
  await screen.problemsAway();
  await clear();
  await screen.quickFixes('storage.v1.buckets');
  await screen.take('Change to storage.v1.bucket');
  await screen.shows('storage.v1.bucket✓ supported');

  await lens(/^Deploy$/).click();
  await question.filter({ hasText: 'Deploy to deployment in the project demo?' }).waitFor();
  await screen.picture('question');
  await question.getByRole('button', { name: 'Deploy' }).click();
  await said('Deploying deployment').getByRole('button', { name: 'Cancel' }).waitFor();
  await screen.picture('progress');
  await said('Deploy has ended. Warnings: 2').or(said('Deploy is done')).waitFor();
  await lens('demo/deployment: deployed').waitFor();
  await clear();
  screen.change({ 'workbench.colorTheme': 'Default Dark Modern' });
  const view = page.locator('.pane').filter({ hasText: 'Deployments' });
  await view.locator('.pane-header').click();
  for (const row of ['deployment', 'Resources']) {
    await view.locator('.monaco-list-row').filter({ hasText: row }).first().click();
  }
  await view.locator('.monaco-list-row').filter({ hasText: 'storage.v1.bucket' }).first().waitFor();
  await screen.picture('deployed');

  await screen.save();
  await lens('Compare with Deployed').click();
  await page.locator('.monaco-diff-editor .view-line').filter({ hasText: 'resources' }).first().waitFor();
  await screen.picture('compare');
  await page.locator('.tabs-container .tab').first().click();

  await lens('Delete').click();
  await widget.filter({ hasText: 'Delete deployment and All Its Resources' }).waitFor();
  await widget.locator('input').fill('deploy');
  await widget.getByText('This is not the name').waitFor();
  await screen.picture('delete');
  await widget.locator('input').fill('deployment');
  await page.keyboard.press('Enter');
  await said('Delete is done').waitFor();
  await lens('demo/deployment: not deployed').waitFor();
  await screen.picture('deleted');
});
