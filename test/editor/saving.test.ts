import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CodeAction, CodeActionTriggerKind } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { catalog, everything, manifest, onLodash } from './scratch.ts';
import { strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);
const uri = 'file:///workspace/package.json';
const capabilities = {
  textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'source'] } } } },
};

test('no save changes a version, whatever kinds an editor runs then', async () => {
  const client = await strictClient({ capabilities, settings: { baseUrl: service.url } });
  assert.deepEqual(client.offered.capabilities.codeActionProvider, { codeActionKinds: ['quickfix'] });
  await client.open(uri, manifest);
  await client.pushed(uri, (all) => all.length === 2);
  const actions = (range: object, context: object): Promise<CodeAction[]> =>
    client.ask('textDocument/codeAction', uri, { range, context: { diagnostics: [], ...context } });

  const onSave = ['source', 'source.fixAll', 'source.fixAll.packageInsights', 'source.organizeImports'];
  for (const kind of onSave) assert.deepEqual(await actions(everything, { only: [kind] }), [], kind);
  // Editors take any kind for this, that of quick fixes as well. They say that nobody asked.
  const { Automatic, Invoked } = CodeActionTriggerKind;
  for (const kind of [...onSave, 'quickfix', ''])
    assert.deepEqual(await actions(everything, { only: [kind], triggerKind: Automatic }), [], kind);

  // The light bulb asks by itself, too, but for no kind.
  const cursor = { start: onLodash, end: onLodash };
  for (const context of [{}, { triggerKind: Automatic }, { only: ['quickfix'], triggerKind: Invoked }]) {
    const offered = await actions(cursor, context);
    assert.deepEqual(
      offered.map((it) => it.title),
      ['Update lodash to 4.17.21 (patch, fixes the vulnerability, latest)'],
    );
    for (const it of offered) assert.equal(it.kind, 'quickfix');
  }
  await client.stop();
});
