import assert from 'node:assert/strict';
import { test } from 'node:test';
import textmate from 'vscode-textmate';
import { loadGrammar, scopeMarks } from '../harness/grammar.ts';
import { expectPicture, paint, readPictures } from '../harness/picture.ts';

const scope = 'source.requirements';
const grammar = await loadGrammar('requirements.tmLanguage.json', scope);

for (const picture of readPictures(import.meta.dirname)) {
  test(`grammar: ${picture.title}`, () => {
    const painted = picture.sections.map(({ name, text }) => ({
      name,
      painted: paint(text, scopeMarks(grammar, scope, text)),
    }));
    expectPicture(picture, painted);
  });
}

test('grammar: a long line is colored in linear time', () => {
  for (const unit of ['a', '=', '[', ' ', '-', 'a.', '/', ';', ' --hash=', '$\u007bA}', '"']) {
    const { tokens } = grammar.tokenizeLine(`a${unit.repeat(2000)}!`, textmate.INITIAL);
    assert.ok(tokens.length > 0);
  }
});
