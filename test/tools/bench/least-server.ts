import { readFile } from 'node:fs/promises';
import { Pool } from 'undici';
import { createConnection, type InlayHint, ProposedFeatures, TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';

/*
 * The smallest language server with hints for a package.json with a package-lock.json. It assumes valid input, ignores
 * ranges and configuration, and finds lines by a pattern. It shows the part of a cold start that every server has.
 */
interface Version {
  readonly versionKey: { readonly name: string; readonly version: string };
  readonly licenses: readonly string[];
}

const connection = createConnection(ProposedFeatures.all);
const documents = new TextDocuments(TextDocument);
const known = new Map<string, Version>();
let pool: Pool;

connection.onInitialize(({ initializationOptions }) => {
  pool = new Pool(initializationOptions.baseUrl, { connections: 50 });
  return {
    capabilities: {
      textDocumentSync: 2,
      inlayHintProvider: true,
      hoverProvider: true,
      diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false },
    },
  };
});
connection.onHover(() => null);
connection.languages.diagnostics.on(() => ({ kind: 'full', items: [] }));
connection.languages.inlayHint.on(({ textDocument: { uri }, range: { start, end } }) => {
  const lines = documents.get(uri)?.getText().split('\n') ?? [];
  return lines.slice(start.line, end.line).flatMap((text, at): InlayHint[] => {
    const version = known.get(/^ *"([^"]+)"/.exec(text)?.[1] ?? '');
    if (version === undefined) return [];
    const label = [version.versionKey.version, ...version.licenses].join(' · ');
    return [{ position: { line: start.line + at, character: text.length }, label, paddingLeft: true }];
  });
});
documents.onDidChangeContent(async ({ document }) => {
  const { uri } = document;
  const { dependencies } = JSON.parse(document.getText());
  const { packages } = JSON.parse(await readFile(new URL('package-lock.json', uri), 'utf8'));
  const requests = Object.keys(dependencies).map((name) => ({
    versionKey: { system: 'NPM', name, version: packages[`node_modules/${name}`].version },
  }));
  const batches = Array.from({ length: Math.ceil(requests.length / 100) }, (_, at) =>
    requests.slice(at * 100, at * 100 + 100),
  );
  await Promise.all(batches.map(lookUp));
  connection.languages.inlayHint.refresh();
  connection.sendNotification('packageInsights/status', { documents: [{ uri, pending: 0 }] });
});

async function lookUp(requests: readonly object[]): Promise<void> {
  const { body } = await pool.request({
    method: 'POST',
    path: '/v3alpha/versionbatch',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requests }),
  });
  const { responses } = (await body.json()) as { readonly responses: readonly { readonly version: Version }[] };
  for (const { version } of responses) known.set(version.versionKey.name, version);
}

connection.onShutdown(() => pool.close());
documents.listen(connection);
connection.listen();
