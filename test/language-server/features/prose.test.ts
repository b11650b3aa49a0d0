import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Inline,
  paragraph,
  toMarkdown,
  toPlainText,
} from '../../../server/src/language-server/features/markup.ts';

/** A piece, and the markdown that shows it as it is. */
const pieces: readonly (readonly [Inline, string])[] = [
  ['4.17.15 (MIT) a_b c:d', '4.17.15 (MIT) a_b c:d'],
  ['[here](command:x)', '\\[here\\](command:x)'],
  ['![](https://tracker.example/a.png)', '!\\[\\](https\\://tracker.example/a.png)'],
  ['www.evil.example', 'www\\.evil.example'],
  ['a@evil.example', 'a\\@evil.example'],
  ['<img src=x onerror=y> a < b', '&lt;img src=x onerror=y> a < b'],
  ['&lt;b&gt;', '&amp;lt;b&amp;gt;'],
  ['# heading', '\\# heading'],
  ['1. list', '1\\. list'],
  ['1.', '1\\.'],
  ['---', '\\---'],
  ['*a* _b_ ~~c~~ `d`', '\\*a\\* \\_b\\_ \\~\\~c\\~\\~ \\`d\\`'],
  ['\\', '\\\\'],
  [{ strong: '*' }, '**\\***'],
  [{ strong: ' \t' }, ''],
  [{ code: '`' }, '`` ` ``'],
  [{ code: 'a```b' }, '````a```b````'],
  [{ link: 'a](b)', url: 'https://good.example/' }, '[a\\](b)](https://good.example/)'],
  [{ link: 'a', url: 'https://good.example/x)[y](command:z' }, '[a](https://good.example/x%29%5By%5D%28command:z)'],
  [{ link: 'a', url: 'javascript:alert(1)' }, 'a'],
  [{ link: 'a', url: 'command:workbench.action.quit' }, 'a'],
  [{ link: 'a', url: 'https://good.example@evil.example/' }, 'a'],
];

for (const [piece, markdown] of pieces) {
  test(`${JSON.stringify(piece)} stays what it is`, () => assert.equal(toMarkdown([paragraph(piece)]), markdown));
}

test('plain text names the address of a link', () => {
  const prose = [paragraph('See ', { link: 'it', url: 'https://good.example/' }, { link: 's', url: 'data:x' })];
  assert.equal(toPlainText(prose), 'See it <https://good.example/>s');
});
