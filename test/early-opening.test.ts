import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message, MessageWriter } from 'vscode-languageclient/node';
import { earlyOpening } from '../client/src/early-opening.ts';

const nothing = { dispose() {} };

/** A writer that remembers what was written; each call can be refused. */
function recorded() {
  const written: Message[] = [];
  let isBroken = false;
  const writer: MessageWriter = {
    onError: () => nothing,
    onClose: () => nothing,
    async write(message) {
      if (isBroken) throw new Error('the server has ended');
      written.push(message);
    },
    end() {},
    dispose() {},
  };
  const breakOff = (broken: boolean): void => {
    isBroken = broken;
  };
  return { writer, written, breakOff };
}

const opened = (version: number, uri = 'file:///package.json') => ({
  textDocument: { uri, languageId: 'json', version, text: '{}' },
});
const message = (method: string, params: object) => ({ jsonrpc: '2.0', method, params });

test('an opened document is sent at once, and once', async () => {
  const { writer, written } = recorded();
  const open = earlyOpening(writer);
  open(opened(1));
  assert.deepEqual(written, [message('textDocument/didOpen', opened(1))]);
  await writer.write(message('textDocument/didOpen', opened(1)));
  await writer.write(message('textDocument/inlayHint', { textDocument: { uri: 'file:///package.json' } }));
  assert.equal(written.length, 2);
});

test('the same document can be opened again, and others are not held back', async () => {
  const { writer, written } = recorded();
  const open = earlyOpening(writer);
  open(opened(1));
  await writer.write(message('textDocument/didOpen', opened(1, 'file:///other/package.json')));
  await writer.write(message('textDocument/didOpen', opened(1)));
  await writer.write(message('textDocument/didClose', { textDocument: { uri: 'file:///package.json' } }));
  await writer.write(message('textDocument/didOpen', opened(1)));
  assert.deepEqual(
    written.map((it) => 'method' in it && it.method),
    ['textDocument/didOpen', 'textDocument/didOpen', 'textDocument/didClose', 'textDocument/didOpen'],
  );
});

test('a document that could not be sent early is sent by the client, which sees the error', async () => {
  const { writer, written, breakOff } = recorded();
  const open = earlyOpening(writer);
  breakOff(true);
  open(opened(1));
  await new Promise(setImmediate);
  await assert.rejects(writer.write(message('textDocument/didOpen', opened(1))), /ended/);
  breakOff(false);
  await writer.write(message('textDocument/didOpen', opened(1)));
  assert.equal(written.length, 1);
});

test('a document that is closed and opened in one event is opened after it was closed', async () => {
  const { writer, written } = recorded();
  const open = earlyOpening(writer);
  const close = { textDocument: { uri: 'file:///package.json' } };
  await writer.write(message('textDocument/didOpen', opened(1)));
  // The client has not written the end of the former one yet.
  open(opened(2));
  await writer.write(message('textDocument/didClose', close));
  await writer.write(message('textDocument/didOpen', opened(2)));
  open(opened(2, 'file:///other/package.json'));
  assert.deepEqual(written, [
    message('textDocument/didOpen', opened(1)),
    message('textDocument/didClose', close),
    message('textDocument/didOpen', opened(2)),
    message('textDocument/didOpen', opened(2, 'file:///other/package.json')),
  ]);
});
