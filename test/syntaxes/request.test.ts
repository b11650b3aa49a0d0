import assert from 'node:assert/strict';
import { test } from 'node:test';
import textmate from 'vscode-textmate';
import { loadGrammar, scopeMarks } from '../harness/grammar.ts';

const scope = 'source.package-insights-request';
const grammar = await loadGrammar('request.tmLanguage.json', scope);

test('a request has colors for its method, its parameters, its body and comments', () => {
  const text = '# Insert\nMETHOD scheduling.events.insert\ncalendarId: primary\n\n{ "a": "b", "c": [1, true] }\n';
  assert.deepEqual(
    scopeMarks(grammar, scope, text).map(({ span, label }) => `${text.slice(span.start, span.end)} ${label}`),
    [
      '# Insert comment.line.number-sign',
      'METHOD keyword.control',
      'scheduling.events.insert entity.name.function',
      'calendarId variable.parameter',
      ': punctuation.separator',
      'primary string.unquoted',
      '"a" support.type.property-name.json',
      '"b" string.quoted.double',
      '"c" support.type.property-name.json',
      '1 constant.numeric',
      'true constant.language',
    ],
  );
});

test('a long line is colored in linear time', () => {
  for (const unit of ['a', '"', '\\"', ' ', ':', 'METHOD ', '1', '{']) {
    const { tokens } = grammar.tokenizeLine(`"${unit.repeat(2000)}!`, textmate.INITIAL);
    assert.ok(tokens.length > 0);
  }
});
