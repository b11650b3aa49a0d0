import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ClientCapabilities, CodeAction, Hover, InlayHint } from 'vscode-languageserver';
import { startLsp } from '../harness/lsp-client.ts';
import { type InlineCatalog, type StartedService, startService } from '../harness/service.ts';
import { type Folder, folderWith, runProgram } from '../terminal/program.ts';

/* What a person whose language is German is told, by an editor and in the terminal. */

const catalog: InlineCatalog = {
  'NPM lodash': {
    versions: ['4.17.15', '4.17.21'],
    shared: { licenses: ['MIT'], publishedAt: '2020-08-13T00:00:00Z' },
  },
  'advisory GHSA-p6mc-m468-83gw': {
    title: 'Prototype Pollution in lodash',
    cvss3Score: 7.4,
    affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '0', fixed: '4.17.19' }] }],
  },
};
const manifest = '{\n  "dependencies": {\n    "lodash": "^4.17.15"\n  }\n}\n';

let service: StartedService;
let folder: Folder;
before(async () => {
  service = await startService(catalog);
  folder = folderWith({ 'package.json': manifest.replace('^', '') });
});
after(async () => {
  await service.close();
  folder.remove();
});

const capabilities: ClientCapabilities = {
  textDocument: {
    hover: { contentFormat: ['markdown'] },
    inlayHint: {},
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
  },
};

/** What an editor shows of the manifest. */
async function shown(language: { readonly locale?: string; readonly language?: string }) {
  const client = await startLsp({
    capabilities,
    settings: { baseUrl: service.url },
    ...language,
  });
  const uri = 'file:///workspace/package.json';
  await client.open(uri, manifest.replace('^', ''));
  const textDocument = { uri };
  const position = { line: 2, character: 16 };
  const [diagnostic] = await client.pushedUntil(uri, (all) => all.some((it) => String(it.message).includes('4.17.21')));
  const hover = await client.connection.sendRequest<Hover>('textDocument/hover', { textDocument, position });
  const range = { start: position, end: position };
  const hints = await client.connection.sendRequest<InlayHint[]>('textDocument/inlayHint', { textDocument, range });
  const context = { diagnostics: [] };
  const actions = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
    textDocument,
    range,
    context,
  });
  await client.stop();
  assert.ok(typeof hover.contents === 'object' && 'kind' in hover.contents);
  return {
    message: diagnostic?.message,
    hover: hover.contents.value,
    hint: hints[0]?.label,
    actions: actions.map((it) => it.title),
  };
}

test('an editor that names German as its language is answered in German', async () => {
  const { message, hover, hint, actions } = await shown({ locale: 'de' });
  assert.equal(message, 'lodash 4.17.15: 1 Schwachstelle, hoch 7.4, nicht betroffen: 4.17.21.');
  assert.match(hover, /^\*\*lodash\*\* \*\*4\.17\.15\*\*\n\n\*\*1 Schwachstelle, hoch 7\.4, nicht betroffen: 4/);
  assert.match(hover, /\n\nAuf 4\.17\.21 \(Patch, neueste\) aktualisieren\n/);
  assert.match(hover, /\n\nLizenz MIT · veröffentlicht 13\.08\.2020\n?/);
  assert.equal(hint, '⚠ hoch → 4.17.21 · 1 Schwachstelle');
  assert.deepEqual(actions, ['lodash auf 4.17.21 aktualisieren (Patch, behebt die Schwachstelle, neueste)']);
});

test('the editor’s language counts more than that of its environment', async () => {
  assert.match(
    (await shown({ locale: 'en-us', language: 'de_DE.UTF-8' })).hover,
    /^License MIT · published 2020-08-13$/m,
  );
});

test('an editor that names no language has that of its environment', async () => {
  assert.match((await shown({ language: 'de_DE.UTF-8' })).hover, /^Lizenz MIT/m);
});

const check = (environment: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  runProgram(['check', ...args], folder.path, { PACKAGE_INSIGHTS_BASE_URL: service.url, ...environment });

test('the terminal speaks the language of its environment', async () => {
  const { code, out } = await check({ LC_ALL: '', LANG: 'de_AT.UTF-8' });
  assert.equal(
    out,
    [
      'lodash 4.17.15  hoch 7.4  1 Schwachstelle  → 4.17.21 (Patch)',
      '    package.json:3:16',
      '    GHSA-p6mc-m468-83gw  Prototype Pollution in lodash',
      '',
      '1 Abhängigkeit in 1 Manifest geprüft: 1 Befund (1 Fehler)',
      '',
    ].join('\n'),
  );
  assert.equal(code, 1);
  assert.match((await check({ LC_ALL: 'de' }, '--fail-on', 'x')).error, /„x“ ist keines von/);
  assert.match((await check({ LC_ALL: 'de' }, '--help')).out, /\n\nAbhängigkeiten von Manifesten prüfen\.\n/);
});

for (const format of ['json', 'sarif', 'cyclonedx']) {
  test(`what programs read is the same in every language: ${format}`, async () => {
    const [german, english] = await Promise.all(
      ['de_DE.UTF-8', 'C'].map((it) => check({ LC_ALL: it }, '--format', format)),
    );
    assert.ok(german && english && german.out.length > 100);
    assert.equal(withoutMoments(german.out), withoutMoments(english.out));
  });
}

/** Reports say when they were made. */
function withoutMoments(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T').replace(/"days": \d+/g, '');
}
