import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../tools/paths.ts';
import { messagesInSources } from './messages.ts';

/*
 * Every text for people has its translation, and no translation outlives its text. `UPDATE=1` takes out of the bundles
 * what nobody says any more, and puts what is new in its place with an empty translation, for a person to write.
 */
const bundles = globSync('l10n/bundle.l10n.*.json', { cwd: root });
const used = [...messagesInSources()].sort();

test('there is a translation into German', () => {
  assert.ok(bundles.some((it) => it.endsWith('bundle.l10n.de.json')));
});

for (const path of bundles) {
  const bundle = bundleOf(path);

  test(`${path} has every message of the sources, and no others`, () => {
    assert.deepEqual(
      used.filter((it) => !Object.hasOwn(bundle, it)),
      [],
      'these are not translated',
    );
    assert.deepEqual(
      Object.keys(bundle).filter((it) => !used.includes(it)),
      [],
      'nobody says these',
    );
  });

  test(`${path} keeps every placeholder`, () => {
    for (const [message, translation] of Object.entries(bundle)) {
      assert.notEqual(translation.trim(), '', message);
      assert.deepEqual(placeholdersIn(translation), placeholdersIn(message), `${message}\n${translation}`);
    }
  });

  test(`${path} keeps commands, options and addresses of the terminal as they are`, () => {
    for (const [message, translation] of Object.entries(bundle)) {
      for (const line of message.match(/^ {2}(?:--?[\w-]+|package-insights)[^\n]*?(?= {2}|$)/gm) ?? [])
        assert.ok(translation.includes(line), `${line} is not in\n${translation}`);
    }
  });

  test(`${path} is sorted, so that a change of it reads well`, () => {
    assert.deepEqual(Object.keys(bundle), Object.keys(bundle).sort());
  });
}

test('package.json is translated whole', () => {
  const named = [...readFileSync(join(root, 'package.json'), 'utf8').matchAll(/"%([\w.-]+)%"/g)].map(
    (it) => it[1] ?? '',
  );
  const english = textsIn('package.nls.json');
  assert.deepEqual(Object.keys(english).sort(), [...new Set(named)].sort());
  const { contributes, capabilities } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.deepEqual([...plainTextsIn({ contributes, capabilities })], [], 'these belong into package.nls.json');
  for (const path of globSync('package.nls.*.json', { cwd: root })) {
    const translated = textsIn(path);
    assert.deepEqual(Object.keys(translated), Object.keys(english), path);
    for (const [key, text] of Object.entries(translated)) {
      // What a click does, and what is code, is the same in every language.
      const fixed = /\]\([^)]*\)|`[^`]*`/g;
      assert.deepEqual([...(text.match(fixed) ?? [])].sort(), [...(english[key]?.match(fixed) ?? [])].sort(), key);
    }
  }
});

function bundleOf(path: string): Readonly<Record<string, string>> {
  const found: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, path), 'utf8'));
  if (process.env['UPDATE'] !== '1') return found;
  const updated = Object.fromEntries(used.map((it) => [it, found[it] ?? '']));
  writeFileSync(join(root, path), `${JSON.stringify(updated, undefined, 2)}\n`);
  return updated;
}

function placeholdersIn(text: string): string[] {
  return [...new Set(text.match(/\{\d+\}/g))].sort();
}

test('every page of the walkthrough is there in every language, with the same code', () => {
  const code = /`[^`]+`/g;
  const pagesOf = (name: string): readonly string[] =>
    Object.entries(textsIn(name)).flatMap(([key, path]) =>
      key.endsWith('.page') ? [readFileSync(join(root, path), 'utf8')] : [],
    );
  const english = pagesOf('package.nls.json');
  assert.ok(english.length > 0);
  for (const path of globSync('package.nls.*.json', { cwd: root })) {
    const pages = pagesOf(path);
    assert.deepEqual(
      pages.map((it) => it.match(code)),
      english.map((it) => it.match(code)),
    );
    assert.ok(pages.every((it, at) => it !== english[at]));
  }
});

function textsIn(name: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}

/** What package.json would show in English to everybody. The product has one name everywhere. */
function* plainTextsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const isShown = /^(?:title|description|markdownDescription|contents|name|contextualTitle)$/.test(key);
    if (typeof inner !== 'string') yield* plainTextsIn(inner);
    else if (isShown && inner !== 'Package Insights' && !/^%.*%$/.test(inner)) yield inner;
  }
}
