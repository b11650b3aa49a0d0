import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientCapabilities } from 'vscode-languageserver';
import type { Files } from '../../server/src/engine/model/ports.ts';
import { strictClient } from './strict-client.ts';

const root = 'file:///w/';

/** A workspace of npm with so many packages, each of which requires the one before. Counts what is read of it. */
function workspaceOf(count: number) {
  const texts = new Map([[`${root}package.json`, '{ "workspaces": ["packages/*"] }']]);
  const packages = Array.from({ length: count }, (_, index) => {
    const uri = `${root}packages/p${index}/package.json`;
    const dependencies = { [`@w/p${index - 1}`]: '^1.0.0', [`other-${index}`]: '^1.0.0' };
    texts.set(uri, JSON.stringify({ name: `@w/p${index}`, version: '1.0.0', dependencies }));
    return uri;
  });
  const counted = { reads: 0 };
  const files: Files = {
    async read(uri) {
      counted.reads++;
      // As long as a disk takes: others are opened meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      return texts.get(uri);
    },
    find: async (directory, matches) => [...texts.keys()].filter((it) => it.startsWith(directory) && matches.test(it)),
  };
  return { texts, packages, files, counted };
}

const watching: ClientCapabilities['workspace'] = { didChangeWatchedFiles: { dynamicRegistration: true } };

/** How many files are read until each of so many documents, opened together, has its hints. */
async function readsFor(count: number, workspace: ClientCapabilities['workspace'] = {}): Promise<number> {
  const { texts, packages, files, counted } = workspaceOf(count);
  const capabilities = { workspace, textDocument: { diagnostic: {}, inlayHint: {} } };
  const initialize = { rootUri: root };
  const settings = { offline: true };
  const client = await strictClient({ capabilities, initialize, settings, files, answer: () => null });
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  await Promise.all(
    packages.map(async (uri) => {
      await client.open(uri, texts.get(uri) ?? '');
      await client.ask('textDocument/inlayHint', uri, { range });
    }),
  );
  await client.stop();
  return counted.reads;
}

for (const [name, workspace] of [
  ['watches files', watching],
  ['watches none', {}],
] as const) {
  test(`to open many documents at once costs an editor that ${name} as much for each as to open few`, async () => {
    const [few, many] = [await readsFor(10, workspace), await readsFor(60, workspace)];
    assert.ok(many / 60 < (2 * few) / 10, `${few} files read for 10 documents, ${many} for 60`);
  });
}
