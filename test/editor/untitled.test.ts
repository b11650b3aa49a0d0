import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CodeAction } from 'vscode-languageserver';
import type { LineAnswer } from '../../server/src/editor/requests/purl.ts';
import { type StartedService, startService } from '../harness/service.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

/* A text that has no file yet, whose language says which manifest it is. */

const uri = 'untitled:Untitled-1';
const start = { line: 0, character: 0 };

let service: StartedService;
let client: StrictClient;
before(async () => {
  service = await startService({
    'PYPI flask': { versions: ['2.2.4', '3.0.0'] },
    'GO golang.org/x/text': { versions: ['v0.3.0', 'v0.14.0'] },
    'advisory GHSA-x': {
      cvss3Score: 7.4,
      affected: [
        { system: 'PYPI', name: 'flask', ranges: [{ introduced: '0', fixed: '3.0.0' }] },
        { system: 'GO', name: 'golang.org/x/text', ranges: [{ introduced: 'v0.0.0', fixed: 'v0.14.0' }] },
      ],
    },
  });
  client = await strictClient({
    capabilities: {
      textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } },
      workspace: { applyEdit: true },
    },
    settings: { baseUrl: service.url },
    answer: () => null,
  });
});
after(async () => {
  await client.stop();
  await service.close();
});

const texts = [
  { languageId: 'pip-requirements', text: '-r base.txt\nFlask==2.2.4\n', fixed: /^(?:==)?3\.0\.0$/ },
  { languageId: 'package-insights-requirements', text: 'Flask==2.2.4\n', fixed: /^(?:==)?3\.0\.0$/ },
  { languageId: 'go.mod', text: 'module a.example/b\nrequire golang.org/x/text v0.3.0\n', fixed: /^v0\.14\.0$/ },
  { languageId: 'package-insights-go-mod', text: 'require golang.org/x/text v0.3.0\n', fixed: /^v0\.14\.0$/ },
];

for (const { languageId, text, fixed } of texts) {
  test(`a text in the language ${languageId} has its findings and fixes, and nothing that takes a file`, async () => {
    await client.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text },
    });
    const [finding] = await client.pushed(uri, (all) => all.length === 1);
    assert.equal(finding?.code, 'advisory');
    const asked = { range: finding?.range, context: { diagnostics: [] } };
    // The finding is known before the way out of it is.
    let actions: readonly CodeAction[] = [];
    while (!actions.some((it) => it.edit)) actions = await client.ask('textDocument/codeAction', uri, asked);
    const fix = actions.find((it) => it.edit);
    assert.match(fix?.edit?.changes?.[uri]?.[0]?.newText ?? '', fixed);
    assert.ok(!actions.some((it) => it.title.startsWith('Ignore')), actions.map((it) => it.title).join(', '));
    await client.close(uri);
    await client.pushed(uri, (all) => all.length === 0);
  });
}

test('a text in another language is nothing', async () => {
  const text = '{ "dependencies": { "lodash": "1.0.0" } }';
  await client.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'json', version: 1, text },
  });
  assert.equal(await client.ask('textDocument/hover', uri, { position: start }), null);
  await client.close(uri);
});

test('a version is written as such a text would have it', async () => {
  await client.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'pip-requirements', version: 1, text: '' },
  });
  const key = { system: 'PYPI', name: 'flask', version: '3.0.0' };
  const line = await client.ask<LineAnswer>('packageInsights/dependencyLine', uri, key);
  assert.ok(line.kind === 'line' && line.text === 'flask==3.0.0');
  await client.close(uri);
});
