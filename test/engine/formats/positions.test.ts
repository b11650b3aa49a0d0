import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../harness/seed.ts';
import fc from 'fast-check';
import { positionsIn } from '../../../server/src/engine/formats/text/positions.ts';

const texts = fc
  .array(fc.constantFrom('a', 'é', '中', '😀', '\r', '\n', '\r\n'), { maxLength: 20 })
  .map((pieces) => pieces.join(''));

for (const encoding of ['utf-16', 'utf-8'] as const) {
  const length = (it: string): number => (encoding === 'utf-16' ? it.length : Buffer.byteLength(it));

  test(`${encoding}: an offset is so many lines, and so many units of the last of them, into the text`, () => {
    fc.assert(
      fc.property(texts, fc.nat(20), (text, seed) => {
        const offset = seed % (text.length + 1);
        // Neither between the halves of a pair nor within a line end.
        fc.pre(!/^(?:\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])/.test(text.slice(Math.max(0, offset - 1), offset + 1)));
        const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
        const position = { line: lines.length - 1, character: length(lines.at(-1) ?? '') };
        const positions = positionsIn(text, encoding);
        assert.deepEqual(positions.at(offset), position);
        assert.equal(positions.offset(position), offset);
      }),
    );
  });

  test(`${encoding}: what lies outside comes to the nearest place inside`, () => {
    const { at, range, offset } = positionsIn('ab\r\ncd', encoding);
    assert.deepEqual(range({ start: -1, end: 99 }), {
      start: { line: 0, character: 0 },
      end: { line: 1, character: 2 },
    });
    assert.deepEqual(at(3), { line: 0, character: 3 });
    assert.equal(offset({ line: -1, character: 5 }), 0);
    assert.equal(offset({ line: 0, character: -1 }), 0);
    assert.equal(offset({ line: 0, character: 99 }), 2);
    assert.equal(offset({ line: 9, character: 0 }), 6);
  });
}
