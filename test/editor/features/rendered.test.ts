import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Marked, type Token, type Tokens } from 'marked';
import {
  type Block,
  type Inline,
  item,
  linkCommand,
  paragraph,
  rule,
  toMarkdown,
} from '../../../server/src/editor/features/markup.ts';
import { oneLine } from '../../../server/src/engine/base/text.ts';
import { webAddress } from '../../../server/src/engine/model/links.ts';
import '../../harness/seed.ts';

/*
 * What VS Code makes of our markdown: with the version of its renderer (VS Code 1.100 and 1.139: marked 14.0.0). A text of
 * a stranger may be anywhere; it is shown as it is, and makes no link, image, element or other block.
 */

const key = 'the key of the window';
const marked = new Marked();

interface Rendered {
  readonly links: readonly { readonly href: string; readonly text: string }[];
  readonly others: readonly string[];
  readonly text: string;
}

/** Everything but text in a rendered document. */
function rendered(markdown: string): Rendered {
  const links: { href: string; text: string }[] = [];
  const others: string[] = [];
  let text = '';
  const walk = (tokens: readonly Token[], isInLink = false): void => {
    for (const it of tokens) {
      switch (it.type) {
        case 'link':
          if (isInLink) others.push('link in a link');
          // As VS Code's own renderer of links does.
          links.push({ href: withoutEscapes(it.href), text: textOf(it.tokens ?? []) });
          walk(it.tokens ?? [], true);
          break;
        case 'paragraph':
        case 'list':
        case 'list_item':
        case 'text':
        case 'strong':
        case 'del':
          if (it.type === 'strong' || it.type === 'del') others.push(it.type);
          if (it.type === 'list') walk((it as Tokens.List).items, isInLink);
          else if ('tokens' in it && it.tokens) walk(it.tokens, isInLink);
          else text += decoded(it.raw);
          break;
        case 'escape':
          text += it.text.replace(/&\w+;|&#\d+;/g, decoded);
          break;
        case 'space':
        case 'hr':
          break;
        default:
          others.push(`${it.type}: ${it.raw}`);
      }
    }
  };
  walk(marked.lexer(markdown));
  return { links, others, text };
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((it) => ('tokens' in it && it.tokens ? textOf(it.tokens) : decoded('text' in it ? it.text : it.raw)))
    .join('');
}

/** Source: VS Code, `removeMarkdownEscapes`. */
function withoutEscapes(text: string): string {
  return text.replace(/\\([\\`*_{}[\]()#+\-.!~])/g, '$1');
}

const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
    code ? String.fromCodePoint(Number(code)) : (references[name] ?? whole),
  );
}

const pieces = [
  '![x](https://tracker.example/a.png)',
  '!\\[x\\](https://tracker.example/a.png)',
  '[x](command:packageInsights.server.update?%5B%5D)',
  '\\[x\\](command:packageInsights.link?%5B%22a%22%5D)',
  '[x]: https://evil.example',
  '[x][y]',
  '<img src=https://tracker.example/a.png>',
  '<a href="command:x">',
  '<https://evil.example>',
  'https://evil.example',
  'www.evil.example',
  'a@evil.example',
  '&#91;x&#93;(command:y)',
  '&lt;img&gt;',
  '`code`',
  '``',
  '**a**',
  '~~a~~',
  '__a__',
  '| a | b |',
  '# a',
  '> a',
  '- a',
  '1. a',
  '---',
  '===',
  '    a',
  '```\na\n```',
  '\\',
  '\\\\',
  '[',
  ']',
  '(',
  ')',
  '!',
  '"',
  "'",
  ' ',
  '\n',
  '\n\n',
  '\t',
  '\u2028',
  '\u202e',
  'a',
  '$(alert)',
  '😀',
];

const addresses = [
  'https://good.example/a',
  'https://good.example/)[x](command:y)',
  'https://good.example/\\[x\\]',
  'https://good.example/"x',
  "https://good.example/'x'?a=&b=#c",
  'https://good.example/&#41;',
];

const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((it) => it.join(''));
const inline: fc.Arbitrary<Inline> = fc.oneof(
  text,
  fc.record({
    link: text,
    url: fc.oneof(
      fc.constantFrom(...addresses),
      text.map((it) => `https://good.example/${it}`),
    ),
  }),
  fc.record({
    link: text,
    place: fc.record({
      uri: text.map((it) => `file:///w/${encodeURIComponent(it)}/package.json`),
      line: fc.constant(3),
    }),
  }),
  fc.record({
    link: text,
    command: fc.constant('packageInsights.ignore'),
    args: fc.tuple(fc.record({ id: text })),
    title: text,
  }),
);
const block: fc.Arbitrary<Block> = fc.oneof(
  fc.array(inline, { minLength: 1, maxLength: 4 }).map((it) => paragraph('See ', ...it)),
  fc.array(inline, { minLength: 1, maxLength: 4 }).map((it) => item('See ', ...it)),
  fc.constant(rule),
);

test('no text of a stranger becomes anything but text', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 3 }), (blocks) => {
      const markdown = toMarkdown(blocks, undefined, { commandLinks: true, linkKey: key });
      const { links, others } = rendered(markdown);
      assert.deepEqual(others, [], markdown);
      const wanted = blocks.flatMap((it) => it.parts).filter((it) => typeof it === 'object' && 'link' in it);
      const shown = wanted.filter((it) => !('url' in it) || webAddress(it.url) !== undefined);
      assert.equal(links.length, shown.length, markdown);
      for (const { href } of links) {
        if (!href.startsWith('command:')) {
          assert.match(href, /^(?:https:\/\/good\.example\/|file:\/\/\/w\/)/, markdown);
          continue;
        }
        const [command, query = ''] = href.slice('command:'.length).split('?');
        const [given, name] = JSON.parse(decodeURIComponent(query));
        assert.deepEqual([command, given, name], [linkCommand, key, 'packageInsights.ignore'], markdown);
      }
    }),
    { numRuns: 5000 },
  );
});

test('the text of a link is what it was', () => {
  for (const it of pieces.filter((piece) => oneLine(piece).trim() !== '')) {
    const markdown = toMarkdown([paragraph('See ', { link: it, url: 'https://good.example/' })], undefined);
    const [link] = rendered(markdown).links;
    assert.equal(link?.text.trim(), oneLine(it).trim(), markdown);
  }
});
