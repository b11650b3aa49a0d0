import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import oniguruma from 'vscode-oniguruma';
import textmate, { type StateStack } from 'vscode-textmate';
import { expectPicture, type Mark, paint, readPictures } from '../harness/picture.ts';

const path = join(import.meta.dirname, '../../syntaxes/requirements.tmLanguage.json');
const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');

const registry = new textmate.Registry({
  onigLib: oniguruma.loadWASM(readFileSync(wasm)).then(() => ({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  })),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(path, 'utf8'), path),
});

/** What is coloured, as a theme sees it: the innermost scope, without the name of the language that ends it. */
async function scopes(text: string): Promise<Mark[]> {
  const grammar = await registry.loadGrammar('source.requirements');
  assert.ok(grammar);
  const marks: Mark[] = [];
  let state: StateStack = textmate.INITIAL;
  let start = 0;
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    for (const token of tokens) {
      const scope = token.scopes.at(-1) ?? '';
      if (scope === 'source.requirements' || scope.startsWith('meta.')) continue;
      assert.match(scope, /\.requirements$/);
      const end = Math.min(token.endIndex, line.length);
      marks.push({
        span: { start: start + token.startIndex, end: start + end },
        label: scope.slice(0, -'.requirements'.length),
      });
    }
    state = ruleStack;
    start += line.length + 1;
  }
  return marks;
}

for (const picture of readPictures(import.meta.dirname)) {
  test(`grammar: ${picture.title}`, async () => {
    const painted = picture.sections.map(async ({ name, text }) => ({
      name,
      painted: paint(text, await scopes(text)),
    }));
    expectPicture(picture, await Promise.all(painted));
  });
}

test('grammar: a long line is coloured in linear time', async () => {
  const grammar = await registry.loadGrammar('source.requirements');
  for (const unit of ['a', '=', '[', ' ', '-', 'a.', '/', ';', ' --hash=', '$\u007bA}', '"']) {
    const { tokens } = grammar?.tokenizeLine(`a${unit.repeat(2000)}!`, textmate.INITIAL) ?? {};
    assert.ok(tokens && tokens.length > 0);
  }
});
