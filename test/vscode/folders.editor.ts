import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setStage } from './stage.ts';

const stage = setStage();

test('each folder of a workspace goes by its own settings and project file, and by new settings at once', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'folders', folders: ['web', 'api'] });
  const write = (file: string, content: object): void => {
    mkdirSync(join(screen.folder, file, '..'), { recursive: true });
    writeFileSync(join(screen.folder, file), JSON.stringify(content, undefined, 2));
  };
  for (const folder of ['web', 'api']) write(`${folder}/package.json`, { dependencies: { lodash: '4.17.15' } });
  write('web/.vscode/settings.json', {
    'packageInsights.severity.advisory': 'warning',
    'packageInsights.inlayHints': 'off',
  });
  write('api/.package-insights.json', { licenses: { deny: ['MIT'] } });

  await screen.open('api/package.json');
  await screen.shows('license denied');
  await screen.squiggle('error');
  await screen.picture('api');
  await screen.open('web/package.json');
  await screen.squiggle('warning');
  assert.equal(await screen.page.locator('.view-line').filter({ hasText: 'MIT' }).count(), 0);
  await screen.picture('web');
  write('web/.vscode/settings.json', {});
  await screen.shows('⚠ high');
  await screen.squiggle('error');
  await screen.picture('changed');
});
