import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CodeAction } from 'vscode-languageserver';
import { startService } from '../harness/service.ts';
import { strictClient } from './strict-client.ts';

const uri = 'file:///w/pom.xml';

/** One dependency whose version stands in a property. */
const pom = `<project>
  <groupId>w</groupId><artifactId>w</artifactId><version>1</version>
  <properties><a.version>1.0</a.version></properties>
  <dependencies>
    <dependency><groupId>g</groupId><artifactId>a</artifactId><version>\${a.version}</version></dependency>
  </dependencies>
</project>
`;

/** What a client is offered that types while others of its files are looked at. */
async function offered(t: TestContext, documentChanges: boolean): Promise<CodeAction[]> {
  const service = await startService({
    'MAVEN g:a': { versions: { '1.0': { deprecated: 'old' }, '2.0': { isDefault: true, licenses: ['MIT'] } } },
  });
  t.after(() => service.close());
  let look = (): void => {};
  const looked = new Promise<void>((resolve) => {
    look = resolve;
  });
  let go = (): void => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const client = await strictClient({
    capabilities: {
      workspace: { workspaceEdit: { documentChanges } },
      textDocument: {
        publishDiagnostics: {},
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
      },
    },
    settings: { baseUrl: service.url },
    initialize: { workspaceFolders: [{ uri: 'file:///w', name: 'w' }] },
    // What else uses the definition is looked for in the other manifests.
    files: {
      read: async () => undefined,
      async find() {
        look();
        await gate;
        return [];
      },
    },
  });
  t.after(() => client.stop());
  await client.open(uri, pom);
  await client.pushed(uri, (all) => all.length === 2);
  const position = { line: 4, character: 80 };
  while (!JSON.stringify(await client.ask('textDocument/hover', uri, { position })).includes('Update to 2.0'));
  const range = { start: position, end: position };
  const asked = client.ask<CodeAction[]>('textDocument/codeAction', uri, { range, context: { diagnostics: [] } });
  await looked;
  // The action waits by now: requests are handled in their order.
  await client.ask('textDocument/hover', uri, { position });
  await client.change(uri, 2, `<!-- typed meanwhile -->\n${pom}`);
  await client.pushed(uri, (all) => all.some((it) => it.range.start.line === 5));
  go();
  return asked;
}

test('an edit names the text that it was made for, however much is typed while other files are looked at', async (t) => {
  const [action] = await offered(t, true);
  const [change] = action?.edit?.documentChanges ?? [];
  assert.ok(change && 'textDocument' in change);
  assert.equal(change.edits[0] && 'range' in change.edits[0] && change.edits[0].range.start.line, 2);
  assert.equal(change.textDocument.version, 1);
});

test('a client that takes no versions is offered no edit of an older text', async (t) => {
  assert.deepEqual(await offered(t, false), []);
});
