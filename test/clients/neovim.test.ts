import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { manifest, versionOf, work } from './editor.ts';

interface Seen {
  readonly version: string;
  readonly diagnostics: readonly object[];
  readonly hover: string;
  readonly outline: readonly string[];
  readonly users: number;
  readonly hints?: readonly string[];
  readonly lines: readonly string[];
  readonly after: string;
  readonly alive: boolean;
}

const installed = versionOf('nvim');
const skip = installed === undefined && 'neovim is not installed: not tested here';

test('Neovim shows findings and a hover, applies a fix, and keeps its server', { skip }, async (context) => {
  const script = join(import.meta.dirname, 'neovim.lua');
  const [, minor] = /v0\.(\d+)/.exec(installed ?? '') ?? [];
  const heading = minor !== undefined && Number(minor) < 11 ? 'Neovim 0.7 to 0.10' : 'Neovim 0.11 and newer';
  const seen = await work<Seen>(heading, 'nvim', ['--clean', '--headless', '-c', `luafile ${script}`]);
  assert.ok(!('failed' in seen), 'failed' in seen ? seen.failed : '');
  context.diagnostic(`${installed}`);
  // Columns of Neovim's diagnostics are bytes.
  assert.deepEqual(seen.diagnostics, [
    { lnum: 3, col: 26, end_col: 33, code: 'advisory', severity: 1 },
    { lnum: 4, col: 16, end_col: 22, code: 'deprecated', severity: 2 },
  ]);
  assert.match(seen.hover, /GHSA-p6mc-m468-83gw/);
  for (const it of ['lodash', 'request']) assert.ok(seen.outline.join().includes(it), seen.outline.join());
  assert.equal(seen.users, 1);
  if (seen.hints !== undefined) {
    assert.deepEqual(seen.hints, ['⚠ high → 4.17.21 · 1 vulnerability', '⚠ deprecated · no fix']);
  }
  assert.deepEqual(seen.lines, manifest.trimEnd().replace('4.17.15', '4.17.21').split('\n'));
  assert.match(seen.after, /no longer maintained/);
  assert.equal(seen.alive, true);
});
