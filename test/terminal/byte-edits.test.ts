import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '../../server/src/engine/formats/text/decode.ts';
import { applyByteEdits } from '../../server/src/terminal/check/byte-edits.ts';

const text = '<?xml version="1.0"?>\r\n<a b="é😀 1.0" c="1.0"/>\r\n';

/** The text's edit of `1.0` in `c` to `2.0.0`. */
const edits = [{ span: { start: text.lastIndexOf('1.0'), end: text.lastIndexOf('1.0') + 3 }, newText: '2.0.0' }];
const changed = text.replace('c="1.0"', 'c="2.0.0"');

function utf16(it: string, swapped: boolean): Buffer {
  const bytes = Buffer.from(it, 'utf16le');
  return swapped ? bytes.swap16() : bytes;
}

const writers: Readonly<Record<string, (it: string) => Uint8Array>> = {
  'UTF-8': (it) => Buffer.from(it),
  'UTF-8 with a mark': (it) => Buffer.from(`\uFEFF${it}`),
  'UTF-16, little end first, with a mark': (it) => utf16(`\uFEFF${it}`, false),
  'UTF-16, big end first, with a mark': (it) => utf16(`\uFEFF${it}`, true),
  'UTF-16 without a mark': (it) => utf16(it, false),
};

for (const [name, write] of Object.entries(writers)) {
  test(`an edit keeps ${name}`, () => {
    const spliced = applyByteEdits(write(text), text, edits);
    assert.ok(spliced.ok);
    assert.deepEqual(Buffer.from(spliced.bytes), Buffer.from(write(changed)));
    assert.equal(spliced.after, changed);
  });
}

test('an edit keeps what is no UTF-8 byte for byte, and refuses what cannot be written there', () => {
  const bytes = Buffer.from('name: caf\xe9 \x81\x9f\nversion: 1.0\n', 'latin1');
  const { text: read, encoding } = decode(bytes);
  assert.equal(encoding, 'windows-1252');
  const span = { start: read.indexOf('1.0'), end: read.indexOf('1.0') + 3 };
  const spliced = applyByteEdits(bytes, read, [{ span, newText: '1.1' }]);
  assert.ok(spliced.ok);
  assert.deepEqual(Buffer.from(spliced.bytes), Buffer.from('name: caf\xe9 \x81\x9f\nversion: 1.1\n', 'latin1'));
  assert.deepEqual(applyByteEdits(bytes, read, [{ span, newText: '1.1–β' }]), {
    ok: false,
    reason: '1.1–β cannot be encoded in windows-1252',
  });
});

test('a file whose mark promises what its bytes do not keep is left alone', () => {
  const bytes = Buffer.concat([Buffer.from('\uFEFF'), Buffer.from([0xff, 0xfe, 0xfd]), Buffer.from(' 1.0 ')]);
  const { text: read } = decode(bytes);
  const span = { start: read.indexOf('1.0'), end: read.indexOf('1.0') + 3 };
  assert.equal(applyByteEdits(bytes, read, [{ span, newText: '2.0' }]).ok, false);
});

test('a file that is not what was looked at is left alone', () => {
  assert.deepEqual(applyByteEdits(Buffer.from('other'), 'text', []), {
    ok: false,
    reason: 'it has changed in the meantime',
  });
});

test('edits come in any order, and must not overlap', () => {
  const edit = (start: number, end: number, newText: string) => ({ span: { start, end }, newText });
  const spliced = applyByteEdits(Buffer.from('a1 b2'), 'a1 b2', [edit(4, 5, '20'), edit(1, 2, '10')]);
  assert.ok(spliced.ok && spliced.after === 'a10 b20');
  assert.equal(applyByteEdits(Buffer.from('a1 b2'), 'a1 b2', [edit(0, 3, ''), edit(2, 4, '')]).ok, false);
});
