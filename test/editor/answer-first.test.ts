import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ClientCapabilities, Diagnostic, Hover, InlayHint } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { everything, onLodash } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

/* The answer on the line: in the hint, in its links, and in the words that a person has chosen. */

const service = await startServiceForFile({
  'NPM lodash': { versions: ['4.17.15', '4.17.21', '5.0.0'], shared: { licenses: ['MIT'] } },
  'NPM sound': { versions: ['1.0.0', '2.0.0'], shared: { licenses: ['ISC'] } },
  'advisory GHSA-p6mc-m468-83gw': {
    title: 'Prototype pollution',
    cvss3Score: 7.4,
    affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '3.7.0', fixed: '4.17.19' }] }],
  },
});

const uri = 'file:///w/package.json';
const manifest = `{
  "dependencies": {
    "lodash": "4.17.15",
    "sound": "1.0.0"
  }
}
`;

const markdown: ClientCapabilities = {
  textDocument: {
    hover: { contentFormat: ['markdown'] },
    inlayHint: {},
    publishDiagnostics: { relatedInformation: true },
  },
  workspace: { applyEdit: true },
};
const linking: ClientCapabilities = { ...markdown, experimental: { packageInsightsCommands: true } };

async function opened(capabilities: ClientCapabilities, settings: object = {}, showDocument = false) {
  const client = await strictClient({
    capabilities: showDocument ? { ...capabilities, window: { showDocument: { support: true } } } : capabilities,
    settings: { baseUrl: service.url, ...settings },
    answer: (method) => (method === 'window/showDocument' ? { success: true } : { applied: true }),
  });
  after(() => client.connection.dispose());
  await client.open(uri, manifest);
  await client.pushed(uri, (all) => all.some((it) => String(it.message).includes('not affected')));
  return client;
}

async function hover(client: StrictClient): Promise<string> {
  const found = await client.ask<Hover>('textDocument/hover', uri, { position: onLodash });
  assert.ok(typeof found.contents === 'object' && 'value' in found.contents);
  return found.contents.value;
}

async function hints(client: StrictClient): Promise<InlayHint['label'][]> {
  // The target of a sound version comes after everything else.
  for (;;) {
    const all = await client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range: everything });
    if (JSON.stringify(all[1]?.label).includes('2.0.0') || all.some((it) => it.label === '')) return labelsOf(all);
  }
}

const labelsOf = (all: readonly InlayHint[]): InlayHint['label'][] => all.map((it) => it.label);

test('hint and finding begin with the answer, and a major step is marked', async () => {
  const client = await opened(markdown);
  assert.deepEqual(await hints(client), ['⚠ high → 4.17.21 · 1 vulnerability', '1.0.0 · ISC → 2.0.0 (major)']);
  const [finding] = await client.pushed(uri, (all) => all.some((it) => String(it.message).includes('not affected')));
  assert.equal(finding?.message, 'lodash 4.17.15: 1 vulnerability, high 7.4, not affected: 4.17.21.');
  assert.deepEqual(
    finding?.relatedInformation?.map((it: NonNullable<Diagnostic['relatedInformation']>[number]) => it.message),
    ['GHSA-p6mc-m468-83gw high 7.4: Prototype pollution'],
  );
  await client.stop();
});

test('a person chooses the marks and the parts of hints', async () => {
  const marks = { problem: '!', target: '=>', major: '' };
  const client = await opened(markdown, { hintMarks: marks, hintParts: ['severity', 'license', 'target'] });
  assert.deepEqual(await hints(client), ['! high => 4.17.21', 'ISC => 2.0.0']);
  await client.stop();
});

test('a client that runs commands has them in the hint and in the hover, which repeats no finding', async () => {
  const client = await opened(linking);
  const [label] = await hints(client);
  assert.ok(Array.isArray(label));
  const [, target] = label;
  assert.equal(target?.value, '4.17.21');
  const place = { uri, offset: manifest.indexOf('4.17.15'), name: 'lodash' };
  assert.equal(target.command?.command, 'packageInsights.chooseVersion');
  assert.deepEqual(target.command.arguments, [place]);

  const shown = await hover(client);
  assert.doesNotMatch(shown, /1 vulnerability/);
  const link = /\[Update to 4\.17\.21 \(patch[^\]]*\)\]\(command:packageInsights\.server\.update\?([^ )]*)/.exec(shown);
  assert.deepEqual(JSON.parse(decodeURIComponent(link?.[1] ?? '')), [{ ...place, version: '4.17.21' }]);
  assert.match(shown, /\[What changes\]\(command:packageInsights\.whatChanges\?/);
  assert.match(shown, /\[Ignore…\]\(command:packageInsights\.ignore\?/);
  // The answer stands above the list, which VS Code shows once.
  assert.ok(shown.indexOf('Update to') < shown.indexOf('GHSA-'));
  const [finding] = await client.pushed(uri, (all) => all.length > 0);
  assert.equal(finding?.relatedInformation, undefined);
  await client.stop();
});

test('the hover says what VS Code shows only over the first characters: a finding that is a hint', async () => {
  const client = await opened(linking, { severity: { advisory: 'hint' } });
  assert.match(await hover(client), /\*\*1 vulnerability, high 7\.4, not affected: 4\.17\.21\.\*\*/);
  await client.stop();
});

test('other clients have the same answer as text', async () => {
  const client = await opened(markdown);
  const shown = await hover(client);
  assert.doesNotMatch(shown, /command:/);
  assert.match(shown, /\*\*1 vulnerability, high 7\.4, not affected: 4\.17\.21\.\*\*\n\nUpdate to 4\.17\.21 \(patch/);
  assert.doesNotMatch(shown, /What changes|Ignore…/);
  await client.stop();
});

test('a version that is not in the list of targets can be chosen, and the edit keeps the rest', async () => {
  const client = await opened(linking);
  const request = { uri, offset: 0, name: 'lodash', version: '5.0.0' };
  const command = 'packageInsights.server.update';
  assert.equal(
    await client.connection.sendRequest('workspace/executeCommand', { command, arguments: [request] }),
    true,
  );
  const applied = await client.until((sent) => sent.find((it) => it.method === 'workspace/applyEdit'));
  assert.match(JSON.stringify(applied), /"newText":"5\.0\.0"/);
  const unknown = { ...request, name: 'gone' };
  assert.equal(
    await client.connection.sendRequest('workspace/executeCommand', { command, arguments: [unknown] }),
    false,
  );
  await client.stop();
});

test('what cannot be updated says why, and where', async () => {
  const client = await opened(linking, {}, true);
  const request = {
    uri,
    offset: manifest.indexOf('4.17.15'),
    name: 'lodash',
    version: '9',
    message: 'Because\nof it.',
  };
  const params = { command: 'packageInsights.server.explain', arguments: [request] };
  assert.equal(await client.connection.sendRequest('workspace/executeCommand', params), true);
  const shown = await client.until((sent) => sent.find((it) => it.method === 'window/showDocument'));
  assert.match(JSON.stringify(shown), /"selection":\{"start":\{"line":2,"character":15\}/);
  const message = await client.until((sent) => sent.find((it) => it.method === 'window/showMessage'));
  assert.match(JSON.stringify(message), /Because of it\./);
  await client.stop();
});
