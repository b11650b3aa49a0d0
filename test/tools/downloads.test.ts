import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import downloads from './downloads.json' with { type: 'json' };
import { npm } from './npm.ts';

// Where the environment names a place for caches, downloads are kept there; it is read when the module is loaded.
const caches = mkdtempSync(join(tmpdir(), 'caches-'));
process.env.XDG_CACHE_HOME = caches;
const { unpacked } = await import('./downloads.ts');
after(() => rmSync(caches, { recursive: true }));

/** npm packs a folder as it fetches a package, without a network. */
const source = join(caches, 'source');
mkdirSync(join(source, 'part'), { recursive: true });
writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'thing', version: '1.0.0' }));
writeFileSync(join(source, 'part', 'file'), 'content');
await npm(['pack', source, '--pack-destination', caches], caches);
const sum = createHash('sha512')
  .update(readFileSync(join(caches, 'thing-1.0.0.tgz')))
  .digest('base64');

test('an archive that is not the expected one is not unpacked', async () => {
  const download = { package: source, integrity: `sha512-${'A'.repeat(86)}==` };
  await assert.rejects(unpacked(download, 'part'), /is not the archive that is expected: its sha512 sum is/);
  assert.deepEqual(readdirSync(join(caches, 'package-insights')), []);
});

test('a download is unpacked, prepared and kept', async () => {
  const download = { package: source, integrity: `sha512-${sum}` };
  let prepared = 0;
  const prepare = (folder: string): Promise<void> => {
    prepared++;
    writeFileSync(join(folder, 'more'), '');
    return Promise.resolve();
  };
  const folder = await unpacked(download, 'part', prepare);
  assert.deepEqual(readdirSync(folder).sort(), ['file', 'more']);
  assert.equal(await unpacked(download, 'part', prepare), folder);
  assert.equal(prepared, 1);
});

test('every download is named with its version and a sha512 sum', () => {
  const { editors, nodes, fonts } = downloads;
  for (const it of [...Object.values(editors), ...Object.values(nodes['20']), fonts]) {
    assert.match(it.package, /^[\w/@-]+@\d+\.\d+\.\d+$/);
    assert.match(it.integrity, /^sha512-[\w+/]{86}==$/);
  }
});
