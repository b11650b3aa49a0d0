import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientCapabilities } from 'vscode-languageserver';
import { traitsOf } from '../../server/src/editor/client-traits.ts';
import { createDiagnosticsPublisher, type DiagnosticsPublisher } from '../../server/src/editor/publish/diagnostics.ts';
import type { ServerState } from '../../server/src/editor/state/server-state.ts';
import { readSettings } from '../../server/src/engine/settings/read.ts';

const uri = 'file:///w/requirements.txt';
const other = 'file:///w/more.txt';

/** What an editor has open, in which version, and in which version everything was looked at. */
interface Editor {
  readonly client: ClientCapabilities;
  readonly open: string[];
  version: number;
  looked: number;
  /** Whether it takes a few turns to send diagnostics, as where a client reads slowly. */
  readonly isSlow?: boolean;
}

function editor(changes: Partial<Editor> = {}): Editor {
  return { client: {}, open: [uri], version: 1, looked: 1, ...changes };
}

/** Tells of which files findings were sent because of something. `requirements.txt` includes `more.txt`, unless that is open. */
function setUp(it: Editor): (what: (publisher: DiagnosticsPublisher) => void) => Promise<string[]> {
  const sent: string[] = [];
  const client = {
    capabilities: it.client,
    connection: {
      sendDiagnostics: async (params: { readonly uri: string }) => {
        sent.push(params.uri);
        if (it.isSlow) await turns(2);
      },
      languages: { diagnostics: { refresh: async () => {} } },
      console: { log: assert.fail },
    },
    documents: { get: () => ({ version: it.version }) },
  };
  const engine = {
    workspace: {
      get documents() {
        return it.open.map((open) => ({ uri: open }));
      },
      snapshot: async (of: string) => ({
        uri: of,
        format: { id: 'requirements.txt' },
        version: it.looked,
        dependencies: [],
        definitions: [],
        included: of !== other && !it.open.includes(other) ? [{ uri: other, dependencies: [] }] : [],
        texts: new Map(),
      }),
    },
    contextFor: () => ({ settings: readSettings({}), client: traitsOf({}), now: 0 }),
  };
  const server = { client, engine, settings: { current: readSettings({}), ofFolders: new Map() } };
  const publisher = createDiagnosticsPublisher(server as unknown as ServerState);
  return async (what) => {
    what(publisher);
    await turns(it.isSlow ? 10 : 5);
    return sent.splice(0);
  };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('what was found in an older text is not shown over the newer one', async () => {
  assert.deepEqual(await setUp(editor({ version: 2, looked: 2 }))((it) => it.publish(uri)), [uri, other]);
  assert.deepEqual(await setUp(editor({ version: 2, looked: 1 }))((it) => it.publish(uri)), []);
});

test('what is on the screen is not sent again, unless the text is another one or was closed meanwhile', async () => {
  const one = editor();
  const sent = setUp(one);
  assert.deepEqual(await sent((it) => it.publishAll()), [uri, other]);
  assert.deepEqual(await sent((it) => it.publishAll()), []);
  Object.assign(one, { version: 2, looked: 2 });
  assert.deepEqual(await sent((it) => it.publish(uri)), [uri]);
  assert.deepEqual(await sent((it) => it.publishAll()), []);
  assert.deepEqual(await sent((it) => it.documentClosed(uri)), [uri, other]);
  assert.deepEqual(await sent((it) => it.publish(uri)), [uri, other]);
});

const asking: ClientCapabilities = {
  textDocument: { diagnostic: {}, publishDiagnostics: {} },
  workspace: { diagnostics: { refreshSupport: true } },
};

test('who has findings pushed keeps those of an included file when it is opened itself', async () => {
  for (const client of [{}, asking]) {
    const one = editor({ client });
    const sent = setUp(one);
    assert.deepEqual(await sent((it) => it.publishAll()), client === asking ? [other] : [uri, other]);
    one.open.push(other);
    // Who asks has what was pushed taken back, and sees what it asked for.
    assert.deepEqual(await sent((it) => it.publishAll()), [other]);
    assert.deepEqual(await sent((it) => it.publishAll()), []);
  }
});

test('an included file keeps its diagnostics until the last document that includes it is closed', async () => {
  const second = 'file:///w/dev.txt';
  const sent = setUp(editor({ open: [uri, second] }));
  assert.deepEqual(await sent((it) => it.publishAll()), [uri, other, second]);
  assert.deepEqual(await sent((it) => it.documentClosed(uri)), [uri]);
  assert.deepEqual(await sent((it) => it.documentClosed(second)), [second, other]);
});

test('diagnostics of an included file are withdrawn when its document is closed while they are being sent', async () => {
  const sent = setUp(editor({ isSlow: true }));
  assert.deepEqual(
    await sent((it) => {
      it.publish(uri);
      setImmediate(() => it.documentClosed(uri));
    }),
    [uri, other, uri, other],
  );
});
