import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message, MessageWriter } from 'vscode-languageclient/node';
import { sendShownDocuments } from '../../client/src/shown-documents.ts';

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

const uris = ['file:///package.json', 'file:///other/package.json'] as const;

/** Sends early what is opened. All documents are in tabs. */
const earlyOpening = (writer: MessageWriter) =>
  sendShownDocuments(writer, { shown: () => new Set(uris), read: () => undefined }).openEarly;

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

/** A window whose tabs a test chooses. The documents are open in memory. */
function windowOf(tabs: Set<string>) {
  const { writer, written } = recorded();
  const texts = new Map<string, number>();
  const documents = sendShownDocuments(writer, {
    shown: () => tabs,
    read: (uri) => {
      const version = texts.get(uri);
      return version === undefined ? undefined : opened(version, uri);
    },
  });
  const send = (method: string, uri: string, version?: number) =>
    writer.write(message(`textDocument/${method}`, { textDocument: { uri, ...(version && { version }) } }));
  return { ...{ writer, documents, texts, send }, methods: () => written.map((it) => 'method' in it && it.method) };
}

test('a document that no tab shows is not sent, nor what happens to it', async () => {
  const { writer, documents, send, methods, texts } = windowOf(new Set());
  texts.set(uris[0], 1);
  documents.openEarly(opened(1));
  await writer.write(message('textDocument/didOpen', opened(1)));
  await send('didChange', uris[0], 2);
  await send('willSave', uris[0]);
  await send('didSave', uris[0]);
  documents.follow();
  await send('didClose', uris[0]);
  assert.deepEqual(methods(), []);
});

test('it is sent as it is once a tab shows it, and what the client sends late is in it', async () => {
  const tabs = new Set<string>();
  const { writer, documents, send, methods, texts } = windowOf(tabs);
  await writer.write(message('textDocument/didOpen', opened(1)));
  texts.set(uris[0], 3);
  tabs.add(uris[0]);
  documents.follow();
  documents.follow();
  await send('didChange', uris[0], 3);
  assert.deepEqual(methods(), ['textDocument/didOpen']);
  await send('didChange', uris[0], 4);
  // Neither has a version.
  await send('willSave', uris[0]);
  await send('didSave', uris[0]);
  await send('didClose', uris[0]);
  assert.deepEqual(
    methods(),
    ['didOpen', 'didChange', 'willSave', 'didSave', 'didClose'].map((it) => `textDocument/${it}`),
  );
});

test('it is closed when its last tab is, though another extension keeps it open, and can be shown again', async () => {
  const tabs = new Set<string>([uris[0]]);
  const { writer, documents, send, methods, texts } = windowOf(tabs);
  texts.set(uris[0], 1);
  documents.openEarly(opened(1));
  tabs.clear();
  documents.follow();
  // The client sends only now what was sent early.
  await writer.write(message('textDocument/didOpen', opened(1)));
  await send('didChange', uris[0], 2);
  assert.deepEqual(methods(), ['textDocument/didOpen', 'textDocument/didClose']);
  tabs.add(uris[0]);
  texts.set(uris[0], 2);
  documents.follow();
  tabs.clear();
  documents.follow();
  await send('didClose', uris[0]);
  documents.follow();
  assert.deepEqual(methods().slice(2), ['textDocument/didOpen', 'textDocument/didClose']);
});
