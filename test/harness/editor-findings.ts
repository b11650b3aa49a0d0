import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver';
import type { Status } from '../../server/src/editor/publish/status.ts';
import { startLsp } from './lsp-client.ts';

/** Files that are open at a time. Each status notification lists all open files. */
const MAX_OPEN = 20;

/** The diagnostics of a language server for some files by path. Each file is open until it has no pending requests. */
export async function findingsInEditor(
  folder: string,
  paths: readonly string[],
  baseUrl: string,
): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const client = await startLsp({
    folder: pathToFileURL(folder).href,
    settings: { baseUrl },
    capabilities: {
      textDocument: { diagnostic: {} },
      workspace: { diagnostics: { refreshSupport: true } },
      experimental: { packageInsightsStatus: true },
    },
    answers: { 'workspace/diagnostic/refresh': () => null },
  });
  let told: (status: Status) => void = () => {};
  client.connection.onNotification('packageInsights/status', (it: Status) => told(it));
  const found = new Map<string, readonly Diagnostic[]>();
  for (let from = 0; from < paths.length; from += MAX_OPEN) {
    const group = paths
      .slice(from, from + MAX_OPEN)
      .map((path) => ({ path, uri: pathToFileURL(join(folder, path)).href }));
    const settled = new Promise<void>((resolve) => {
      told = ({ documents }) => {
        const isThere = group.every(({ uri }) => documents.some((it) => it.uri === uri && it.pending === 0));
        if (isThere && documents.length === group.length) resolve();
      };
    });
    for (const { path, uri } of group) await client.open(uri, readFileSync(join(folder, path), 'utf8'));
    await settled;
    for (const { path, uri } of group) {
      const textDocument = { uri };
      const report = await client.connection.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', {
        textDocument,
      });
      found.set(path, report.kind === 'full' ? report.items : []);
      await client.connection.sendNotification('textDocument/didClose', { textDocument });
    }
  }
  await client.stop();
  return found;
}
