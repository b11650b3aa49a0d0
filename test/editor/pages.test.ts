import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ClientCapabilities } from 'vscode-languageserver';
import { findingCodes } from '../../server/src/engine/model/finding.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { startLsp } from '../harness/lsp-client.ts';
import { root } from '../tools/paths.ts';

const uri = 'file:///workspace/package.json';
const text = '{\n  "dependencies": {\n    "request": "2.88.2"\n  }\n}\n';
const service = await startServiceForFile({
  'NPM request': { versions: { '2.88.2': { isDefault: true, deprecated: 'no longer maintained' } } },
});

const able = { textDocument: { publishDiagnostics: { codeDescriptionSupport: true } } };

for (const { client, capabilities, opened } of [
  {
    client: 'a client that opens addresses',
    capabilities: able,
    opened: /^file:\/\/\/.*\/docs\/findings\.md#deprecated$/,
  },
  {
    client: 'our extension',
    capabilities: { ...able, experimental: { packageInsightsCommands: true } },
    opened: /^command:packageInsights\.showPage\?%5B%22findings%22%2C%22deprecated%22%5D$/,
  },
] satisfies { client: string; capabilities: ClientCapabilities; opened: RegExp }[]) {
  test(`a code leads ${client} to the page that is shipped with the program`, async (t) => {
    const { process, open, pushedUntil, stop } = await startLsp({ capabilities, settings: { baseUrl: service.url } });
    t.after(() => process.kill());
    await open(uri, text);
    const [found] = await pushedUntil(uri, (all) => all.length === 1);
    const href = found?.codeDescription?.href ?? '';
    assert.match(href, opened);
    if (href.startsWith('file:')) assert.ok(existsSync(fileURLToPath(href.replace(/#.*/, ''))), href);
    await stop();
  });
}

test('each code has its heading on the page', () => {
  const page = readFileSync(join(root, 'docs', 'findings.md'), 'utf8');
  const headings = page.split('\n').flatMap((it) => /^#+ `?([\w-]+)`?$/.exec(it)?.[1] ?? []);
  assert.deepEqual(
    findingCodes.filter((it) => !headings.includes(it)),
    [],
  );
});
