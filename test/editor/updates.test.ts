import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { AnnotatedTextEdit, TextDocumentEdit } from 'vscode-languageserver';
import type { UpdatesAnswer } from '../../server/src/editor/requests/updates.ts';
import { type LspClient, startLsp } from '../harness/lsp-client.ts';
import { type StartedService, startService } from '../harness/service.ts';
import { type Folder, folderWith } from '../terminal/program.ts';

const manifest = `{
  "dependencies": {
    "lodash": "4.17.15",
    "chalk": "4.0.0",
    "request": "2.88.2",
    "gone": "1.0.0"
  }
}
`;

let service: StartedService;
let folder: Folder;
let client: LspClient;
let base: string;
let applied: unknown[] = [];

before(async () => {
  service = await startService({
    'NPM lodash': {
      versions: { '4.17.15': {}, '4.17.21': {}, '4.18.0': {}, '5.0.0': { isDefault: true } },
      shared: { licenses: ['MIT'] },
    },
    'NPM chalk': {
      versions: { '4.0.0': {}, '4.1.2': {}, '5.3.0': { isDefault: true } },
      shared: { licenses: ['MIT'] },
    },
    'NPM request': { versions: { '2.88.2': { isDefault: true, deprecated: 'no longer maintained' } } },
    'advisory GHSA-p6mc-m468-83gw': {
      title: 'Prototype pollution',
      cvss3Score: 7.4,
      affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '3.7.0', fixed: '4.17.19' }] }],
    },
  });
  folder = folderWith({
    'package.json': manifest,
    'other/package.json': '{ "dependencies": { "lodash": "4.17.15" } }',
    'node_modules/lodash/package.json': '{ "dependencies": { "lodash": "4.17.15" } }',
  });
  base = `${pathToFileURL(folder.path).href}/`;
  client = await startLsp({
    folder: base,
    settings: { baseUrl: service.url },
    capabilities: {
      workspace: {
        applyEdit: true,
        workspaceEdit: { documentChanges: true, changeAnnotationSupport: { groupsOnLabel: true } },
      },
    },
    answers: {
      'workspace/applyEdit': (params) => {
        applied.push(params);
        return { applied: true };
      },
    },
  });
  await client.open(`${base}package.json`, manifest);
});
after(async () => {
  await client.stop();
  folder.remove();
  await service.close();
});

function ask(params: object): Promise<UpdatesAnswer> {
  return client.connection.sendRequest('packageInsights/updates', params);
}

/** `package.json 4.17.21 lodash 4.17.15 → 4.17.21 (patch, fixes the vulnerability)`, for each change */
function changesIn({ edit }: UpdatesAnswer): string[] {
  return ((edit?.documentChanges ?? []) as TextDocumentEdit[]).flatMap(({ textDocument, edits }) =>
    edits.map((it) => {
      const annotation = edit?.changeAnnotations?.[(it as AnnotatedTextEdit).annotationId];
      assert.equal(annotation?.needsConfirmation, true);
      const file = textDocument.uri.replace(base, '');
      return `${file} ${'newText' in it ? it.newText : ''}: ${annotation?.label} (${annotation?.description})`;
    }),
  );
}

const textDocument = { uri: '' };
const inFile = (scope: string) => ask({ scope, textDocument: { ...textDocument, uri: `${base}package.json` } });
const left = (answer: UpdatesAnswer) => answer.left.map((it) => `${it.names.join(', ')}: ${it.reason}`);

test('the safe update moves what is affected, one confirmation each, and says what is left', async () => {
  const answer = await inFile('safe');
  assert.deepEqual(changesIn(answer), [
    'package.json 4.17.21: lodash 4.17.15 → 4.17.21 (patch, fixes the vulnerability)',
  ]);
  assert.equal(answer.changes, 1);
  assert.deepEqual(left(answer), ['request: no fixed version', 'gone: unknown to the service']);
});

test('without a major step and to default versions, the targets are looked up first', async () => {
  assert.deepEqual(changesIn(await inFile('in-major')), [
    'package.json 4.18.0: lodash 4.17.15 → 4.18.0 (minor, fixes the vulnerability, latest minor)',
    'package.json 4.1.2: chalk 4.0.0 → 4.1.2 (minor, latest minor)',
  ]);
  assert.deepEqual(changesIn(await inFile('default')), [
    'package.json 5.0.0: lodash 4.17.15 → 5.0.0 (major, fixes the vulnerability, latest)',
    'package.json 5.3.0: chalk 4.0.0 → 5.3.0 (major, latest)',
  ]);
});

test('the update of a line moves what the line declares, and says what is left there', async () => {
  const onLine = (line: number, scope = 'default') =>
    ask({ scope, line, textDocument: { ...textDocument, uri: `${base}package.json` } });
  assert.deepEqual(
    changesIn(await onLine(3)).map((it) => it.replace(/ \(.*/, '')),
    ['package.json 5.3.0: chalk 4.0.0 → 5.3.0'],
  );
  assert.deepEqual(left(await onLine(3)), []);
  const none = await onLine(4);
  assert.equal(none.edit, undefined);
  assert.deepEqual(left(none), ['request: no fixed version']);
  assert.equal((await onLine(0)).changes, 0);
});

test('what is left says where', async () => {
  const { left } = await inFile('safe');
  const uri = `${base}package.json`;
  assert.deepEqual(
    left.flatMap((it) => it.places),
    [
      { name: 'request 2.88.2', uri, line: 4 },
      { name: 'gone', uri, line: 5 },
    ],
  );
});

test('an update of the workspace edits manifests that are not open, and no folders of packages', async () => {
  const answer = await ask({ scope: 'default' });
  assert.deepEqual(
    changesIn(answer)
      .map((it) => it.replace(/ \(.*/, ''))
      .sort(),
    [
      'other/package.json 5.0.0: lodash 4.17.15 → 5.0.0',
      'package.json 5.0.0: lodash 4.17.15 → 5.0.0',
      'package.json 5.3.0: chalk 4.0.0 → 5.3.0',
    ],
  );
  // A step that two files have is confirmed for each.
  assert.equal(Object.keys(answer.edit?.changeAnnotations ?? {}).length, answer.changes);
  const versions = ((answer.edit?.documentChanges ?? []) as TextDocumentEdit[]).map((it) => it.textDocument);
  assert.deepEqual(Object.fromEntries(versions.map((it) => [it.uri.replace(base, ''), it.version])), {
    'package.json': 1,
    'other/package.json': null,
  });
});

test('the command of the server takes a scope, and asks the client for one edit', async () => {
  for (const [args, expected] of [
    [[`${base}package.json`], 1],
    [[`${base}package.json`, 'in-major'], 2],
    [[`${base}package.json`, 'everything'], 0],
  ] as const) {
    applied = [];
    const command = 'packageInsights.server.updateAll';
    const changed = await client.connection.sendRequest('workspace/executeCommand', { command, arguments: args });
    assert.equal(changed, expected, String(args));
    assert.equal(applied.length, expected > 0 ? 1 : 0);
  }
});

test('parameters that are none are rejected', async () => {
  await assert.rejects(ask({ scope: 'all' }), /not what it needs/);
  await assert.rejects(ask({ scope: 'safe', textDocument: { uri: 5 } }), /not what it needs/);
  await assert.rejects(ask({ scope: 'safe', line: 1 }), /not what it needs/);
  await assert.rejects(ask({ scope: 'safe', line: '1', textDocument: { uri: base } }), /not what it needs/);
});
