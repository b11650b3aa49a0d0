import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as l10n from '@vscode/l10n';
import { loadTranslations, localeOf } from '../../server/src/platform/language.ts';

const cases: readonly (readonly [locale: string, word: string])[] = [
  ['de', 'veraltet'],
  ['DE', 'veraltet'],
  ['de-CH', 'veraltet'],
  ['de_AT.UTF-8', 'veraltet'],
  ['de_DE@euro', 'veraltet'],
  ['en', 'deprecated'],
  ['en-us', 'deprecated'],
  ['', 'deprecated'],
  ['C', 'deprecated'],
  ['C.UTF-8', 'deprecated'],
  ['POSIX', 'deprecated'],
  ['deutsch', 'deprecated'],
  ['../l10n/bundle.l10n.de', 'deprecated'],
  ['de/../de', 'veraltet'],
];

for (const [locale, word] of cases) {
  test(`“${locale}” says ${word}`, () => {
    loadTranslations(locale);
    assert.equal(l10n.t('deprecated'), word);
  });
}

test('the first variable that is set counts, and an empty one is not', () => {
  assert.equal(localeOf({ LC_ALL: 'de', LC_MESSAGES: 'fr', LANG: 'en' }), 'de');
  assert.equal(localeOf({ LC_ALL: '', LC_MESSAGES: 'fr', LANG: 'en' }), 'fr');
  assert.equal(localeOf({ LANG: 'en' }), 'en');
  assert.equal(localeOf({}), '');
});
