import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

/*
 * The same tests of features with the language server of a browser, as bundled, in a thread: `strict-client.ts` starts it
 * for them. Each file is one that replaces nothing of the server's world.
 */
const features = [
  'answer-first',
  'code-lens',
  'completion',
  'hint-resolve',
  'purl-at',
  'untitled',
  'versions',
  'way-out',
];

test('features are the same in a browser', async () => {
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const child = spawn(
    process.execPath,
    // In one process, which bundles the server once. A test may leave its server running, as an editor that is closed does.
    [
      '--test',
      '--test-force-exit',
      '--test-isolation=none',
      '--test-reporter=tap',
      ...features.map((it) => `${it}.test.ts`),
    ],
    {
      cwd: import.meta.dirname,
      env: { ...environment, PACKAGE_INSIGHTS_DOOR: 'browser' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exit = new Promise((resolve) => child.on('close', resolve));
  const printed = await text(child.stdout);
  assert.equal(await exit, 0, printed);
  const [, passed = '0'] = /^# pass (\d+)$/m.exec(printed) ?? [];
  assert.ok(Number(passed) > 2 * features.length, printed);
});
