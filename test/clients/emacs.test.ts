import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { manifest, named, versionOf, work } from './editor.ts';

interface Seen {
  readonly diagnostics: readonly { readonly text: string; readonly said: string }[];
  readonly hover: string;
  readonly outline: readonly string[];
  readonly users: number;
  readonly text: string;
  readonly after: string;
  /** The files with a name that was changed in both. */
  readonly renamed: readonly string[];
  readonly alive: boolean;
}

const skip = whyNot();

test('Emacs with eglot shows findings and a hover, applies a fix, renames in two files, and keeps its server', {
  skip,
}, async () => {
  // With -Q Emacs would not find the packages that the system installed.
  const seen = await work<Seen>('Emacs', 'emacs', ['--batch', '-q', '-l', join(import.meta.dirname, 'emacs.el')]);
  assert.ok(!('failed' in seen), 'failed' in seen ? seen.failed : '');
  assert.deepEqual(
    seen.diagnostics.map((it) => it.text),
    ['4.17.15', '2.88.2'],
  );
  assert.match(seen.diagnostics[0]?.said ?? '', /high 7\.4/);
  assert.match(seen.hover, /GHSA-p6mc-m468-83gw/);
  for (const it of ['lodash', 'request']) assert.ok(seen.outline.includes(it), seen.outline.join());
  assert.equal(seen.users, 1);
  assert.equal(seen.text, manifest.replace('4.17.15', '4.17.21'));
  assert.match(seen.after, /no longer maintained/);
  assert.deepEqual(
    seen.renamed,
    Object.values(named).map((it) => it.replace('old', 'legacy')),
  );
  assert.equal(seen.alive, true);
});

function whyNot(): string | false {
  if (versionOf('emacs') === undefined) return 'emacs is not installed: not tested here';
  try {
    execFileSync('emacs', ['--batch', '-q', '--eval', "(require 'eglot)"], { stdio: 'ignore' });
    return false;
  } catch {
    return 'eglot is not installed: not tested here';
  }
}
