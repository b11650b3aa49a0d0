import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CancellationTokenSource, type ClientCapabilities, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { serverProcess } from '../../../client/src/world/server-process.ts';
import { type LspClient, startLsp } from '../../harness/lsp-client.ts';
import { type ScriptedServer, scriptedServer } from '../../harness/scripted-server.ts';
import type { Memory } from './probe.ts';
import { type Random, randomFrom } from './random.ts';
import { type Client, newDocument, nextEdit } from './texts.ts';
import { troubledService, well } from './troubled-service.ts';

export interface Soak {
  readonly edits: number;
  readonly documents: number;
  readonly seed: number;
  /** Time until the results must be correct once the service recovers, in ms. */
  readonly patience: number;
  readonly log?: (line: string) => void;
}

export interface Soaked {
  /** At a quarter, a half and the end of the edits. */
  readonly memory: readonly Memory[];
  readonly requests: { readonly sent: number; readonly answered: number; readonly cancelled: number };
  /** The number of requests at the service. */
  readonly asked: number;
  /** Documents whose results differ from those of a server that has just opened them. */
  readonly wrong: readonly string[];
  readonly seconds: number;
}

const capabilities: ClientCapabilities = {
  textDocument: {
    hover: { contentFormat: ['markdown'] },
    inlayHint: {},
    diagnostic: {},
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
  },
  workspace: { inlayHint: { refreshSupport: true }, diagnostics: { refreshSupport: true } },
  experimental: { packageInsightsStatus: true },
};

/** Edits many documents of one server while its service fails all the time, and checks the results. */
export async function soak({ edits, documents, seed, patience, log = () => {} }: Soak): Promise<Soaked> {
  const start = performance.now();
  const random = randomFrom(seed);
  const service = await troubledService(randomFrom(seed + 1));
  const probe = join(tmpdir(), `package-insights-soak-${process.pid}`);
  const client = await startClient(service, probe);
  const open = Array.from({ length: documents }, (_, at) => newDocument(at, random));
  const memory: Memory[] = [];
  const requests = { sent: 0, answered: 0, cancelled: 0 };
  const underWay = new Set<Promise<void>>();
  try {
    for (const it of open) await client.open(it.uri, it.text);
    for (let edit = 1; edit <= edits; edit++) {
      await change(client, random.of(open), random);
      if (random.chance(0.02)) await reopen(client, random.of(open));
      if (random.chance(0.3)) ask(client, random.of(open), random, requests, underWay);
      // A refresh now and then sends requests again, so that they can fail.
      if (edit % 200 === 0) await refresh(client);
      // An editor waits for its server now and then.
      if (edit % 100 === 0) await Promise.all(underWay);
      if (edit === edits >> 2 || edit === edits >> 1 || edit === edits) {
        await Promise.all(underWay);
        memory.push(await measure(client, probe));
        log(`${edit} edits: ${describe(memory.at(-1))}, ${service.arrived.length} requests at the service`);
      }
    }
    service.answer(well);
    await refresh(client);
    const wrong = await differences(client, open, patience, log);
    return {
      memory,
      requests,
      asked: service.arrived.length,
      wrong,
      seconds: Math.round((performance.now() - start) / 1000),
    };
  } finally {
    await client.stop();
    await service.close();
    rmSync(probe, { force: true });
  }
}

function startClient({ url }: ScriptedServer, probe?: string): Promise<LspClient> {
  const root = join(import.meta.dirname, '..', '..', '..');
  const probing = ['--expose-gc', '--import', join(import.meta.dirname, 'probe.ts')];
  const cli = join(root, 'server', 'src', 'bin', 'cli.ts');
  return startLsp({
    settings: { baseUrl: url },
    capabilities,
    program: [
      '--disable-warning=ExperimentalWarning',
      ...serverProcess.flags,
      ...(probe ? probing : []),
      cli,
      'lsp',
      '--stdio',
    ],
    env: { ...process.env, ...(probe && { SOAK_PROBE: probe }) },
    answers: { 'workspace/inlayHint/refresh': () => null, 'workspace/diagnostic/refresh': () => null },
  });
}

function refresh({ connection }: LspClient): Promise<unknown> {
  return connection.sendRequest('workspace/executeCommand', { command: 'packageInsights.server.refresh' });
}

async function change(client: LspClient, document: Client, random: Random): Promise<void> {
  const contentChanges = Array.from({ length: 1 + random.below(2) }, () => {
    const { range, text } = nextEdit(document, random);
    const before = document.text;
    document.text = range ? before.slice(0, range.start) + text + before.slice(range.end) : text;
    return range ? { range: { start: at(before, range.start), end: at(before, range.end) }, text } : { text };
  });
  document.version++;
  const { uri, version } = document;
  await client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version },
    contentChanges,
  });
}

function at(text: string, offset: number): { readonly line: number; readonly character: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

async function reopen(client: LspClient, { uri, text }: Client): Promise<void> {
  await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  await client.open(uri, text);
}

/** Sends one of the requests of editors, and cancels one in five. */
function ask(
  { connection }: LspClient,
  { uri, text }: Client,
  random: Random,
  requests: { sent: number; answered: number; cancelled: number },
  underWay: Set<Promise<void>>,
): void {
  const textDocument = { uri };
  const position = at(text, random.below(text.length + 1));
  const range = { start: { line: 0, character: 0 }, end: position };
  const [method, params] = random.of([
    ['textDocument/hover', { position }],
    ['textDocument/inlayHint', { range }],
    ['textDocument/diagnostic', {}],
    ['textDocument/codeAction', { range, context: { diagnostics: [] } }],
  ] as const);
  const cancelling = new CancellationTokenSource();
  requests.sent++;
  const answered = connection.sendRequest(method, { textDocument, ...params }, cancelling.token).then(
    () => void requests.answered++,
    (error: unknown) => {
      if (!(error instanceof ResponseError) || error.code !== LSPErrorCodes.RequestCancelled) throw error;
      requests.cancelled++;
    },
  );
  if (random.chance(0.2)) cancelling.cancel();
  underWay.add(answered);
  answered.finally(() => underWay.delete(answered)).catch(() => {});
}

async function measure({ process: server, connection }: LspClient, probe: string): Promise<Memory> {
  // Earlier notifications are processed when this request is answered.
  await connection.sendRequest('textDocument/diagnostic', { textDocument: { uri: 'file:///none' } });
  rmSync(probe, { force: true });
  server.kill('SIGUSR2');
  while (!existsSync(probe)) await sleep(10);
  // The file may exist before it has its content.
  for (;;) {
    const text = readFileSync(probe, 'utf8');
    if (text.endsWith('}')) return JSON.parse(text);
    await sleep(10);
  }
}

export function describe(memory: Memory | undefined): string {
  const mebibytes = (bytes = 0) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  return `${mebibytes(memory?.heap)} in use, ${mebibytes(memory?.rss)} taken`;
}

/** Waits until the server shows the same results as another one that has just opened the same texts. */
async function differences(
  client: LspClient,
  open: readonly Client[],
  patience: number,
  log: (line: string) => void,
): Promise<readonly string[]> {
  const service = await scriptedServer(well);
  const fresh = await startClient(service);
  for (const { uri, text } of open) await fresh.open(uri, text);
  const until = performance.now() + patience;
  let wrong: readonly string[] = [];
  do {
    wrong = [];
    for (const document of open) {
      const [now, expected] = [await shown(client, document), await shown(fresh, document)];
      if (now !== expected) wrong = [...wrong, `${document.uri}\n${document.text}\n${now}\n${expected}`];
    }
    if (wrong.length > 0) await sleep(200);
  } while (wrong.length > 0 && performance.now() < until);
  log(`${wrong.length} of ${open.length} documents are shown otherwise than by a server that has just opened them`);
  await fresh.stop();
  await service.close();
  return wrong;
}

async function shown({ connection }: LspClient, { uri, text }: Client): Promise<string> {
  const range = { start: { line: 0, character: 0 }, end: at(text, text.length) };
  const hints = await connection.sendRequest('textDocument/inlayHint', { textDocument: { uri }, range });
  const { items } = await connection.sendRequest<{ items: object }>('textDocument/diagnostic', {
    textDocument: { uri },
  });
  return JSON.stringify({ hints, items });
}
