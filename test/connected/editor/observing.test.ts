import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ConnectedServices } from '../../../server/src/connected/model/connected-services.ts';
import type { PlannedEvent } from '../../../server/src/connected/model/scheduling/planned.ts';
import type { ObservedDependency } from '../../../server/src/connected/model/scheduling/schedule.ts';
import { strictClient } from '../../editor/strict-client.ts';
import { fakeClock } from '../../harness/fake-clock.ts';
import { startServiceForFile } from '../../harness/file-service.ts';

/* When the server tells the calendar what the manifests have reached. */

const service = await startServiceForFile({ 'NPM lodash': { versions: ['4.17.15', '4.17.21'] } });
const uri = 'file:///w/package.json';
const manifest = (version: string): string => `{ "dependencies": { "lodash": "${version}" } }`;

const event: PlannedEvent = {
  ...{ id: 'e', calendar: 'c', folder: 'f', title: '', start: 0, end: 1, status: 'planned', isChanged: false },
  updates: [{ purl: 'pkg:npm/lodash', target: '4.17.21', places: [{ path: 'package.json' }] }],
};

test('a manifest is observed once it is saved and nothing has changed for a while', async () => {
  const clock = fakeClock();
  const observed: boolean[] = [];
  const listeners = new Set<() => void>();
  const folder = { id: 'f', root: 'file:///w/' };
  const nothing = { onDidChange: () => () => {}, refresh: async () => {}, request() {}, release() {}, close() {} };
  const services = {
    connections: nothing,
    repositories: { ...nothing, codeHost: () => undefined, revision: () => 0 },
    documents: [],
    onDidCheckLinks: () => () => {},
    close() {},
    schedule: {
      folderAt: () => folder,
      folderOf: async () => folder,
      planned: (_: string, purl: string) => (purl === 'pkg:npm/lodash' ? [event] : []),
      state: () => ({ calendar: 'c', at: 0 }),
      revision: () => 0,
      onDidChange: (it: () => void) => listeners.add(it),
      touch() {},
      observe(_: string, path: string, [lodash]: readonly ObservedDependency[]) {
        assert.equal(path, 'package.json');
        observed.push(lodash?.reaches('4.17.21', undefined) === true);
      },
    },
  } as unknown as ConnectedServices;
  const client = await strictClient({
    settings: { baseUrl: service.url, connections: { scheduling: { baseUrl: 'http://127.0.0.1:9/v3' } } },
    clock,
    services: {
      load: async () => services,
      credentials: { read: async () => undefined },
      unseal: () => undefined,
    },
  });
  after(() => client.connection.dispose());
  let version = 1;
  const type = (text: string): Promise<void> => client.change(uri, ++version, text);
  const save = (): Promise<void> =>
    client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
  /** Lets so many ms pass, and all that follows from it. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) {
      await client.ask('textDocument/documentLink', uri).catch(() => undefined);
      await clock.advance(100);
    }
    await client.ask('textDocument/documentLink', uri).catch(() => undefined);
  };

  await client.open(uri, manifest('4.17.15'));
  await pass(5000);
  assert.deepEqual(observed, [false]);
  await type(manifest('4.17.21'));
  for (const it of listeners) it();
  await pass(5000);
  assert.deepEqual(observed, [false], 'typing is no decision');
  await save();
  await pass(2000);
  await type(manifest('4.17.15'));
  await save();
  await pass(5000);
  assert.deepEqual(observed, [false], 'an undo in time leaves everything as it was');
  await type(manifest('4.17.21'));
  await save();
  await pass(5000);
  assert.deepEqual(observed, [false, true]);
  for (let left = 0; left < 50; left++) {
    for (const it of listeners) it();
    await pass(200);
  }
  await pass(5000);
  assert.deepEqual(observed, [false, true], 'the same is observed once');
  await client.stop();
});
