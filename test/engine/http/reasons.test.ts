import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Whatever a look-up can fail for. */
function reasons(): readonly string[] {
  return ['http', 'facts/store', 'facts/service', 'facts/cache'].flatMap((room) => {
    const directory = new URL(`../../../server/src/engine/${room}/`, import.meta.url);
    const sources = readdirSync(directory).map((it) => readFileSync(new URL(it, directory), 'utf8'));
    return sources.flatMap((it) => [...it.matchAll(/l10n\.t\(\s*(['"])(.*?)\1/g)].map(([, , text = '']) => text));
  });
}

test('the page about the network tells of every reason that a look-up can fail for', () => {
  const page = readFileSync(new URL('../../../docs/network.md', import.meta.url), 'utf8');
  const all = reasons();
  assert.ok(all.includes('connection refused') && all.length > 30);
  assert.deepEqual(
    all.map((it) => it.replaceAll(/\{\d\}/g, '…')).filter((it) => !page.includes(it)),
    [],
  );
});
