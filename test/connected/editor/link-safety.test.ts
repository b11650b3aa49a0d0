import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { DocumentLink, Hover, MarkupContent, RegistrationParams } from 'vscode-languageserver';
import type { CheckedLink } from '../../../server/src/editor/requests/links.ts';
import type { OfferedThreatLists } from '../../../server/src/engine/model/connection.ts';
import { entriesOf, startLinkService } from '../../harness/link-service.ts';
import { startLsp } from '../../harness/lsp-client.ts';
import { startService } from '../../harness/service.ts';

const uri = 'file:///workspace/package.json';
const text = '{ "dependencies": { "good": "1.0.0", "bad": "1.0.0" } }';
const at = { line: 0, character: text.indexOf('good') + 1 };
const atBad = { line: 0, character: text.indexOf('bad') + 1 };
const good = 'https://good.example/docs';
const bad = 'https://bad.example/setup';

const ends: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});

const packages = await startService({
  'NPM good': { versions: ['1.0.0'], shared: { links: [{ label: 'HOMEPAGE', url: good }] } },
  'NPM bad': { versions: ['1.0.0'], shared: { links: [{ label: 'HOMEPAGE', url: bad }] } },
});
const lists = await startLinkService({ entries: entriesOf({ list: 'MALWARE', expression: 'bad.example/' }) });
ends.push(packages.close, lists.close);

async function open(linkSafety: object, isVsCode = true) {
  const client = await startLsp({
    settings: { baseUrl: packages.url, documentLinks: true, connections: { linkSafety } },
    capabilities: {
      textDocument: { hover: { contentFormat: ['markdown'] }, documentLink: { tooltipSupport: true } },
      ...(isVsCode && { experimental: { packageInsightsCommands: true } }),
    },
  });
  ends.push(client.stop);
  await client.open(uri, text);
  const ask = <T>(method: string, params: object) =>
    client.connection.sendRequest<T>(method, { textDocument: { uri }, ...params });
  return {
    links: () => ask<DocumentLink[]>('textDocument/documentLink', {}),
    lists: () => ask<OfferedThreatLists>('packageInsights/threatLists', {}),
    check: (...urls: string[]) => ask<CheckedLink[]>('packageInsights/checkLinks', { urls }),
    /** The line with the link in the hover. */
    async hover(position: object) {
      const found = await ask<Hover>('textDocument/hover', { position });
      return (found.contents as MarkupContent).value.split('\n').find((it) => it.includes('.example')) ?? '';
    },
  };
}

for (const mode of ['lookup', 'private']) {
  test(`${mode}: a checked link is one, and a suspected one is struck through`, async () => {
    const { links, hover, check } = await open({ mode, baseUrl: lists.url });
    // A hover shows text where the check takes longer than it waits.
    await check(good);
    assert.match(
      (await hover(at)).replace(/\d\d:\d\d/, '12:03'),
      /^\[Homepage \(good\.example\)\]\(https:\/\/good\.example\/docs "no known threat, 12:03"\)$/,
    );
    assert.equal(await hover(atBad), '~~Homepage (bad.example)~~ (may lead to malware)');
    const [only, ...others] = await links();
    assert.deepEqual(others, []);
    assert.equal(only?.target, good);
    assert.match(only?.tooltip ?? '', /^Open the page of good at good\.example \(no known threat, \d\d:\d\d\)$/);
    const checked = await check(good, bad, 'https://osv.dev/vulnerability/GHSA-1');
    assert.deepEqual(
      checked.map((it) => it.kind),
      ['checked', 'suspected', 'off'],
    );
  });
}

test('a link that cannot be checked is text, which VS Code offers to open anyway', async () => {
  const settings = { mode: 'private', baseUrl: 'http://127.0.0.1:9' };
  const { links, hover, check } = await open(settings);
  assert.match(
    await hover(at),
    /^Homepage \(good\.example\) \(\[Open anyway\]\(command:packageInsights\.openLink\?\S+ "not checked"\)\)$/,
  );
  assert.deepEqual(await links(), []);
  assert.deepEqual(await check(good), [{ kind: 'unchecked', note: 'not checked' }]);
  const other = await open(settings, false);
  assert.equal(await other.hover(at), 'Homepage (good.example) (not checked)');
});

test('a spent budget stops the checks of a document, not those of a hover', async () => {
  const { links, hover } = await open({ mode: 'lookup', baseUrl: lists.url, dailyBudget: 0 });
  assert.deepEqual(await links(), []);
  const checked = /no known threat/;
  // A hover shows text where the check takes longer than it waits.
  if (!checked.test(await hover(at))) await setTimeout(1000);
  assert.match(await hover(at), checked);
  assert.deepEqual(
    (await links()).map((it) => it.target),
    [good],
  );
});

test('the lists of the service can be chosen, without those of safe pages and of files', async () => {
  const lines = ['CSD_WHITELIST/WINDOWS/URL', 'SUSPICIOUS/WINDOWS/URL', 'MALWARE/WINDOWS/EXECUTABLE'];
  const service = await startLinkService({
    entries: entriesOf(...lines.map((list) => ({ list, expression: 'a.example/' }))),
  });
  ends.push(service.close);
  const { lists: offered } = await open({ mode: 'off', baseUrl: service.url });
  const usual = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'].map((it) => `${it}/ANY_PLATFORM/URL`);
  assert.deepEqual(await offered(), { kind: 'lists', names: [...usual, 'SUSPICIOUS/WINDOWS/URL'] });
});

test('VS Code requests links again after a late check', async () => {
  const registered: RegistrationParams[] = [];
  const slow = await startLinkService({ entries: [] });
  const client = await startLsp({
    settings: {
      ...{ baseUrl: packages.url, documentLinks: true },
      connections: { linkSafety: { mode: 'lookup', baseUrl: slow.url } },
    },
    capabilities: {
      textDocument: { hover: {}, documentLink: { dynamicRegistration: true } },
      experimental: { packageInsightsCommands: true },
    },
    answers: {
      'client/registerCapability': (it) => {
        registered.push(it as RegistrationParams);
        return null;
      },
    },
  });
  ends.push(slow.close, client.stop);
  assert.equal(client.initialized.capabilities.documentLinkProvider, undefined);
  await client.open(uri, text);
  slow.fail(
    (response, answer) =>
      void setTimeout(1200).then(() => response.writeHead(200, { 'content-type': 'application/json' }).end(answer)),
  );
  const again = client.askedFor('client/unregisterCapability');
  await client.connection.sendRequest('textDocument/hover', { textDocument: { uri }, position: at });
  await again;
  assert.deepEqual(
    registered.flatMap((it) => it.registrations.map(({ method }) => method)),
    ['textDocument/documentLink', 'textDocument/documentLink'],
  );
});

test('with the setting on and no service, no link is checked', async () => {
  const { links, hover, lists: offered } = await open({ mode: 'private' }, false);
  assert.deepEqual(await offered(), { kind: 'failure', reason: 'not connected' });
  assert.equal(await hover(at), 'Homepage (good.example) (not checked)');
  assert.deepEqual(await links(), []);
});

test('off, links are links, and nothing is sent', async () => {
  const before = lists.seen.length;
  const { links, hover, check } = await open({ mode: 'off', baseUrl: lists.url });
  assert.equal(await hover(atBad), `[Homepage (bad.example)](${bad})`);
  assert.equal((await links()).length, 2);
  assert.deepEqual(await check(bad), [{ kind: 'off', note: '' }]);
  assert.equal(lists.seen.length, before);
});

test('an invalid request for checks is refused', async () => {
  const { check } = await open({ mode: 'off' });
  await assert.rejects(check(...Array.from({ length: 101 }, () => good)));
});
