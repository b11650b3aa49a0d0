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

test('who has findings pushed keeps those of an included file when it is opened itself', async () => {
  const [own, other] = ['file:///w/requirements.txt', 'file:///w/more.txt'];
  const open = [own];
  const snapshots = new Map([
    [own, () => (open.includes(other) ? [] : [{ uri: other, subjects: [] }])],
    [other, () => []],
  ]);
  for (const pulls of [false, true]) {
    open.splice(1);
    const sent: string[] = [];
    const session = {
      client: pulls
        ? {
            textDocument: { diagnostic: {}, publishDiagnostics: {} },
            workspace: { diagnostics: { refreshSupport: true } },
          }
        : {},
      connection: {
        sendDiagnostics: async (it: { readonly uri: string }) => void sent.push(it.uri),
        languages: { diagnostics: { refresh: async () => {} } },
        console: { log: assert.fail },
      },
      workspace: {
        get documents() {
          return open.map((it) => ({ uri: it }));
        },
        snapshot: async (it: string) => ({
          uri: it,
          version: 1,
          subjects: [],
          included: snapshots.get(it)?.() ?? [],
          texts: new Map(),
        }),
      },
      documents: { get: () => ({ version: 1 }) },
      settings: readSettings({}),
      folderSettings: new Map(),
      contextFor: () => ({ settings: readSettings({}), client: traitsOf({}), now: 0 }),
    };
    const { refreshing } = screenOf(session as unknown as Session);
    const settled = async (): Promise<string[]> => {
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      return sent.splice(0);
    };
    refreshing().everything();
    assert.deepEqual(await settled(), pulls ? [other] : [own, other]);
    open.push(other);
    refreshing().everything();
    // Who asks has what was pushed taken back, and sees what it asked for.
    assert.deepEqual(await settled(), [other]);
    refreshing().everything();
    assert.deepEqual(await settled(), []);
  }
});
