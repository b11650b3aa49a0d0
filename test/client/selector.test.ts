import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { test } from 'node:test';
import {
  manifestLanguages,
  manifestPatterns,
  manifestSelector,
  servedSelector,
  usualManifests,
} from '../../client/src/selector.ts';
import { manifestFormats } from '../../server/src/engine/ecosystems/manifest-formats.ts';
import { readPictures } from '../harness/picture.ts';

const fixtures = join(import.meta.dirname, '..', 'pictures', 'fixtures');

/** The files of every picture. Node's globs pass over folders with a dot, editors' globs do not. */
const names = globSync('*', { cwd: fixtures }).flatMap((folder) =>
  readPictures(join(fixtures, folder)).map(({ sections }) => `workspace/${sections[0]?.name}`.replaceAll('/.', '/')),
);

test('the editor hands over every file that a format has a picture of', () => {
  for (const name of names)
    assert.ok(
      manifestPatterns.some((it) => matchesGlob(name, it)),
      `${name} is selected`,
    );
});

test('every pattern of the editor is for a format of the server', () => {
  for (const pattern of manifestPatterns) {
    assert.ok(
      names.some((it) => matchesGlob(it, pattern)),
      `${pattern} matches a picture`,
    );
  }
});

test('the editor hands over texts without a file in the languages that the server knows them by', () => {
  assert.deepEqual([...manifestLanguages].sort(), manifestFormats.flatMap((it) => it.languages ?? []).sort());
});

test('the editor hands over files under the names that a person has chosen', () => {
  const own = ['reqs*.txt=requirements.txt'];
  const chosen = { scheme: 'file', pattern: '**/reqs*.txt' };
  for (const all of [manifestSelector(['file'], own), servedSelector(['file'], [], own)])
    assert.deepEqual(
      all.filter((it) => 'pattern' in it && it.pattern === chosen.pattern),
      [chosen],
    );
  assert.ok(matchesGlob('w/app/reqs-dev.txt', chosen.pattern));
});

test('a workspace activates the extension by what it contains, or by what is opened in it', () => {
  const { activationEvents } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'));
  const [first, ...others]: readonly string[] = activationEvents;
  assert.equal(first, `workspaceContains:**/{${usualManifests}}`);
  // A file system that is not the disk may have no search, by which VS Code looks for what a workspace contains.
  assert.deepEqual(
    others.filter((it) => !/^(?:onLanguage|onFileSystem):/.test(it)),
    // The walkthrough is there without a manifest, too, and no menu has this command.
    ['onCommand:packageInsights.showPage'],
  );
  for (const it of ['vscode-vfs', 'memfs']) assert.ok(others.includes(`onFileSystem:${it}`), it);
  assert.ok(!others.includes('onFileSystem:file'));
  // A package.json that is opened alone, or is the first one of a workspace, has hints at once.
  assert.ok(others.includes('onLanguage:json'));
  // VS Code opens these itself in every window, and they hold no manifest but of a language of its own.
  assert.ok(!others.includes('onLanguage:plaintext'));
  for (const it of usualManifests) {
    const name = `workspace/app/${it.replace('*', 'x')}`;
    assert.ok(
      manifestPatterns.some((pattern) => matchesGlob(name, pattern)),
      `${name} is a manifest`,
    );
  }
});
