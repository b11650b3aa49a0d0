import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientCapabilities, CodeAction, Hover, InlayHint } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { type LspClient, startLsp } from '../harness/lsp-client.ts';

const uri = 'file:///workspace/package.json';
const text = '{\n  "dependencies": {\n    "lodash": "^4.17.15",\n    "request": "2.88.2"\n  }\n}\n';
const catalog = {
  'NPM lodash': { versions: ['4.17.15', '4.17.21'], shared: { licenses: ['MIT'] } },
  'NPM request': {
    versions: { '2.88.2': { isDefault: true, deprecated: 'no longer maintained', licenses: ['Apache-2.0'] } },
  },
};

const service = await startServiceForFile(catalog);

const whole = { start: { line: 0, character: 0 }, end: { line: 6, character: 0 } };

async function until<T>(ask: () => Promise<T>, holds: (it: T) => boolean, client: LspClient): Promise<T> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await ask();
    if (holds(answer)) return answer;
    // Each hover waits for facts by itself, so this asks again without sleeping.
    await client.connection.sendRequest('textDocument/hover', {
      textDocument: { uri },
      position: { line: 2, character: 8 },
    });
  }
  throw new Error('never came to hold');
}

test('a client with nothing but open and close gets pushed diagnostics, and no request that it did not announce', async (t) => {
  const client = await startLsp({ settings: { baseUrl: service.url } });
  t.after(() => client.process.kill());
  assert.equal(client.initialized.capabilities.inlayHintProvider, undefined);
  assert.equal(client.initialized.capabilities.diagnosticProvider, undefined);
  assert.equal(client.initialized.capabilities.codeActionProvider, undefined);
  await client.open(uri, text);
  const found = await client.pushedUntil(uri, (all) => all.length === 1);
  assert.deepEqual(found[0]?.range, { start: { line: 3, character: 16 }, end: { line: 3, character: 22 } });
  assert.equal(found[0]?.code, 'deprecated');
  assert.equal(found[0]?.codeDescription, undefined);
  assert.equal(found[0]?.tags, undefined);
  const hover = await client.connection.sendRequest<Hover>('textDocument/hover', {
    textDocument: { uri },
    position: { line: 3, character: 18 },
  });
  assert.ok(typeof hover.contents === 'object' && 'kind' in hover.contents);
  assert.equal(hover.contents.kind, 'plaintext');
  assert.match(hover.contents.value, /^request 2\.88\.2 · latest\n\nDeprecated\. Reason: no longer maintained/);
  assert.deepEqual(client.asked, []);
  await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  await client.pushedUntil(uri, (all) => all.length === 0);
  assert.equal(await client.stop(), 0);
});

const able: ClientCapabilities = {
  general: { positionEncodings: ['utf-8', 'utf-16'] },
  textDocument: {
    hover: { contentFormat: ['markdown', 'plaintext'] },
    inlayHint: {},
    diagnostic: {},
    codeAction: {
      isPreferredSupport: true,
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } },
    },
  },
  workspace: { inlayHint: { refreshSupport: true }, diagnostics: { refreshSupport: true } },
};

test('a client that can more is told to ask again, and its refusals end nothing', async (t) => {
  const client = await startLsp({ capabilities: able, settings: { baseUrl: service.url } });
  t.after(() => client.process.kill());
  assert.equal(client.initialized.capabilities.positionEncoding, 'utf-8');
  const refreshed = client.askedFor('workspace/inlayHint/refresh');
  await client.open(uri, text);
  await refreshed;
  const hints = await until(
    () => client.connection.sendRequest<InlayHint[]>('textDocument/inlayHint', { textDocument: { uri }, range: whole }),
    // The first answer may hold less than will be known.
    (it) => ['4.17.21 · MIT', 'no fix'].every((words) => it.some(({ label }) => String(label).includes(words))),
    client,
  );
  assert.deepEqual(
    hints.map((it) => it.label),
    ['4.17.21 · MIT', '⚠ deprecated · no fix'],
  );
  assert.equal(client.pushed.size, 0);
  assert.equal(await client.stop(), 0);
});

test('an action carries its edit, as changes where the client knows no documentChanges', async (t) => {
  const client = await startLsp({ capabilities: able, settings: { baseUrl: service.url } });
  t.after(() => client.process.kill());
  const pinned = text.replace('^4.17.15', '4.17.15');
  await client.open(uri, pinned);
  const range = { start: { line: 2, character: 16 }, end: { line: 2, character: 16 } };
  const actions = await until(
    () =>
      client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
        textDocument: { uri },
        range,
        context: { diagnostics: [] },
      }),
    (it) => it[0]?.title.includes('not checked yet') === false,
    client,
  );
  assert.equal(actions[0]?.title, 'Update lodash to 4.17.21 (patch, latest)');
  assert.equal(actions[0]?.isPreferred, true);
  assert.deepEqual(actions[0]?.edit, {
    changes: {
      [uri]: [{ range: { start: { line: 2, character: 15 }, end: { line: 2, character: 22 } }, newText: '4.17.21' }],
    },
  });
  assert.equal(await client.stop(), 0);
});

test('a client that cannot be told to ask again gets its hints at the first asking', async (t) => {
  const capabilities = { textDocument: { inlayHint: {} } };
  const client = await startLsp({ capabilities, settings: { baseUrl: service.url } });
  t.after(() => client.process.kill());
  await client.open(uri, text);
  const hints = await client.connection.sendRequest<InlayHint[]>('textDocument/inlayHint', {
    textDocument: { uri },
    range: whole,
  });
  assert.equal(hints.length, 2);
  assert.equal(await client.stop(), 0);
});
