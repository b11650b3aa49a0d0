import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import textmate from 'vscode-textmate';
import { loadGrammar, scopeMarks } from '../harness/grammar.ts';
import { expectPicture, paint, readPictures } from '../harness/picture.ts';

const scope = 'source.gomod';
const grammar = await loadGrammar('go-mod.tmLanguage.json', scope);

for (const picture of readPictures(join(import.meta.dirname, 'go-mod'))) {
  test(`grammar: ${picture.title}`, () => {
    const painted = picture.sections.map(({ name, text }) => ({
      name,
      painted: paint(text, scopeMarks(grammar, scope, text)),
    }));
    expectPicture(picture, painted);
  });
}

test('grammar: a long line of a go.mod is colored in linear time', () => {
  for (const unit of ['a', '/', '"', '\\', '`', ' ', '[', '(', 'v1.', '=>', ' => ', './', '// indirect ']) {
    for (const line of [`require ${unit.repeat(2000)}!`, `require (${unit.repeat(2000)}!`, unit.repeat(2000)]) {
      assert.ok(grammar.tokenizeLine(line, textmate.INITIAL).tokens.length > 0);
    }
  }
});
