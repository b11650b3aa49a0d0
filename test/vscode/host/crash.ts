import assert from 'node:assert/strict';
import { eventually } from '../eventually.ts';
import { diagnosticsOf, hoverAt, open } from './document.ts';
import { languageServer } from './language-server.ts';
import { test } from './runner.ts';

// Only Linux tells who started whom, and so which process is to be ended.
if (process.platform === 'linux') test('a server that is killed comes back and knows the open documents', killAndWait);

async function killAndWait(): Promise<void> {
  const document = await open('package.json');
  await eventually(() => assert.notDeepEqual(diagnosticsOf(document), []));
  const before = await eventually(() => languageServer());
  process.kill(before, 'SIGKILL');
  await eventually(() => assert.notEqual(languageServer(), before));
  await eventually(async () => {
    const hover = await hoverAt(document, '"lodash"');
    assert.ok(hover.includes('MIT'), hover);
    assert.notDeepEqual(diagnosticsOf(document), []);
  });
}
