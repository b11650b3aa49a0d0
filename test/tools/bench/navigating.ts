import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientCapabilities } from 'vscode-languageserver/node';
import { serverProcess } from '../../../client/src/world/server-process.ts';
import { startLsp } from '../../harness/lsp-client.ts';
import type { Bundles } from './bundles.ts';
import { median, percentile, type Row } from './table.ts';
import { manyPackages, packageJson } from './texts.ts';

const capabilities: ClientCapabilities = {
  textDocument: {
    definition: { linkSupport: true },
    references: {},
    rename: { prepareSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    documentHighlight: {},
  },
  workspace: { workspaceEdit: { documentChanges: true } },
};

/** A project, the file of it that is open, and a place there that names a definition. */
interface Project {
  readonly files: Readonly<Record<string, string>>;
  readonly open: string;
  /** The first occurrence of this text. */
  readonly at: string;
}

const count = 1000;
const modules = 50;

/** Measures requests in projects of 1,000 dependencies, without a service. */
export async function navigations({ server }: Pick<Bundles, 'server'>, times: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, project] of Object.entries({
    'one package.json, all of it from a catalog': inCatalog(),
    '50 modules of Maven, all of them with properties of the parent': inModules(),
  })) {
    for (const it of await navigated(server, project, times)) rows.push({ ...it, what: `${it.what} (${name})` });
  }
  return rows;
}

async function navigated(server: string, { files, open, at }: Project, times: number): Promise<Row[]> {
  // Outside of this repository, whose configuration would apply.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'package-insights-bench-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { flags, env } = serverProcess;
  const client = await startLsp({
    program: [...flags, server, '--stdio'],
    env: { ...process.env, ...env },
    capabilities,
    folder: pathToFileURL(folder).href,
    settings: { offline: true },
  });
  const uri = pathToFileURL(join(folder, open)).href;
  const text = files[open] ?? '';
  await client.open(uri, text);
  const before = text.slice(0, text.indexOf(at));
  const position = { line: before.split('\n').length - 1, character: before.length - before.lastIndexOf('\n') };
  const textDocument = { uri };
  const ask = (method: string, params: object = {}) =>
    client.connection.sendRequest(`textDocument/${method}`, { textDocument, position, ...params });
  let version = 1;
  const type = async (): Promise<void> => {
    const contentChanges = [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: ' ' }];
    await client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: ++version },
      contentChanges,
    });
  };
  const measured: Readonly<Record<string, () => Promise<unknown>>> = {
    definition: () => ask('definition'),
    'marks of the same name': () => ask('documentHighlight'),
    outline: () => ask('documentSymbol'),
    'all references': () => ask('references', { context: { includeDeclaration: true } }),
    rename: () => ask('rename', { newName: 'another' }).catch(() => undefined),
  };
  const rows: Row[] = [];
  for (const [what, once] of Object.entries(measured)) {
    const [kept, typed]: [number[], number[]] = [[], []];
    for (let time = -5; time < times; time++) {
      const ms = await clocked(once);
      if (time >= 0) kept.push(ms);
    }
    for (let time = 0; time < times; time++) {
      await type();
      // The reading of a new text is measured by the keystroke.
      await ask('definition');
      typed.push(await clocked(once));
    }
    rows.push({ what: `${what}, median`, unit: 'ms', value: median(kept) });
    rows.push({ what: `  after a keystroke`, unit: 'ms', value: median(typed) });
    rows.push({ what: `  99th percentile`, unit: 'ms', value: percentile([...kept, ...typed], 0.99) });
  }
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
  return rows;
}

async function clocked(once: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await once();
  return performance.now() - began;
}

function inCatalog(): Project {
  const names = manyPackages(count);
  const catalog = names.map((it) => `  ${it}: ^1.0.0\n`).join('');
  return {
    files: {
      'pnpm-workspace.yaml': `packages:\n  - packages/*\ncatalog:\n${catalog}`,
      'packages/a/package.json': packageJson(names, () => 'catalog:'),
    },
    open: 'packages/a/package.json',
    at: 'atalog:',
  };
}

function inModules(): Project {
  const each = count / modules;
  const parent = '<groupId>w</groupId><artifactId>parent</artifactId><version>1</version>';
  const names = Array.from({ length: modules }, (_, at) => `m${at}`);
  const properties = Array.from({ length: each }, (_, at) => `<v${at}.version>1.${at}</v${at}.version>`);
  const dependencies = Array.from(
    { length: each },
    (_, at) =>
      `<dependency><groupId>g</groupId><artifactId>a${at}</artifactId><version>\${v${at}.version}</version></dependency>`,
  );
  const listed = names.map((it) => `<module>${it}</module>`).join('');
  const module = (name: string): string =>
    `<project>\n<parent>${parent}</parent>\n<artifactId>${name}</artifactId>\n<dependencies>\n${dependencies.join('\n')}\n</dependencies></project>`;
  return {
    files: {
      'pom.xml': `<project>\n${parent}\n<packaging>pom</packaging><modules>${listed}</modules>\n<properties>\n${properties.join('\n')}\n</properties></project>`,
      ...Object.fromEntries(names.map((it) => [`${it}/pom.xml`, module(it)])),
    },
    open: 'm7/pom.xml',
    at: '{v3.version}',
  };
}
