import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CompletionItem, Hover, InlayHint } from 'vscode-languageserver';
import type { Status } from '../../server/src/editor/publish/status.ts';
import { catalogSource } from '../../server/src/service/catalog/source.ts';
import { serveHttp } from '../../server/src/service/http-server.ts';
import { mapAnswer } from '../../server/src/service/source.ts';
import { inlineCatalog } from '../harness/service.ts';
import { everything } from './scratch.ts';
import { strictClient } from './strict-client.ts';

/* What an editor shows of versions whose vulnerabilities the service does not know: nothing of it looks clean. */

const catalog = catalogSource(
  inlineCatalog({
    'NPM plain': { versions: ['1.0.0'], shared: { licenses: ['MIT'] } },
    'NPM ranged': { versions: ['1.0.0', '1.0.1', '2.0.0'], shared: { licenses: ['MIT'] } },
    'NPM bare': { versions: ['1.0.0'] },
    'NPM unnamed': { versions: ['1.0.0'], shared: { licenses: ['MIT'] } },
    'NPM checked': { versions: ['1.0.0'], shared: { licenses: ['MIT'] } },
  }),
);
const service = await serveHttp({
  source: {
    ...catalog,
    version: (key) =>
      mapAnswer(catalog.version(key), (it) => ({
        ...it,
        registries: key.name === 'unnamed' ? [] : ['https://npm.acme.example/all'],
        ...(key.name !== 'checked' && { advisoriesComplete: false, advisoryKeys: undefined }),
      })),
  },
});
const uri = 'file:///workspace/package.json';
const dependencies = { plain: '1.0.0', ranged: '^1.0.0', bare: '1.0.0', unnamed: '1.0.0', checked: '1.0.0' };
const text = JSON.stringify({ dependencies }, undefined, 2);
const client = await strictClient({
  settings: { baseUrl: service.url },
  capabilities: {
    textDocument: { inlayHint: {}, hover: { contentFormat: ['plaintext'] }, completion: {} },
    experimental: { packageInsightsStatus: true },
  },
});
await client.open(uri, text);
const status = await client.until((sent) => {
  const last = sent.findLast((it) => it.method === 'packageInsights/status')?.params as Status | undefined;
  const [document] = last?.documents ?? [];
  return document?.pending === 0 && document.dependencies === 5 ? document : undefined;
});
after(async () => {
  await client.stop();
  await service.close();
});

test('a hint says so', async () => {
  const hints = await client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range: everything });
  assert.deepEqual(
    hints.map(({ label }) => (typeof label === 'string' ? label : label.map((it) => it.value).join(''))),
    [
      '1.0.0 · MIT · not checked',
      '1.0.1 · MIT · not checked → 2.0.0 (major)',
      '1.0.0 · not checked',
      '1.0.0 · MIT · not checked',
      '1.0.0 · MIT',
    ],
  );
});

for (const [line, reason] of [
  [2, 'Vulnerabilities: not checked (npm.acme.example does not know them)'],
  [5, 'Vulnerabilities: not checked (the service does not know them)'],
] as const) {
  test(`a hover says so, and who does not know them: ${reason}`, async () => {
    const hover = await client.ask<Hover>('textDocument/hover', uri, { position: { line, character: 6 } });
    assert.ok((hover.contents as { value: string }).value.includes(reason), JSON.stringify(hover.contents));
  });
}

test('the status counts them', () => {
  assert.equal(status.lookups.listed, 4);
});

test('completion says so of each version', async () => {
  const answer = await client.ask<{ items: CompletionItem[] }>('textDocument/completion', uri, {
    position: { line: 3, character: '    "ranged": "'.length },
  });
  const notes = answer.items.map((it) => JSON.stringify(it)).filter((it) => it.includes('1.0.1'));
  assert.ok(
    notes.some((it) => it.includes('vulnerabilities not checked')),
    notes.join('\n'),
  );
});
