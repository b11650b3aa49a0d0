import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { relative } from 'node:path';
import * as vscode from 'vscode';
import { manifestPatterns } from '../../../client/src/selector.ts';
import { eventually } from '../eventually.ts';
import { hintsOf, inWorkspace, open } from './document.ts';
import { test } from './runner.ts';

/*
 * The sample shows every format, so each of its manifests has hints: this is what keeps the selector of the client,
 * the table of formats and the catalog together.
 */
const root = inWorkspace('').fsPath;

for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
  const path = relative(root, `${entry.parentPath}/${entry.name}`);
  if (!entry.isFile() || !isManifest(path)) continue;

  test(`the sample's ${path} has hints`, async () => {
    const document = await open(path);
    await eventually(async () => assert.notDeepEqual(await hintsOf(document), []));
  });
}

function isManifest(path: string): boolean {
  // It defines versions, and asks for nothing itself.
  if (path.endsWith('gradle.properties')) return false;
  return manifestPatterns.some((it) => matchesGlob(it, path));
}

/** The editor's own matching, on a document that is not opened for it. */
function matchesGlob(pattern: string, path: string): boolean {
  const document = { uri: inWorkspace(path), languageId: 'plaintext', fileName: path };
  return vscode.languages.match({ pattern }, document as vscode.TextDocument) > 0;
}
