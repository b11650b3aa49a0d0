import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createConnection,
  createMessageConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { createState } from '../../server/src/editor/state/server-state.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { makeInsights } from '../harness/insights.ts';
import '../harness/seed.ts';
import { play, steps } from '../harness/typing.ts';

/*
 * Whatever is opened, typed and closed in whichever order, the server holds the client's text to the character, and
 * nothing that it read there lies outside of it.
 */
test('the server holds the text of its client, and every span lies within it', { timeout: 20_000 }, async (t) => {
  let runs = 0;
  const [up, down] = [new PassThrough(), new PassThrough()];
  const connection = createConnection(ProposedFeatures.all, new StreamMessageReader(up), new StreamMessageWriter(down));
  const client = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  const { client: held, engine } = createState({
    connection,
    // Offline, nothing is asked: this is about texts alone.
    insights: (settings) => makeInsights({ ...settings(), offline: true }),
    disk: () => ({ read: async () => undefined, find: async () => [] }),
    findManifests: () => async () => assert.fail('nothing is looked for'),
    findLocalFile: async () => undefined,
    clock: systemClock,
    version: '0.0.0',
  });
  held.documents.listen(connection);
  held.documents.onDidChangeContent(({ document }) => {
    engine.workspace.update({ uri: document.uri, version: document.version, text: document.getText() });
  });
  held.documents.onDidClose(({ document }) => void engine.workspace.close(document.uri));
  connection.onRequest('done', () => null);
  connection.listen();
  client.listen();
  t.after(async () => {
    await engine.insights.close();
    client.dispose();
    connection.dispose();
  });

  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const folder = `file:///w${++runs}`;
      const texts = await play(all, folder, (method, params) => client.sendNotification(method, params));
      // Messages are taken in order: once this is answered, all of them were.
      await client.sendRequest('done');
      const own = held.documents.all().filter((it) => it.uri.startsWith(`${folder}/`));
      assert.deepEqual(new Map(own.map((it) => [it.uri, it.getText()])), texts);
      for (const [uri, its] of texts) {
        const snapshot = await engine.workspace.snapshot(uri);
        assert.equal(engine.workspace.textOf(uri), its);
        for (const { linked } of snapshot?.dependencies ?? []) {
          for (const { start, end } of [linked.span, linked.dependency.nameSpan]) {
            assert.ok(0 <= start && start <= end && end <= its.length, `${start}…${end} of ${its.length}`);
          }
        }
      }
      for (const uri of texts.keys()) await client.sendNotification('textDocument/didClose', { textDocument: { uri } });
      await client.sendRequest('done');
    }),
    { numRuns: 200 },
  );
});
