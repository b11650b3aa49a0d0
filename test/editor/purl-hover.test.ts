import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Hover } from 'vscode-languageserver';
import type { PurlAtAnswer } from '../../server/src/editor/requests/purl-hover.ts';
import { type StartedService, startService } from '../harness/service.ts';
import { folderWith } from '../terminal/program.ts';
import { catalog, manifest, onLodash } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

let service: StartedService;
let client: StrictClient;
before(async () => {
  service = await startService(catalog);
  client = await strictClient({
    settings: { baseUrl: service.url, purlHovers: true },
    capabilities: {
      textDocument: {
        hover: { contentFormat: ['markdown'] },
        inlayHint: {},
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
      },
    },
  });
});
after(async () => {
  await client.stop();
  await service.close();
});

/** What a hover says at the `|` of a text, and what it stands over. */
async function over(marked: string, name = 'file:///notes/README.md', asking = client): Promise<string | undefined> {
  const text = marked.replace('|', '');
  await asking.open(name, text);
  const before = marked.slice(0, marked.indexOf('|')).split('\n');
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  const hover = await asking.ask<Hover | null>('textDocument/hover', name, { position });
  await asking.close(name);
  if (!hover) return undefined;
  assert.ok(typeof hover.contents === 'object' && 'value' in hover.contents && hover.range);
  const { start, end } = hover.range;
  const stretch = text.split('\n')[start.line]?.slice(start.character, end.character);
  return `${stretch}\n${hover.contents.value.replace(/\n\nChecked .*/s, '')}`;
}

test('a purl in any text tells what its version is, as a dependency does', async () => {
  const told = await over('# Notes\n\nWe use [lodash](pkg:npm/lod|ash@4.17.15).\n');
  assert.match(
    told ?? '',
    /^pkg:npm\/lodash@4\.17\.15\n\*\*lodash\*\* \*\*4\.17\.15\*\*\n\n\*\*1 vulnerability, high 7\.4, not affected: 4\.17\.21\.\*\*/,
  );
  assert.match(told ?? '', /GHSA-p6mc-m468-83gw.* high 7\.4: Prototype pollution/);
});

test('a purl without a version tells of the default version', async () => {
  const told = await over('pkg:npm/request|?vcs_url=x', 'untitled:Untitled-1');
  assert.match(told ?? '', /^pkg:npm\/request\?vcs_url=x\n\*\*request\*\* → \*\*2\.88\.2\*\*\n\n\*\*Deprecated\.\*\*/);
  assert.match(told ?? '', /Reason: no longer maintained\n(.*\n)*License Apache-2\.0/);
});

test('a purl in a text that the server was not given is told of by its line alone', async () => {
  const ask = (marked: string, uri = 'file:///notes/README.md'): Promise<PurlAtAnswer | null> =>
    client.connection.sendRequest('packageInsights/purlAt', {
      textDocument: { uri },
      text: marked.replace('|', ''),
      character: marked.indexOf('|'),
    });
  const told = await ask('\u{1f4e6} We use [lodash](pkg:npm/lod|ash@4.17.15).');
  assert.deepEqual([told?.start, told?.end], [19, 41]);
  assert.match(told?.markdown ?? '', /License MIT/);
  assert.equal(await ask('no|thing at all'), null);
  assert.equal(await ask('pkg:npm/lodash@4.17.15, and no|thing'), null);
  // What lies beside the text counts as it does for one that is open.
  const folder = folderWith({ '.npmrc': '@acme:registry=https://npm.acme.example/\n' });
  const secret = await ask('pkg:npm/%40acme/tool|s', `${pathToFileURL(folder.path).href}/README.md`);
  assert.match(
    secret?.markdown ?? '',
    /Not looked up: \[\.npmrc\]\(file:[^)]*\) takes it from the registry npm\.acme\.example/,
  );
  folder.remove();
  for (const params of [null, {}, { textDocument: { uri: 7 }, text: 'x', character: 0 }, { text: 'x', character: '0' }])
    await assert.rejects(client.connection.sendRequest('packageInsights/purlAt', params), /not what it needs/);
});

test('what is not known says so, and what is no purl of ours says nothing', async () => {
  assert.match((await over('pkg:npm/no|where@1.0.0')) ?? '', /nowhere is unknown to the service/);
  assert.match((await over('pkg:npm/no|where')) ?? '', /nowhere is unknown to the service/);
  assert.equal(await over('pkg:deb/debian/ba|sh@5.2'), undefined);
  assert.equal(await over('no|thing at all'), undefined);
  assert.equal(await over('pkg:npm/lo|dash@4.17.15', 'git:/notes/README.md'), undefined);
});

test('what a manifest says of its own comes first, and purls beside it are told, too', async () => {
  const uri = 'file:///project/package.json';
  await client.open(uri, manifest);
  const own = await client.ask<Hover>('textDocument/hover', uri, { position: onLodash });
  assert.equal(own.range?.start.line, 2);
  await client.close(uri);
  assert.match((await over('{ "purl": "pkg:npm/requ|est@2.88.2" }', uri)) ?? '', /^pkg:npm\/request@2\.88\.2\n/);
});

test('texts that are no manifests have no findings, hints or actions', async () => {
  const uri = 'file:///notes/other.md';
  await client.open(uri, 'pkg:npm/lodash@4.17.15\n');
  const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  assert.deepEqual(await client.ask('textDocument/inlayHint', uri, { range }), []);
  assert.deepEqual(await client.ask('textDocument/codeAction', uri, { range, context: { diagnostics: [] } }), []);
  const pushed = client.sent.filter(({ method }) => method === 'textDocument/publishDiagnostics');
  assert.deepEqual(
    pushed.filter(
      ({ params }) => JSON.stringify(params).includes('other.md') && JSON.stringify(params).includes('code'),
    ),
    [],
  );
  await client.close(uri);
});

test('nothing is told, nor asked, unless the setting wants it', async () => {
  const silent = await strictClient({ settings: { baseUrl: 'http://127.0.0.1:1' } });
  assert.equal(await over('pkg:npm/lod|ash@4.17.15', 'file:///notes/README.md', silent), undefined);
  await silent.stop();
});

test('a service that cannot be asked is said so in the hover', async () => {
  const cut = await strictClient({ settings: { baseUrl: service.url, offline: true, purlHovers: true } });
  assert.match((await over('pkg:npm/lod|ash', 'file:///notes/README.md', cut)) ?? '', /failed: working offline/);
  await cut.stop();
});

test('a purl of a package that comes from a private registry stays on the machine', async () => {
  const folder = folderWith({ '.npmrc': '@acme:registry=https://npm.acme.example/\n' });
  const uri = pathToFileURL(folder.path).href;
  const careful = await strictClient({
    settings: { baseUrl: service.url, purlHovers: true },
    initialize: { workspaceFolders: [{ uri, name: 'project' }] },
  });
  const told = await over('pkg:npm/%40acme/tool|s', `${uri}/README.md`, careful);
  assert.match(told ?? '', /Not looked up: \.npmrc takes it from the registry npm\.acme\.example/);
  await careful.stop();
  folder.remove();
});
