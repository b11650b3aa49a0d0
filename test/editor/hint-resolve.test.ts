import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { InlayHint } from 'vscode-languageserver';
import { type StartedService, startService } from '../harness/service.ts';
import { catalog, everything, manifest } from './scratch.ts';
import { strictClient } from './strict-client.ts';

let service: StartedService;
before(async () => {
  service = await startService(catalog);
});
after(() => service.close());

test('a hint is resolved to its tooltip, and to the edit of accepting it', async () => {
  const client = await strictClient({
    settings: { baseUrl: service.url },
    capabilities: {
      textDocument: {
        hover: { contentFormat: ['markdown'] },
        inlayHint: { resolveSupport: { properties: ['tooltip', 'textEdits'] } },
      },
      workspace: { workspaceEdit: { documentChanges: true } },
    },
  });
  const uri = 'file:///workspace/package.json';
  await client.open(uri, manifest);
  const hints = await client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range: everything });
  const resolved = await client.connection.sendRequest<InlayHint>('inlayHint/resolve', hints[0]);
  assert.match(JSON.stringify(resolved.tooltip), /GHSA-p6mc-m468-83gw/);
  assert.deepEqual(
    resolved.textEdits?.map((it) => it.newText),
    ['4.17.21'],
  );
  // What is none of our hints is given back.
  const stranger = { position: { line: 0, character: 0 }, label: 'x' };
  assert.deepEqual(await client.connection.sendRequest('inlayHint/resolve', stranger), stranger);
  await client.stop();
});
