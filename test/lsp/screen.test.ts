import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traitsOf } from '../../server/src/features/feature.ts';
import type { Refresh } from '../../server/src/lsp/refresh.ts';
import { screenOf } from '../../server/src/lsp/screen.ts';
import type { Session } from '../../server/src/lsp/session.ts';
import { readSettings } from '../../server/src/lsp/settings.ts';

const uri = 'file:///w/package.json';

/** A client that has findings pushed, and one document: in which version it is open, and in which it was looked at. */
function setUp(version: { open: number; looked: number }) {
  let count = 0;
  const session = {
    client: {},
    connection: { sendDiagnostics: async () => void count++, console: { log: assert.fail } },
    workspace: {
      documents: [{ uri }],
      snapshot: async () => ({ uri, version: version.looked, subjects: [], included: [], texts: new Map() }),
    },
    documents: { get: () => ({ version: version.open }) },
    settings: readSettings({}),
    folderSettings: new Map(),
    contextFor: () => ({ settings: readSettings({}), client: traitsOf({}), now: 0 }),
  };
  const { refreshing } = screenOf(session as unknown as Session);
  /** How many times findings were sent because of something. */
  return async (what: (refresh: Refresh) => void): Promise<number> => {
    const before = count;
    what(refreshing());
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    return count - before;
  };
}

test('what was found in an older text is not shown over the newer one', async () => {
  assert.equal(await setUp({ open: 2, looked: 2 })((it) => it.document(uri)), 1);
  assert.equal(await setUp({ open: 2, looked: 1 })((it) => it.document(uri)), 0);
});

test('what is on the screen is not sent again, unless the text is another one or was closed meanwhile', async () => {
  const version = { open: 1, looked: 1 };
  const sent = setUp(version);
  assert.equal(await sent((it) => it.everything()), 1);
  assert.equal(await sent((it) => it.everything()), 0);
  Object.assign(version, { open: 2, looked: 2 });
  assert.equal(await sent((it) => it.document(uri)), 1);
  assert.equal(await sent((it) => it.everything()), 0);
  assert.equal(await sent((it) => it.closed(uri)), 1);
  assert.equal(await sent((it) => it.document(uri)), 1);
});
