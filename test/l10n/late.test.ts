import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as l10n from '@vscode/l10n';
import { root } from '../tools/paths.ts';

test('no text is worded while modules are loaded, when its language is not known yet', async () => {
  const worded: string[] = [];
  l10n.config({ contents: new Proxy({}, { get: (_, message) => void worded.push(String(message)) }) });
  // The roots start what they are for.
  const modules = globSync('server/src/*/**/*.ts', { cwd: root, exclude: ['server/src/bin'] }).filter(
    (it) => !it.endsWith('.d.ts'),
  );
  await Promise.all(modules.map((it) => import(join(root, it))));
  assert.deepEqual(worded, []);
  assert.equal(l10n.t('This would be seen.'), 'This would be seen.');
  assert.deepEqual(worded, ['This would be seen.']);
});
