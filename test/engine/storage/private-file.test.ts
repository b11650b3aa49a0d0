import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { offerServices } from '../../../server/src/bin/served.ts';
import { hasSqlite, openDatabase } from '../../../server/src/engine/storage/database.ts';
import { NotOurs } from '../../../server/src/engine/storage/private-file.ts';
import { openSharedFile } from '../../../server/src/engine/storage/shared-file.ts';
import { openFileResults } from '../../../server/src/fleet/results/open.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { openStore } from '../../../server/src/service/store/open-store.ts';
import { fakeClock } from '../../harness/fake-clock.ts';
import { catalogDirectory } from '../../harness/service.ts';

/* What is kept in a file shows which packages a person uses: it is for this user alone, whatever the umask is. */

const schema = { applicationId: 7, version: 1, create: 'CREATE TABLE IF NOT EXISTS words (word TEXT)' } as const;

/** Each writes files into a folder, and leaves them open until it is closed. */
const writers: Readonly<Record<string, (folder: string) => Promise<() => unknown>>> = {
  'a store of serve and import': async (folder) => {
    mkdirSync(folder, { recursive: true });
    const store = await openStore({ kind: 'sqlite', path: join(folder, 'insights.sqlite') });
    await store.setNote('a', 'b');
    return store.close;
  },
  'results of a fleet': async (folder) => {
    mkdirSync(folder, { recursive: true });
    return (await openFileResults(join(folder, 'fleet.sqlite'))).close;
  },
  'the state of serve': async (folder) => {
    const { close } = await offerServices({ catalog: catalogDirectory, clock: systemClock, users: [], state: folder });
    return close;
  },
  'a file that processes share': async (folder) => {
    const file = openSharedFile({
      directory: folder,
      name: 'words-1',
      open: (path, toRead) => openDatabase(path, { ...schema, toRead }),
      clock: fakeClock(),
    });
    file.use((it) => it.exec("INSERT INTO words VALUES ('a')"));
    return file.close;
  },
};

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'package-insights-private-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const skip = process.platform === 'win32' || !hasSqlite();

for (const [what, open] of Object.entries(writers)) {
  for (const umask of [0o000, 0o022]) {
    test(`${what}: for this user alone with the umask ${umask.toString(8)}`, { skip }, async (t) => {
      const folder = join(folderFor(t), 'new', 'state');
      const before = process.umask(umask);
      const close = await open(folder).finally(() => process.umask(before));
      try {
        // A folder that a person names has to be there, and stays as it is.
        if (!/store|fleet/.test(what)) assert.deepEqual([modeOf(folder), modeOf(join(folder, '..'))], ['700', '700']);
        const names = readdirSync(folder);
        assert.ok(
          names.some((it) => it.endsWith('-wal')),
          names.join(),
        );
        for (const it of names) assert.equal(modeOf(join(folder, it)), '600', it);
      } finally {
        await close();
      }
    });
  }

  test(`${what}: files that others could read are narrowed`, { skip }, async (t) => {
    const folder = folderFor(t);
    await (await open(folder))();
    for (const it of readdirSync(folder)) {
      chmodSync(join(folder, it), 0o666);
      if (it.endsWith('.sqlite')) writeFileSync(join(folder, `${it}-journal`), '', { mode: 0o644 });
    }
    const close = await open(folder);
    try {
      for (const it of readdirSync(folder)) assert.equal(modeOf(join(folder, it)), '600', it);
    } finally {
      await close();
    }
  });
}

test('a file of another user that others may read is refused', {
  skip: skip || process.getuid?.() !== 0 ? 'only root can give files to others' : false,
}, (t) => {
  const folder = folderFor(t);
  chmodSync(folder, 0o777);
  const path = join(folder, 'words-1.sqlite');
  openDatabase(path, schema).close();
  chmodSync(path, 0o666);
  chownSync(path, 1234, 1234);
  process.seteuid?.(4321);
  try {
    assert.throws(() => openDatabase(path, schema), NotOurs);
  } finally {
    process.seteuid?.(0);
  }
  assert.equal(modeOf(path), '666');
});
