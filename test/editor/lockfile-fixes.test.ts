import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ApplyWorkspaceEditParams, CodeAction, ShowDocumentParams } from 'vscode-languageserver';
import { type LspClient, startLsp } from '../harness/lsp-client.ts';
import { startService } from '../harness/service.ts';
import { folderWith } from '../terminal/program.ts';
import { eventually } from '../vscode/eventually.ts';

const requiring = (requirement: string) => {
  return { npm: { dependencies: { dependencies: [{ name: 'inner', requirement }] } } };
};

const catalog = {
  'NPM outer': {
    versions: {
      '1.0.0': { requirements: requiring('1.0.0') },
      '1.1.0': { requirements: requiring('^1.1.0'), isDefault: true },
    },
  },
  'NPM inner': { versions: { '1.0.0': {}, '1.1.0': { isDefault: true } } },
  'advisory GHSA-p6mc-m468-83gw': {
    cvss3Score: 9,
    affected: [{ system: 'NPM', name: 'inner', ranges: [{ introduced: '0', fixed: '1.1.0' }] }],
  },
} as const;

const lock = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages }, null, 2);

/** The first quick fix of `inner` in an opened package-lock.json, and what its command does. */
async function firstFix(manifest: string, packages: object) {
  const service = await startService(catalog);
  const folder = folderWith({ 'package.json': manifest, 'package-lock.json': lock(packages) });
  const base = `${pathToFileURL(folder.path).href}/`;
  const shown: string[] = [];
  const edits: ApplyWorkspaceEditParams[] = [];
  const client: LspClient = await startLsp({
    folder: base,
    settings: { baseUrl: service.url },
    capabilities: {
      window: { showDocument: { support: true } },
      workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } },
      textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } } },
    },
    answers: {
      'window/showDocument': async (params) => {
        const { uri } = params as ShowDocumentParams;
        shown.push(uri.slice(base.length));
        // An editor sends the text a moment later.
        setTimeout(() => client.open(uri, readFileSync(join(folder.path, uri.slice(base.length)), 'utf8')), 100);
        return { success: true };
      },
      'workspace/applyEdit': (params) => {
        edits.push(params as ApplyWorkspaceEditParams);
        return { applied: true };
      },
    },
  });
  try {
    const uri = `${base}package-lock.json`;
    const text = lock(packages);
    await client.open(uri, text);
    const line = text.split('\n').findIndex((it) => it.includes('node_modules/inner')) + 1;
    const at = { line, character: 12 };
    const params = { textDocument: { uri }, range: { start: at, end: at }, context: { diagnostics: [] } };
    const first = await eventually(async () => {
      const [action] = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', params);
      assert.match(action?.title ?? '', /package\.json/);
      return action ?? assert.fail('there is one');
    });
    const command = first.command ?? assert.fail('it has a command');
    const done = await client.connection.sendRequest('workspace/executeCommand', command);
    assert.equal(done, true);
    const written = edits.flatMap(({ edit }) =>
      (edit.documentChanges ?? []).flatMap((it) =>
        'edits' in it ? it.edits.map((one) => ('newText' in one ? one.newText : '')) : [],
      ),
    );
    return { title: first.title, shown, written };
  } finally {
    await client.stop();
    folder.remove();
    await service.close();
  }
}

test('a fix of a lockfile updates the line of the manifest that requires the package, which it opens', async () => {
  const fixed = await firstFix('{ "dependencies": { "inner": "1.0.0" } }\n', {
    '': { dependencies: { inner: '1.0.0' } },
    'node_modules/inner': { version: '1.0.0' },
  });
  assert.deepEqual(fixed, {
    title: 'Update inner to 1.1.0 in package.json, line 1',
    shown: ['package.json'],
    written: ['1.1.0'],
  });
});

test('a fix of what another package brings takes the smallest way out from the line that requires that', async () => {
  const fixed = await firstFix('{ "dependencies": { "outer": "1.0.0" } }\n', {
    '': { dependencies: { outer: '1.0.0' } },
    'node_modules/inner': { version: '1.0.0' },
    'node_modules/outer': { version: '1.0.0', dependencies: { inner: '1.0.0' } },
  });
  assert.deepEqual(fixed, {
    title: 'Change outer in package.json, line 1, which brings inner 1.0.0',
    shown: ['package.json'],
    written: ['1.1.0'],
  });
});
