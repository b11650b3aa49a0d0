import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type {
  ClientCapabilities,
  CodeAction,
  CompletionItem,
  CompletionList,
  DidChangeWatchedFilesRegistrationOptions,
  DocumentDiagnosticReport,
  Hover,
  InlayHint,
  RegistrationParams,
} from 'vscode-languageserver';
import { catalog, everything, manifest, onLodash } from '../editor/scratch.ts';
import { type StrictClient, strictClient } from '../editor/strict-client.ts';
import { startServiceForFile } from '../harness/file-service.ts';

/*
 * What editors announced when they were run for docs/editors.md, as far as it is read by the server. recorded.txt shows
 * what each of them comes to see: UPDATE=1 paints it anew.
 */
const folder = join(import.meta.dirname, 'recorded');
const picture = join(import.meta.dirname, 'recorded.txt');

const service = await startServiceForFile(catalog);
const uri = 'file:///w/package.json';

/** `**`, `*`, `?`, braces around plain names, plain text: what Emacs's eglot understands of a glob. */
const glob = /^(?:\*\*\/?|\*|\?|\{[^\][*{}]+\}|[^\][,*?{}]+)+$/;

async function start(capabilities: ClientCapabilities): Promise<StrictClient> {
  const answer = (method: string): unknown => (method === 'workspace/configuration' ? [null] : null);
  const client = await strictClient({ capabilities, settings: { baseUrl: service.url }, answer });
  await client.open(uri, manifest);
  return client;
}

/** One line of the picture. */
async function seenBy(client: StrictClient): Promise<string> {
  const { positionEncoding, diagnosticProvider, documentLinkProvider } = client.offered.capabilities;
  const hover = await client.ask<Hover>('textDocument/hover', uri, { position: onLodash });
  const seen = [
    positionEncoding,
    `findings ${diagnosticProvider ? await asked(client) : await pushed(client)}`,
    `hover ${(hover.contents as { kind: string }).kind}`,
    await hintsIn(client),
    await actionsIn(client),
    `completion ${await completionIn(client)}`,
    documentLinkProvider ? 'links' : 'no links',
    await watchedBy(client),
  ];
  return seen.join(', ');
}

async function asked(client: StrictClient): Promise<string> {
  const report = await client.ask<DocumentDiagnosticReport>('textDocument/diagnostic', uri);
  return report.kind === 'full' && report.items.length === 2 ? 'asked for' : 'missing';
}

async function pushed(client: StrictClient): Promise<string> {
  await client.pushed(uri, (all) => all.length === 2);
  return 'pushed';
}

async function hintsIn(client: StrictClient): Promise<string> {
  if (!client.offered.capabilities.inlayHintProvider) return 'no hints';
  const hints = await client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range: everything });
  return `${hints.length} hints`;
}

/** Those of a cursor at the beginning of the line. */
async function actionsIn(client: StrictClient): Promise<string> {
  const start = { line: onLodash.line, character: 0 };
  const context = { diagnostics: [] };
  const actions = await client.ask<CodeAction[]>('textDocument/codeAction', uri, {
    range: { start, end: start },
    context,
  });
  return [...new Set(actions.map((it) => it.title.split(' ')[0]?.toLowerCase()))].join(' and ');
}

async function completionIn(client: StrictClient): Promise<string> {
  const { items } = await client.ask<CompletionList>('textDocument/completion', uri, { position: onLodash });
  const item = await client.connection.sendRequest<CompletionItem>('completionItem/resolve', items[0]);
  return typeof item.documentation === 'object' ? item.documentation.kind : 'without documentation';
}

async function watchedBy(client: StrictClient): Promise<string> {
  const registered = client.sent
    .filter((it) => it.method === 'client/registerCapability')
    .flatMap((it) => (it.params as RegistrationParams).registrations)
    .find((it) => it.method === 'workspace/didChangeWatchedFiles');
  if (!registered) return 'watches nothing';
  const { watchers } = registered.registerOptions as DidChangeWatchedFilesRegistrationOptions;
  for (const { globPattern } of watchers) assert.match(String(globPattern), glob);
  return 'watches files';
}

test('each editor that was run is served by what it announced', async () => {
  const lines: string[] = [];
  for (const file of readdirSync(folder).sort()) {
    const client = await start(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    lines.push(`${file.replace('.json', '')}: ${await seenBy(client)}\n`);
    await client.stop();
  }
  if (process.env['UPDATE'] === '1') writeFileSync(picture, lines.join(''));
  assert.equal(lines.join(''), readFileSync(picture, 'utf8'));
});
