import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeAction } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { catalog, manifest, onLodash } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const uri = 'file:///workspace/package.json';
const asked = { range: { start: onLodash, end: onLodash }, context: { diagnostics: [] } };

/** The texts that the updates of the bounded range of lodash write, and the reasons of those that are refused. */
async function updates(client: StrictClient): Promise<readonly string[]> {
  await client.ask('textDocument/hover', uri, { position: onLodash });
  const actions = await client.ask<CodeAction[]>('textDocument/codeAction', uri, asked);
  const own = actions.filter((it) => it.title.startsWith('Update lodash'));
  return own.map((it) => it.disabled?.reason ?? it.edit?.changes?.[uri]?.[0]?.newText ?? '');
}

test('the setting decides what an update makes of a range that ends below the version', async () => {
  const service = await startServiceForFile(catalog);
  const client = await strictClient({
    capabilities: {
      textDocument: {
        codeAction: { disabledSupport: true, codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
      },
    },
    settings: { baseUrl: service.url },
  });
  const become = async (settings: object): Promise<readonly string[]> => {
    const packageInsights = { baseUrl: service.url, ...settings };
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: { packageInsights } });
    return updates(client);
  };
  await client.open(uri, manifest.replace('4.17.15', '>=4.17.15 <4.17.20'));
  const [byDefault] = await updates(client);
  assert.equal(byDefault, '>=4.17.15 <4.17.22');
  const [action] = await client.ask<CodeAction[]>('textDocument/codeAction', uri, asked);
  assert.match(action?.title ?? '', /range widened to >=4\.17\.15 <4\.17\.22/);
  assert.equal((await become({ boundedRanges: 'replace' }))[0], '>=4.17.21 <4.17.22');
  assert.match(
    (await become({ boundedRanges: 'never' }))[0] ?? '',
    /<4\.17\.20 excludes 4\.17\.21, and packageInsights\.boundedRanges is "never"/,
  );
  assert.equal((await become({ boundedRanges: 'widen' }))[0], '>=4.17.15 <4.17.22');
  await client.stop();
});
