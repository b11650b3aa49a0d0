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
import { systemClock } from '../../server/src/clock.ts';
import { Session } from '../../server/src/lsp/session.ts';
import { makeInsights } from '../harness/insights.ts';
import '../harness/seed.ts';

/*
 * Whatever is opened, typed and closed in whichever order, the server holds the client's text to the character, and
 * nothing that it read there lies outside of it.
 */
const names = ['package.json', 'requirements.txt', 'pom.xml'] as const;

const pieces = [
  '{"dependencies":{"a":"^1.0.0"}}',
  '"b": "2.0.0",',
  'requests==2.31.0',
  '<dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency>',
  '\n',
  '\r\n',
  '\t',
  '😀',
  'é',
  '}',
  '"',
  '',
];

const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((it) => it.join(''));
const share = fc.double({ min: 0, max: 1, noNaN: true });
const which = fc.integer({ min: 0, max: names.length - 1 });
const change = fc.record({ from: share, to: share, text, whole: fc.boolean() });
const step = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), which, text }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      which,
      changes: fc.array(change, { minLength: 1, maxLength: 3 }),
    }),
  },
  fc.record({ kind: fc.constant('close' as const), which }),
);

/** A place in a text as editors name it; never between the two halves of a line's end. */
function offsetIn(content: string, part: number): number {
  const offset = Math.round(part * content.length);
  return content[offset - 1] === '\r' && content[offset] === '\n' ? offset - 1 : offset;
}

function positionOf(content: string, offset: number): { readonly line: number; readonly character: number } {
  const lines = content.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

test('the server holds the text of its client, and every span lies within it', { timeout: 20_000 }, async (t) => {
  let runs = 0;
  const [up, down] = [new PassThrough(), new PassThrough()];
  const connection = createConnection(ProposedFeatures.all, new StreamMessageReader(up), new StreamMessageWriter(down));
  const client = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  const session = new Session({
    connection,
    // Offline, nothing is asked: this is about texts alone.
    insights: (settings) => makeInsights({ ...settings(), offline: true }),
    disk: () => ({ read: async () => undefined, find: async () => [] }),
    clock: systemClock,
    version: '0.0.0',
  });
  session.documents.listen(connection);
  session.documents.onDidChangeContent(({ document }) => {
    session.workspace.update({ uri: document.uri, version: document.version, text: document.getText() });
  });
  session.documents.onDidClose(({ document }) => void session.workspace.close(document.uri));
  connection.onRequest('done', () => null);
  connection.listen();
  client.listen();
  t.after(async () => {
    await session.insights.close();
    client.dispose();
    connection.dispose();
  });

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const texts = new Map<string, string>();
      const folder = `file:///w${++runs}`;
      let version = 0;
      for (const it of steps) {
        const uri = `${folder}/${names[it.which]}`;
        const before = texts.get(uri);
        version++;
        if (it.kind === 'open' && before === undefined) {
          texts.set(uri, it.text);
          const textDocument = { uri, languageId: 'plaintext', version, text: it.text };
          await client.sendNotification('textDocument/didOpen', { textDocument });
        } else if (it.kind === 'close' && before !== undefined) {
          texts.delete(uri);
          await client.sendNotification('textDocument/didClose', { textDocument: { uri } });
        } else if (it.kind === 'change' && before !== undefined) {
          let now = before;
          const contentChanges = it.changes.map(({ from, to, text: put, whole }) => {
            if (whole) {
              now = put;
              return { text: put };
            }
            const [a = 0, b = 0] = [offsetIn(now, from), offsetIn(now, to)].toSorted((x, y) => x - y);
            const range = { start: positionOf(now, a), end: positionOf(now, b) };
            now = now.slice(0, a) + put + now.slice(b);
            return { range, text: put };
          });
          texts.set(uri, now);
          await client.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
        }
      }
      // Messages are taken in order: once this is answered, all of them were.
      await client.sendRequest('done');
      const held = session.documents.all().filter((it) => it.uri.startsWith(`${folder}/`));
      assert.deepEqual(new Map(held.map((it) => [it.uri, it.getText()])), texts);
      for (const [uri, its] of texts) {
        const snapshot = await session.workspace.snapshot(uri);
        assert.equal(session.workspace.textOf(uri), its);
        for (const { linked } of snapshot?.subjects ?? []) {
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
