import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar, type StateStack } from 'vscode-textmate';
import type { Mark } from './picture.ts';

const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
const engine = oniguruma.loadWASM(readFileSync(wasm));

/** Loads a grammar of the folder `syntaxes`, with the engines that VS Code uses. */
export async function loadGrammar(file: string, scope: string): Promise<IGrammar> {
  const path = join(import.meta.dirname, '..', '..', 'syntaxes', file);
  const registry = new textmate.Registry({
    onigLib: engine.then(() => ({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    })),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(path, 'utf8'), path),
  });
  const grammar = await registry.loadGrammar(scope);
  assert.ok(grammar);
  return grammar;
}

/**
 * What is colored, as a theme sees it: the innermost scope, without the name of the language that ends it.
 * @param scope the grammar's own: `source.gomod`
 */
export function scopeMarks(grammar: IGrammar, scope: string, text: string): Mark[] {
  const suffix = scope.replace(/^source/, '');
  const marks: Mark[] = [];
  let state: StateStack = textmate.INITIAL;
  let start = 0;
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    for (const token of tokens) {
      const name = token.scopes.at(-1) ?? '';
      if (name === scope || name.startsWith('meta.')) continue;
      assert.ok(name.endsWith(suffix), name);
      const end = Math.min(token.endIndex, line.length);
      const span = { start: start + token.startIndex, end: start + end };
      marks.push({ span, label: name.slice(0, -suffix.length) });
    }
    state = ruleStack;
    start += line.length + 1;
  }
  return marks;
}
