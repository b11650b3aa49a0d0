import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { eventually } from '../eventually.ts';
import { diagnosticsOf, hoverAt, open } from './document.ts';
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

/** The process of our server that this extension host started. */
function languageServer(): number {
  const children = readdirSync('/proc').filter((it) => /^\d+$/.test(it) && isOurs(it));
  assert.equal(children.length, 1, `there are ${children.length} servers`);
  return Number(children[0]);
}

function isOurs(id: string): boolean {
  try {
    const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${id}/stat`, 'utf8'))?.[1];
    return parent === String(process.pid) && /dist\/server\.js/.test(readFileSync(`/proc/${id}/cmdline`, 'utf8'));
  } catch {
    // It ended while it was looked at.
    return false;
  }
}
