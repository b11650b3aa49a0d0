import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createListStore, type KeptList } from '../../../server/src/connected/link-safety/list-store.ts';
import { hasSqlite } from '../../../server/src/engine/storage/database.ts';
import { entriesOf, jumpingClock, linkClient, startLinkService } from '../../harness/link-service.ts';

const options = { skip: hasSqlite() ? false : 'this Node has no SQLite' };

const directories: string[] = [];
after(() => {
  for (const it of directories) rmSync(it, { recursive: true, force: true });
});

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'links-'));
  directories.push(directory);
  return directory;
}

const kept: KeptList = {
  list: [
    { size: 4, bytes: Buffer.from('aaaabbbb') },
    { size: 5, bytes: Buffer.from('ccccc') },
  ],
  state: Buffer.from('state'),
  checksum: Buffer.alloc(32, 7),
  at: 1_000,
};

test('a list is kept over a restart, for its connection alone', options, () => {
  const directory = scratch();
  const clock = jumpingClock();
  const first = createListStore({ directory, clock });
  first.write('here', 'MALWARE', { ...kept, at: 1 });
  first.write('here', 'MALWARE', kept);
  first.close();
  const second = createListStore({ directory, clock });
  assert.deepEqual(second.read('here', 'MALWARE', 0), kept);
  assert.equal(second.read('here', 'MALWARE', 1_000), undefined);
  assert.equal(second.read('there', 'MALWARE', 0), undefined);
  assert.equal(second.read('here', 'SOCIAL_ENGINEERING', 0), undefined);
  second.remove('here', 'MALWARE');
  assert.equal(second.read('here', 'MALWARE', 0), undefined);
  second.close();
});

test('lists that were not requested for a month are deleted', options, () => {
  const store = createListStore({ directory: scratch(), clock: jumpingClock() });
  store.write('former', 'MALWARE', kept);
  store.write('here', 'MALWARE', { ...kept, at: kept.at + 31 * 24 * 3_600_000 });
  assert.equal(store.read('former', 'MALWARE', 0), undefined);
  store.close();
});

test('a damaged file is set aside, and its lists are requested again', options, async () => {
  const directory = scratch();
  const clock = jumpingClock();
  const log: string[] = [];
  writeFileSync(join(directory, 'links-1.sqlite'), 'no database '.repeat(1000));
  const store = createListStore({ directory, clock, log: (line) => log.push(line) });
  const service = await startLinkService({ entries: entriesOf({ list: 'MALWARE', expression: 'unsafe.example/' }) });
  const client = linkClient(service.url, 'private', { clock, store });
  assert.equal((await client.check('https://unsafe.example/')).kind, 'suspected');
  assert.equal((await client.check('https://safe.example/')).kind, 'checked');
  await client.close();
  store.close();
  assert.match(log.join(), /set aside/);
  assert.ok(readdirSync(directory).includes('links-1.damaged.sqlite'));
  const again = createListStore({ directory, clock });
  const next = linkClient(service.url, 'private', { clock, store: again });
  assert.equal((await next.check('https://safe.example/')).kind, 'checked');
  assert.equal(service.seen.filter((it) => it.method === 'threatListUpdates.fetch').length, 1);
  await next.close();
  again.close();
  await service.close();
});
