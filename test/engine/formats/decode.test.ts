import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import '../../harness/seed.ts';
import fc from 'fast-check';
import { decode } from '../../../server/src/engine/formats/text/decode.ts';

function big(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>\r\n<name>Größe</name>`;

const cases: readonly [string, Uint8Array, ReturnType<typeof decode>][] = [
  ['nothing', Buffer.from(''), { text: '', encoding: 'utf-8', bom: false }],
  ['UTF-8', Buffer.from('größer 𝒳\n'), { text: 'größer 𝒳\n', encoding: 'utf-8', bom: false }],
  ['UTF-8 with its mark', Buffer.from('\uFEFFö\r\n'), { text: 'ö\r\n', encoding: 'utf-8', bom: true }],
  ['UTF-16 LE with its mark', Buffer.from('\uFEFFö\r', 'utf16le'), { text: 'ö\r', encoding: 'utf-16le', bom: true }],
  ['UTF-16 BE with its mark', big('\uFEFFö\r\n'), { text: 'ö\r\n', encoding: 'utf-16be', bom: true }],
  ['UTF-16 LE', Buffer.from('{\n"ö"', 'utf16le'), { text: '{\n"ö"', encoding: 'utf-16le', bom: false }],
  ['UTF-16 BE', big('{\n"ö"'), { text: '{\n"ö"', encoding: 'utf-16be', bom: false }],
  [
    'half a character too much',
    Buffer.concat([big('\uFEFFab'), Buffer.of(0)]),
    { text: 'ab', encoding: 'utf-16be', bom: true },
  ],
  [
    'XML declared as ISO-8859-1',
    Buffer.from(xml('ISO-8859-1'), 'latin1'),
    { text: xml('ISO-8859-1'), encoding: 'windows-1252', bom: false },
  ],
  ['XML declared as UTF-8', Buffer.from(xml('UTF-8')), { text: xml('UTF-8'), encoding: 'utf-8', bom: false }],
  [
    'a mark against a declaration',
    Buffer.from(`\uFEFF${xml('ISO-8859-1')}`),
    { text: xml('ISO-8859-1'), encoding: 'utf-8', bom: true },
  ],
  ['no valid UTF-8', Buffer.of(0x80, 0x67, 0xf6, 0x9f), { text: '€göŸ', encoding: 'windows-1252', bom: false }],
];

for (const [name, bytes, expected] of cases) {
  test(`decodes ${name}`, () => assert.deepEqual(decode(bytes), expected));
}

test('decodes a stretch of a larger buffer', () => {
  const bytes = Buffer.from('abc\uFEFFdef').subarray(3);
  assert.equal(decode(bytes).text, 'def');
});

test('any bytes are decoded, and UTF-8 comes back as it was', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 12 }), (it) => typeof decode(it).text === 'string'));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (it) => {
      const text = `{ ${it.replace(/^\uFEFF/, '')}`;
      assert.equal(decode(Buffer.from(text)).text, text);
    }),
  );
});
