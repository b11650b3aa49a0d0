import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Inline, paragraph, toMarkdown, toPlainText } from '../../../server/src/editor/features/markup.ts';
import type { LinkSafety } from '../../../server/src/engine/model/links.ts';

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
  [{ link: 'a](b)', url: 'https://good.example/' }, '[a&#93;(b)](https://good.example/)'],
  [{ link: '\\[a]', url: 'https://good.example/' }, '[\\\\&#91;a&#93;](https://good.example/)'],
  [{ link: 'a', url: 'https://good.example/x)[y](command:z' }, '[a](https://good.example/x%29%5By%5D%28command:z)'],
  [{ link: 'a', url: 'javascript:alert(1)' }, 'a'],
  [{ link: 'a', url: 'command:workbench.action.quit' }, 'a'],
  [{ link: 'a', url: 'https://good.example@evil.example/' }, 'a'],
];

for (const [piece, markdown] of pieces) {
  test(`${JSON.stringify(piece)} stays what it is`, () =>
    assert.equal(toMarkdown([paragraph(piece)], undefined), markdown));
}

test('plain text names the address of a link', () => {
  const prose = [paragraph('See ', { link: 'it', url: 'https://good.example/' }, { link: 's', url: 'data:x' })];
  assert.equal(toPlainText(prose, undefined), 'See it <https://good.example/>s');
});

/** Checks that know three addresses. */
const links: LinkSafety = {
  stateOf(url) {
    const at = new Date(2026, 0, 1, 12, 3).getTime();
    if (url === 'https://good.example/') return { kind: 'checked', at };
    return url === 'https://bad.example/' ? { kind: 'suspected', threats: ['MALWARE'], at } : { kind: 'unchecked' };
  },
  request: async () => {},
  onDidChange: () => () => {},
};

const checked: readonly (readonly [url: string, markdown: string, plain: string])[] = [
  [
    'https://good.example/',
    '[a\\*](https://good.example/ "no known threat, 12:03")',
    'a* <https://good.example/> (no known threat, 12:03)',
  ],
  ['https://bad.example/', '~~a\\*~~ (may lead to malware)', 'a* (may lead to malware)'],
  ['https://new.example/', 'a\\* (not checked)', 'a* (not checked)'],
  ['javascript:alert(1)', 'a\\*', 'a*'],
  // The addresses of this program are its own.
  [
    'https://osv.dev/vulnerability/GHSA-1',
    '[a\\*](https://osv.dev/vulnerability/GHSA-1)',
    'a* <https://osv.dev/vulnerability/GHSA-1>',
  ],
  ['https://osv.dev.bad.example/', 'a\\* (not checked)', 'a* (not checked)'],
];

for (const [url, markdown, plain] of checked) {
  test(`${url} is a link only if it is checked`, () => {
    const prose = [paragraph({ link: 'a*', url })];
    assert.equal(toMarkdown(prose, links), markdown);
    assert.equal(toPlainText(prose, links), plain);
  });
}

test('an editor that runs our commands offers to open an unchecked link', () => {
  const prose = [paragraph({ link: 'a', url: 'https://new.example/x)' })];
  const args = encodeURIComponent('[{"url":"https://new.example/x%29"}]');
  assert.equal(
    toMarkdown(prose, links, { commandLinks: true }),
    `a ([Open anyway](command:packageInsights.openLink?${args} "not checked"))`,
  );
});
