import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PROBLEMS } from '../../../server/src/engine/formats/text/limits.ts';
import { parseXml } from '../../../server/src/engine/formats/xml/parse.ts';
import { childOf, childrenOf, type XmlElement } from '../../../server/src/engine/formats/xml/tree.ts';

/** `a(b[x=1] c "text")`: the tree on one line. */
function outline(element: XmlElement | undefined): string {
  if (!element) return '';
  const attributes = element.attributes.map((it) => `${it.name}=${it.value}`).join(' ');
  const inside = [...element.children.map(outline), ...(element.text ? [JSON.stringify(element.text)] : [])].join(' ');
  return `${element.name}${attributes && `[${attributes}]`}${inside && `(${inside})`}`;
}

function all(element: XmlElement | undefined): XmlElement[] {
  const found: XmlElement[] = [];
  const left = element ? [element] : [];
  for (let it = left.pop(); it; it = left.pop()) {
    found.push(it);
    for (const child of it.children) left.push(child);
  }
  return found;
}

const readings: readonly (readonly [says: string, text: string, tree: string])[] = [
  ['elements, attributes and text', '<a x="1" y=\'2\'><b>t</b><c/></a>', 'a[x=1 y=2](b("t") c)'],
  ['names of every first letter', '<a><z/><A/><Z/><_b/><é/><1/></a>', 'a(z A Z _b é "<1/>")'],
  ['prefixes are left out', '<m:a xmlns:m="u" m:x="1"><m:b>t</m:b></m:a>', 'a[m=u x=1](b("t"))'],
  [
    'the declaration, comments and instructions are passed over',
    '<?xml version="1.0"?><!-- <x> --><a><?p <y>?><b/></a>',
    'a(b)',
  ],
  ['entities of XML and character references', '<a x="&lt;&quot;">&amp;&#65;&#x42;&apos;</a>', `a[x=<"]("&AB'")`],
  ['a reference to no character stays', '<a>&#99999999;&#xFFFFFF;&#;&;&</a>', 'a("&#99999999;&#xFFFFFF;&#;&;&")'],
  ['CDATA', '<a><![CDATA[ <1> &amp; ]]></a>', 'a("<1> &amp;")'],
  ['text around a comment', '<a>1.<!-- two -->0</a>', 'a("1.0")'],
  ['white space in an attribute', '<a x="1\n\t2"/>', 'a[x=1  2]'],
  [
    'a document type with entities, which are not expanded',
    '<!DOCTYPE a [<!ENTITY e "]>"><!-- " ]> -->]><a>&e;</a>',
    'a("&e;")',
  ],
  ['nothing', '', ''],
  ['text alone', 'no markup', ''],
  ['what follows the root', '<a/><b/>', 'a'],
  ['a tag without its end', '<a><b <c>1</c></a>', 'a(b c("1"))'],
  ['a tag broken off in an attribute', '<a><b x="1" y= <c z="2"/></a>', 'a(b[x=1 y=] c[z=2])'],
  ['an attribute without its closing quote', '<a>\n<b x="1 />\n<c y="2"/></a>', 'a(b[x=1 ] c[y=2])'],
  ['a stray quote', '<a><b x="1"" y="2"/><c/></a>', 'a(b[x=1 y=2] c)'],
  ['an attribute without quotes', '<a x=1 y>t</a>', 'a[x=1 y=]("t")'],
  ['a greater sign in an attribute', `<a x="'1' > '2'"/>`, "a[x='1' > '2']"],
  ['a lone less sign', '<a><b>[1,<2)</b> < <c/></a>', 'a(b("[1,<2)") c "<")'],
  ['a misspelt end tag', '<a><b>1</bx><c>2</c></a>', 'a(b("1") c("2"))'],
  ['an end tag broken off', '<a><b>1</b\n<c>2</c></a>', 'a(b("1") c("2"))'],
  ['an end tag hardly begun', '<a><b>1</\n<c>2</c></a>', 'a(b("1") c("2"))'],
  ['an end tag too many', '<a><b/></b><c/></a>', 'a(b c)'],
  ['an element without its end', '<a><b>1<c>2</c></a>', 'a(b("1") c("2"))'],
  ['elements without their ends', '<a><b><c>1 <b><c>2</c></b> <b/></a>', 'a(b(c("1")) b(c("2")) b)'],
  ['a container without its end', '<a>\n  <b>\n    <c>1</c>\n  <d>2</d>\n</a>', 'a(b(c("1")) d("2"))'],
  ['a container whose start tag is being typed', '<a>\n  <li\n    <c>1</c>\n  </list>\n</a>', 'a(list(c("1")))'],
  [
    'an end tag like that of the innermost, further in',
    '<a>\n  <bs>\n    <b/>\n    </b>\n    <b/>\n  </bs>\n</a>',
    'a(bs(b b))',
  ],
  ['an end tag hardly begun, as far in as its start', '<a>\n  <b>\n    <c/>\n  </\n  <b/>\n</a>', 'a(b(c) b)'],
  ['a comment without its end', '<a><!-- x\n<b/></a>', 'a(b)'],
  ['CDATA without its end', '<a><b><![CDATA[1</b><c/></a>', 'a(b("1") c)'],
  ['a document type without its end', '<!DOCTYPE a [\n<a><b/></a>', 'a(b)'],
];

for (const [says, text, tree] of readings) {
  test(`XML: ${says}`, () => assert.equal(outline(parseXml(text).root), tree));
}

test('offsets are those of the file, with every line end, a byte order mark and characters beyond the first plane', () => {
  const lines = ['<?xml version="1.0"?>', '<!-- 𝒳', ' -->', '<p:a', ' q="𝒳&amp;">', '  <b> 1.0', ' </b>', '</p:a>', ''];
  for (const start of ['', '\uFEFF']) {
    for (const lineEnd of ['\n', '\r\n']) {
      const text = start + lines.join(lineEnd);
      const { root, problems } = parseXml(text);
      assert.deepEqual(problems, []);
      const cut = (span: { start: number; end: number } | undefined) => span && text.slice(span.start, span.end);
      assert.equal(cut(root?.span), text.slice(text.indexOf('<p:a'), text.lastIndexOf('>') + 1));
      assert.equal(cut(root?.nameSpan), 'a');
      assert.equal(root?.attributes[0]?.name, 'q');
      assert.equal(cut(root?.attributes[0]?.valueSpan), '𝒳&amp;');
      const b = childOf(root, 'b');
      assert.equal(cut(b?.textSpan), '1.0');
      assert.equal(cut(b?.literal?.span), '1.0');
    }
  }
});

test('a text is a literal where one edit can replace it', () => {
  const literal = (text: string) => parseXml(text).root?.literal;
  assert.deepEqual(literal('<a><!-- x --> 1 <!-- y --></a>')?.span, { start: 14, end: 15 });
  assert.deepEqual(literal('<a> <![CDATA[ 1 ]]> </a>')?.span, { start: 14, end: 15 });
  assert.equal(literal('<a>1.<!-- two -->0</a>'), undefined);
  assert.equal(literal('<a>1&own;</a>'), undefined);
  assert.equal(literal('<a> </a>'), undefined);
  assert.equal(literal('<a/>'), undefined);
});

test('an encoded value reads back as it was', () => {
  const value = `<"1" & '2'>]]>`;
  for (const text of ['<a>x</a>', '<a><![CDATA[x]]></a>', '<a y="x"/>', "<a y='x'/>"]) {
    const { root } = parseXml(text);
    const literal = root?.literal ?? root?.attributes[0]?.literal;
    assert.ok(literal);
    const edited = text.slice(0, literal.span.start) + literal.encode(value) + text.slice(literal.span.end);
    const { root: again } = parseXml(edited);
    assert.equal(again?.text || again?.attributes[0]?.value, value, edited);
  }
});

test('every truncation is read, with spans inside the text', () => {
  const text = readings.map((it) => it[1]).join('\n');
  for (let end = 0; end <= text.length; end++) {
    for (const it of all(parseXml(`<r>${text.slice(0, end)}`).root)) {
      for (const span of [
        it.span,
        it.nameSpan,
        it.textSpan,
        ...it.attributes.map((attribute) => attribute.valueSpan),
      ]) {
        assert.ok(span.start >= 0 && span.start <= span.end && span.end <= end + 3, `${end}: ${it.name}`);
      }
    }
  }
});

test('hostile files are read in one go', () => {
  const deep = 100_000;
  const many = 50_000;
  const laughs = `<!DOCTYPE l [${'<!ENTITY a "&b;&b;">'.repeat(1000)}]><l>&a;</l>`;
  assert.equal(parseXml(laughs).root?.text, '&a;');
  const nested = parseXml(`<l><x>1</x>${'<a>'.repeat(deep)}${'</a>'.repeat(deep)}<x>2</x></l>`);
  assert.ok(all(nested.root).length < 2000);
  assert.deepEqual(
    childrenOf(nested.root, 'x').map((it) => it.text),
    ['1', '2'],
  );
  for (const text of [
    '<a>'.repeat(deep),
    '<a>x'.repeat(1_000_000),
    `${'<a>'.repeat(deep)}${'</b>'.repeat(deep)}`,
    `${Array.from({ length: 2000 }, (_, i) => `<a${i}>`).join('')}${'<a0/>'.repeat(many)}`,
    '<!--'.repeat(many),
    '<![CDATA['.repeat(many),
    '<!D['.repeat(many),
    '<!D"'.repeat(many),
    '<?'.repeat(many),
    '<a b="'.repeat(many),
    `<a ${'b="'.repeat(many)}`,
    `<a ${'b=\'" '.repeat(many)}`,
    `<a ${'='.repeat(many)}`,
    `<a>${'&'.repeat(many)}${'&#'.repeat(many)}${'&a'.repeat(many)}</a>`,
    `<a>${' '.repeat(many)}<!---->${' '.repeat(many)}</a>`,
    '</'.repeat(many),
    '<'.repeat(many),
    `<a>${'1<!---->'.repeat(many)}</a>`,
  ]) {
    assert.ok(parseXml(text).problems.length <= MAX_PROBLEMS);
  }
});

test('children are found by their names', () => {
  const { root } = parseXml('<a><b>1</b><c/><b>2</b></a>');
  assert.equal(childOf(root, 'b')?.text, '1');
  assert.deepEqual(
    childrenOf(root, 'b').map((it) => it.text),
    ['1', '2'],
  );
  assert.equal(childOf(undefined, 'b'), undefined);
  assert.deepEqual(childrenOf(undefined, 'b'), []);
});
