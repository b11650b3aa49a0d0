import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientCapabilities, InlayHint } from 'vscode-languageserver/node';
import type { Status } from '../../server/src/lsp/status.ts';
import { type LspClient, startLsp } from '../harness/lsp-client.ts';
import { cache } from '../workbench/paths.ts';
import { manyPackages, packageJson, packageLock } from './texts.ts';

/** What VS Code says of itself, as far as it changes what is sent. */
const capabilities: ClientCapabilities = {
  workspace: { inlayHint: { refreshSupport: true }, diagnostics: { refreshSupport: true } },
  textDocument: {
    inlayHint: {},
    diagnostic: {},
    publishDiagnostics: {},
    hover: { contentFormat: ['markdown'] },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
  },
  experimental: { packageInsightsStatus: true },
};

/** What an editor has in view and asks hints for, in lines. */
const view = 60;

/** As the extension starts the server, see client/src/start.ts. */
const flags = ['--max-semi-space-size=4'];
const surroundings = { MALLOC_ARENA_MAX: '1' };

/** A server with one manifest in an editor before it. */
export interface Editing {
  readonly client: LspClient;
  readonly uri: string;
  /**
   * Opens the manifest. Whenever the client is told to, it asks for findings, and for the hints of some lines: by default
   * for those in view, as editors do. Resolves with the ms until it was last told so, when all are there.
   */
  open(lines?: number): Promise<number>;
  /** Opens the manifest, and asks for its hints once. Resolves with the ms until they came. */
  openKept(): Promise<number>;
  /** The hints of some lines, by default of all. */
  hints(first?: number, end?: number): Promise<InlayHint[]>;
  /** Hovers over the name in a line. */
  hover(line: number): Promise<void>;
  /** Replaces text at one place of the manifest. */
  type(line: number, start: number, end: number, text: string): Promise<void>;
}

export type Kind = 'pins' | 'ranges';

/**
 * @param kind `pins`: ranges with a package-lock.json beside them; `ranges`: the same without one
 * @param env where answers are kept, if anywhere
 */
export async function startEditing(
  server: string,
  url: string,
  count: number,
  kind: Kind,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Editing> {
  const names = manyPackages(count);
  const folder = join(cache, 'bench', `${kind}-${count}`);
  mkdirSync(folder, { recursive: true });
  const text = packageJson(names, '^1.0.0');
  writeFileSync(join(folder, 'package.json'), text);
  if (kind === 'pins') writeFileSync(join(folder, 'package-lock.json'), packageLock(names));
  const uri = pathToFileURL(join(folder, 'package.json')).href;

  let look = (): void => {};
  let told = (_: Status): void => {};
  const client = await startLsp({
    program: [...flags, server, '--stdio'],
    env: { ...env, ...surroundings },
    capabilities,
    folder: pathToFileURL(folder).href,
    settings: { baseUrl: url },
    answers: {
      'workspace/inlayHint/refresh': () => {
        look();
        return null;
      },
      'workspace/diagnostic/refresh': () => null,
    },
  });
  client.connection.onNotification('packageInsights/status', (it: Status) => told(it));
  let version = 1;

  function hints(first = 0, end = count + 10): Promise<InlayHint[]> {
    const range = { start: { line: first, character: 0 }, end: { line: end, character: 0 } };
    return client.connection.sendRequest('textDocument/inlayHint', { textDocument: { uri }, range });
  }

  /** Whatever the server still does for itself after the start is no part of it. */
  function started(): Promise<unknown> {
    const position = { line: 0, character: 0 };
    return client.connection.sendRequest('textDocument/hover', { textDocument: { uri }, position });
  }

  return {
    client,
    uri,
    hints,
    async openKept() {
      await started();
      const began = performance.now();
      await client.open(uri, text);
      const found = await hints();
      const ms = performance.now() - began;
      if (found.length < count) throw new Error(`${found.length} of ${count} hints were kept`);
      return ms;
    },
    async open(lines = view) {
      await started();
      const began = performance.now();
      const all = new Promise<number>((resolve) => {
        let last = began;
        look = () => {
          last = performance.now();
          client.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
          hints(0, lines);
        };
        told = async ({ documents: [it] }) => {
          const ms = last - began;
          if (it?.pending === 0 && (await hints()).length === count) resolve(ms);
        };
      });
      await client.open(uri, text);
      const ms = await all;
      look = () => {};
      told = () => {};
      return ms;
    },
    async hover(line) {
      const position = { line, character: 8 };
      await client.connection.sendRequest('textDocument/hover', { textDocument: { uri }, position });
    },
    type: (line, start, end, typed) =>
      client.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version: ++version },
        contentChanges: [{ range: { start: { line, character: start }, end: { line, character: end } }, text: typed }],
      }),
  };
}
