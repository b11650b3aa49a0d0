import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paint, parsePicture, variants } from './picture.ts';

test('a picture painted from the marks taken out of it is the picture again, in every variant', () => {
  const painted = 'a:\t"𝒳1"\n  \t ^^ value\n|end\nlast';
  const text = parsePicture('p', `title\n-- f --\n${painted.replace('|end', '| end')}`).sections[0]?.text ?? '';
  assert.equal(text, 'a:\t"𝒳1"\nlast');
  for (const variant of variants(text)) {
    const start = variant.text.indexOf('𝒳');
    const end = variant.text.indexOf('last');
    const marks = [
      { span: { start, end: start + 3 }, label: 'value' },
      { span: { start: end, end }, label: 'here' },
    ];
    assert.equal(paint(variant.text, marks), 'a:\t"𝒳1"\n  \t ^^ value\nlast\n| here', variant.name);
  }
});
