import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { packVsix } from '../tools/packing.ts';
import { namesInZip } from './zip.ts';

/** Everything that runs in the editor or is shown there, and nothing else. */
const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/(package\.json|icon\.png|readme\.md|LICENSE\.txt)$/i,
  /^extension\/package\.nls(\.[a-z-]+)?\.json$/,
  /^extension\/l10n\/bundle\.l10n\.[a-z-]+\.json$/,
  /^extension\/dist\/(client|languageclient|server|engine|languageserver|browser-client|browser-server|connected|private|graphs|undici|report)\.js$/,
  /^extension\/dist\/report\.css$/,
  /^extension\/dist\/EXTENSION-NOTICES\.txt$/,
  /^extension\/syntaxes\/[\w.-]+\.json$/,
  /^extension\/schemas\/[\w.-]+\.json$/,
  /^extension\/docs\/(findings|cooldown|project-file|ci|settings)\.md$/,
  /^extension\/docs\/walkthrough\/[\w.-]+\.(md|svg|png)$/,
];

const needed = [
  'package.json',
  'package.nls.json',
  'package.nls.de.json',
  'l10n/bundle.l10n.de.json',
  'dist/client.js',
  'dist/languageclient.js',
  'dist/server.js',
  'dist/engine.js',
  'dist/languageserver.js',
  'dist/browser-client.js',
  'dist/browser-server.js',
  'dist/connected.js',
  'dist/graphs.js',
  'dist/private.js',
  'dist/undici.js',
  'dist/EXTENSION-NOTICES.txt',
  'docs/findings.md',
  'readme.md',
  'LICENSE.txt',
];

test('the VSIX holds what runs in the editor and in a browser, in less than 1.75 megabytes', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'vsix-'));
  context.after(() => rmSync(folder, { recursive: true }));
  // A run of all tests has packed it.
  const vsix = process.env['PACKAGE_INSIGHTS_VSIX'] ?? join(folder, 'extension.vsix');
  if (!existsSync(vsix)) await packVsix(vsix);
  const files = namesInZip(vsix);
  assert.deepEqual(
    files.filter((file) => !allowed.some((it) => it.test(file))),
    [],
    'these should not be in it',
  );
  assert.deepEqual(
    needed.filter((it) => !files.includes(`extension/${it}`)),
    [],
    'these should be in it',
  );
  assert.ok(statSync(vsix).size < 1_750_000, `it has ${statSync(vsix).size} bytes`);
});
