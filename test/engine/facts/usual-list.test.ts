import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readPackage } from '../../../server/src/engine/facts/service/read-answers.ts';
import { readUsualList } from '../../../server/src/engine/facts/service/read-list.ts';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';

const asked = { system: 'NPM', name: 'left-pad' } as const;

function row(version: string, more: object = {}) {
  const versionKey = { system: 'NPM', name: 'left-pad', version };
  const publishedAt = '2012-04-23T16:37:11Z';
  return {
    versionKey,
    purl: `pkg:npm/left-pad@${version}`,
    publishedAt,
    isDefault: false,
    isDeprecated: false,
    ...more,
  };
}

function answer(versions: readonly object[], more: object = {}): string {
  return JSON.stringify({ packageKey: asked, purl: 'pkg:npm/left-pad', versions, ...more });
}

/** As a Go program may write it. */
function spaced(json: string): string {
  return json.replaceAll(',"', ', "').replaceAll(',{', ', {');
}

const many = Array.from({ length: 250 }, (_, at) =>
  row(`1.${at}.0`, {
    isDefault: at === 249,
    isDeprecated: at % 100 === 7,
    publishedAt: new Date(at * 1e9).toISOString(),
  }),
);

describe('a list in the layout of the service is read as JSON.parse reads it', () => {
  const usual = {
    'no version': answer([]),
    'one version': answer([row('1.0.0', { isDefault: true })]),
    'a long version': answer([row('1.0.0-beta.2012.04.23+build.1')]),
    'no date': answer([row('1.0.0', { publishedAt: undefined }), row('1.1.0')]),
    'a date that is none': answer([row('1.0.0', { publishedAt: 'yesterday' }), row('1.1.0', { publishedAt: '' })]),
    'several default versions': answer([row('1.0.0', { isDefault: true }), row('1.1.0', { isDefault: true })]),
    'a sample': answer([row('1.0.0')], { versionsComplete: false }),
    'a whole list': answer([row('1.0.0')], { versionsComplete: true }),
    'hundreds of versions': answer(many),
    'another spelling': answer([row('1.0.0')]).replaceAll('left-pad', 'Left-Pad'),
    'letters beyond ASCII': answer([row('1.0.0-größe')]),
  };
  for (const [name, text] of Object.entries(usual)) {
    for (const [layout, json] of Object.entries({ compact: text, spaced: spaced(text), ended: `${text}\n` })) {
      test(`${name}, ${layout}`, () => {
        const key = name === 'another spelling' ? ({ system: 'NUGET', name: 'left-pad' } as const) : asked;
        const written = name === 'another spelling' ? json.replaceAll('NPM', 'NUGET') : json;
        const facts = readUsualList(written, key);
        assert.ok(facts, 'it is in the usual layout');
        assert.deepEqual(facts, readPackage(JSON.parse(written), key));
      });
    }
  }

  test('rows are as in the answer', () => {
    const facts = readUsualList(
      answer([row('1.0.0', { isDeprecated: true }), row('1.1.0', { publishedAt: undefined })]),
      asked,
    );
    assert.deepEqual(facts && rowsOf(facts.versions), [
      { version: '1.0.0', publishedAt: Date.UTC(2012, 3, 23, 16, 37, 11), isDefault: false, isDeprecated: true },
      { version: '1.1.0', isDefault: false, isDeprecated: false },
    ]);
  });
});

describe('anything else is left to JSON.parse', () => {
  const whole = answer(many.slice(0, 3));
  const others = {
    'an unknown field': answer([row('1.0.0', { newer: 1 })]),
    'an escape': answer([row('1.0.0"x')]),
    'a control character': answer([row('1.0.0')]).replace('1.0.0"', '1.0\t0"'),
    'a version of another package': answer([
      row('1.0.0'),
      { ...row('6.6.6'), versionKey: { system: 'NPM', name: 'evil', version: '6.6.6' } },
    ]),
    'another package': answer([row('1.0.0')]).replaceAll('left-pad', 'right-pad'),
    'a missing version': answer([row('')]),
    'a flag that is none': answer([row('1.0.0', { isDefault: 'true' })]),
    'no flag': answer([row('1.0.0', { isDefault: undefined })]),
    'two gaps': spaced(whole).replace(', "isDeprecated"', ',"isDeprecated"'),
    'a comma at the end': whole.replace(']}', ',]}'),
    'text after the end': `${whole}{}`,
    'another layout': JSON.stringify(JSON.parse(whole), null, 1),
    'an unknown system': whole.replaceAll('NPM', 'DNF'),
    'no JSON': '<html>',
    nothing: '',
  };
  for (const [name, text] of Object.entries(others))
    test(name, () => assert.equal(readUsualList(text, asked), undefined));

  test('every answer that is cut off', () => {
    for (let length = 0; length < whole.length; length++)
      assert.equal(readUsualList(whole.slice(0, length), asked), undefined);
  });
});
