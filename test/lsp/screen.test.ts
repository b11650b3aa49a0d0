import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traitsOf } from '../../server/src/features/feature.ts';
import { screenOf } from '../../server/src/lsp/screen.ts';
import type { Session } from '../../server/src/lsp/session.ts';
import { readSettings } from '../../server/src/lsp/settings.ts';

const uri = 'file:///w/package.json';

/** What a client is sent of a document of version 2, where what is known was found in another version. */
async function sent(version: number): Promise<number> {
  let count = 0;
  const snapshot = { uri, version, subjects: [], included: [], texts: new Map() };
  const session = {
    client: {},
    connection: { sendDiagnostics: async () => void count++, console: { log: assert.fail } },
    workspace: { documents: [{ uri }], snapshot: async () => snapshot },
    documents: { get: () => ({ version: 2 }) },
    contextFor: () => ({ settings: readSettings({}), client: traitsOf({}), now: 0 }),
  };
  screenOf(session as unknown as Session)
    .refreshing()
    .document(uri);
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  return count;
}

test('what was found in an older text is not shown over the newer one', async () => {
  assert.equal(await sent(2), 1);
  assert.equal(await sent(1), 0);
});
