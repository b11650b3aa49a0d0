import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeAction, Hover, InlayHint, Range } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { catalog, everything } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);

const uri = 'file:///workspace/package.json';
/** One UTF-16 unit, two bytes; two units, four bytes; one unit, three bytes. */
const line = '    "x": "é😀€", "lodash": "4.17.15"';
const text = `{\n  "dependencies": {\n${line}\n  }\n}\n`;

const encodings = [
  { name: 'utf-16', offered: undefined, sync: 2, length: (it: string) => it.length },
  { name: 'utf-16', offered: ['utf-16', 'utf-8'], sync: 2, length: (it: string) => it.length },
  { name: 'utf-16', offered: ['utf-32'], sync: 2, length: (it: string) => it.length },
  { name: 'utf-8', offered: ['utf-8', 'utf-16'], sync: 1, length: (it: string) => Buffer.byteLength(it) },
] as const;

for (const { name, offered, sync, length } of encodings) {
  const start = (): Promise<StrictClient> =>
    strictClient({
      settings: { baseUrl: service.url },
      capabilities: {
        ...(offered && { general: { positionEncodings: [...offered] } }),
        textDocument: {
          inlayHint: {},
          codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
        },
      },
    });
  /** Where the requirement stands in a line, as this encoding counts. */
  const requirement = (of: string, row: number, version = '4.17.15'): Range => {
    const before = length(of.slice(0, of.indexOf(version)));
    return {
      start: { line: row, character: before },
      end: { line: row, character: before + length(version) },
    };
  };

  test(`${name}, offered ${offered ?? 'nothing'}: hover, diagnostics, hints and edits count as agreed`, async () => {
    const client = await start();
    assert.equal(client.offered.capabilities.positionEncoding, name);
    const { textDocumentSync } = client.offered.capabilities;
    assert.ok(typeof textDocumentSync === 'object');
    assert.equal(textDocumentSync.change, sync);
    await client.open(uri, text);
    const range = requirement(line, 2);
    for (const position of [range.start, range.end]) {
      const hover = await client.ask<Hover>('textDocument/hover', uri, { position });
      assert.deepEqual(hover.range, range);
    }
    const outside = { line: 2, character: range.end.character + 2 };
    assert.equal(await client.ask('textDocument/hover', uri, { position: outside }), null);
    const found = await client.pushed(uri, (all) => all.some((it) => it.code === 'advisory'));
    assert.deepEqual(found.find((it) => it.code === 'advisory')?.range, range);
    const hints = await client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range: everything });
    const lodash = hints.find((it) => String(it.label).includes('→ 4.17.21'));
    assert.deepEqual(lodash?.position, { line: 2, character: range.end.character + 1 });
    const asked = { range: { start: range.end, end: range.end }, context: { diagnostics: [] } };
    const actions = await client.ask<CodeAction[]>('textDocument/codeAction', uri, asked);
    assert.deepEqual(actions[0]?.edit?.changes, { [uri]: [{ range, newText: '4.17.21' }] });
    await client.stop();
  });

  test(`${name}, offered ${offered ?? 'nothing'}: changes are taken as agreed`, async () => {
    const client = await start();
    await client.open(uri, text);
    const longer = line.replace('é😀€', 'é😀€😀');
    if (sync === 2) {
      const at = { line: 2, character: line.indexOf('€') + 1 };
      await client.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version: 2 },
        contentChanges: [
          { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, text: '{\r\n' },
          { range: { start: { ...at, line: 3 }, end: { ...at, line: 3 } }, text: '😀' },
        ],
      });
    } else {
      await client.change(uri, 2, text.replace(line, longer).replace('{', '{\r\n'));
    }
    const range = requirement(longer, 3);
    const hover = await client.ask<Hover>('textDocument/hover', uri, { position: range.start });
    assert.deepEqual(hover.range, range);
    await client.stop();
  });
}
