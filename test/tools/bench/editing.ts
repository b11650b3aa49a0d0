import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientCapabilities, Diagnostic, InlayHint } from 'vscode-languageserver/node';
import { serverProcess } from '../../../client/src/world/server-process.ts';
import type { Status } from '../../../server/src/editor/publish/status.ts';
import { type LspClient, startLsp } from '../../harness/lsp-client.ts';
import { manyListed, manyPackages, packageJson, packageLock, someFlagged, variousRanges } from './texts.ts';

/** In ms from opening a manifest. */
export interface Opened {
  /** Until the last answer that changed something on the screen. */
  readonly changed: number;
  /** Until the last answer. */
  readonly last: number;
}

/** The capabilities of VS Code that affect the server. */
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

/** Outside of this repository, whose lockfile and registry settings would apply to projects below it. */
const projects = mkdtempSync(join(realpathSync(tmpdir()), 'package-insights-bench-'));
process.on('exit', () => rmSync(projects, { recursive: true, force: true }));

/** In ms. The server loads what makes connections within 200 ms. */
const PRELOADED_MS = 300;

/** Visible lines, for which an editor requests hints. */
const view = 60;

/** A server and an editor with one manifest. */
export interface Editing {
  readonly client: LspClient;
  readonly uri: string;
  /**
   * Opens the manifest. At once, and at each refresh, the client requests diagnostics and the hints of some lines: by
   * default the visible ones, as VS Code does. Resolves when all facts and answers have arrived.
   */
  open(lines?: number): Promise<Opened>;
  /** Opens another manifest of the same size in its place, with warm code. */
  openAnother(): Promise<Opened>;
  /** Opens the manifest, and requests its visible hints once. Resolves with the time in ms. */
  openKept(): Promise<number>;
  /** Opens the manifest, and requests its visible hints until there are any. Resolves with the time in ms. */
  openUntilHints(): Promise<number>;
  /** The same right after the response to `initialize`. */
  openAtOnce(): Promise<void>;
  /** The hints of some lines, by default of all, of this manifest or another one. */
  hints(first?: number, end?: number, of?: string): Promise<InlayHint[]>;
  /** Hovers over the name in a line. */
  hover(line: number): Promise<void>;
  /** Replaces text at one place of the manifest. */
  type(line: number, start: number, end: number, text: string): Promise<void>;
}

/** Letters that are typed one after the other before they are removed again. */
const WORD = 8;

/** The next keystroke of a person who types a word at a place, and removes it again. */
export function typeWord({ type }: Pick<Editing, 'type'>, line: number, at: number, time: number, letter: string) {
  const step = time % (2 * WORD);
  if (step < WORD) return type(line, at + step, at + step, letter);
  const left = 2 * WORD - step - 1;
  return type(line, at + left, at + left + 1, '');
}

/**
 * `pins`: ranges with a package-lock.json beside them; `flagged`: the same, and some are deprecated or have advisories;
 * `ranges`: without a lockfile; `listed`: the same, and each package has a hundred versions.
 */
export type Kind = 'pins' | 'flagged' | 'ranges' | 'listed';

interface Manifest {
  readonly uri: string;
  readonly text: string;
}

function namesOf(kind: Kind, count: number): string[] {
  if (kind === 'flagged') return someFlagged(count);
  return kind === 'listed' ? manyListed(count) : manyPackages(count);
}

function writeManifest(folder: string, kind: Kind, names: readonly string[]): Manifest {
  mkdirSync(folder, { recursive: true });
  const text = packageJson(names, variousRanges);
  writeFileSync(join(folder, 'package.json'), text);
  if (kind === 'pins' || kind === 'flagged') writeFileSync(join(folder, 'package-lock.json'), packageLock(names));
  return { uri: pathToFileURL(join(folder, 'package.json')).href, text };
}

/**
 * @param env where answers are kept, if anywhere
 * @param settings beside the address of the service
 */
export async function startEditing(
  server: string,
  url: string,
  count: number,
  kind: Kind,
  env: NodeJS.ProcessEnv = process.env,
  settings: object = {},
): Promise<Editing> {
  const folder = join(projects, `${kind}-${count}`);
  const names = namesOf(kind, count);
  const { uri, text } = writeManifest(folder, kind, names);

  let look = (): void => {};
  let told = (_: Status): void => {};
  const client = await startLsp({
    program: [...serverProcess.flags, server, '--stdio'],
    env: { ...env, ...serverProcess.env },
    capabilities,
    folder: pathToFileURL(folder).href,
    settings: { ...settings, baseUrl: url },
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

  function hints(first = 0, end = count + 10, of = uri): Promise<InlayHint[]> {
    const range = { start: { line: first, character: 0 }, end: { line: end, character: 0 } };
    return client.connection.sendRequest('textDocument/inlayHint', { textDocument: { uri: of }, range });
  }

  async function findings(of: string): Promise<readonly Diagnostic[]> {
    const params = { textDocument: { uri: of } };
    const report: { items: Diagnostic[] } = await client.connection.sendRequest('textDocument/diagnostic', params);
    return report.items;
  }

  /** Waits for the background work after the start, which is not measured: what makes connections is loaded last. */
  async function started(): Promise<void> {
    const position = { line: 0, character: 0 };
    await client.connection.sendRequest('textDocument/hover', { textDocument: { uri }, position });
    await new Promise((resolve) => setTimeout(resolve, PRELOADED_MS));
  }

  async function openAtOnce(): Promise<void> {
    await client.open(uri, text);
    while ((await hints(0, view)).length === 0);
  }

  async function opened(manifest: Manifest, lines: number): Promise<Opened> {
    const began = performance.now();
    const all = new Promise<Opened>((resolve) => {
      let last = began;
      let changed = began;
      let [hintsNow, findingsNow] = ['[]', '[]'];
      const asked: Promise<void>[] = [];
      look = () => {
        const hinted = hints(0, lines, manifest.uri).then((it) => {
          last = performance.now();
          if (JSON.stringify(it) !== hintsNow) changed = last;
          hintsNow = JSON.stringify(it);
        });
        const found = findings(manifest.uri).then((it) => {
          last = performance.now();
          if (JSON.stringify(it) !== findingsNow) changed = last;
          findingsNow = JSON.stringify(it);
        });
        asked.push(hinted, found);
      };
      told = async ({ documents }) => {
        if (documents.find((it) => it.uri === manifest.uri)?.pending !== 0) return;
        const isAll = (await hints(0, count + 10, manifest.uri)).length === count;
        await Promise.all(asked);
        if (isAll) resolve({ changed: changed - began, last: last - began });
      };
    });
    await client.open(manifest.uri, manifest.text);
    look();
    const times = await all;
    look = () => {};
    told = () => {};
    return times;
  }

  return {
    client,
    uri,
    hints,
    async openKept() {
      await started();
      const began = performance.now();
      await client.open(uri, text);
      const found = await hints(0, view);
      const ms = performance.now() - began;
      const all = await hints();
      if (found.length === 0 || all.length < count) throw new Error(`${all.length} of ${count} hints were kept`);
      return ms;
    },
    async openUntilHints() {
      await started();
      const began = performance.now();
      await openAtOnce();
      return performance.now() - began;
    },
    openAtOnce,
    async open(lines = view) {
      await started();
      return opened({ uri, text }, lines);
    },
    async openAnother() {
      await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
      const names = manyPackages(2 * count).slice(count);
      return opened(writeManifest(join(folder, 'other'), kind, names), view);
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
