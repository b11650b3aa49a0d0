import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import {
  type ClientCapabilities,
  type Connection,
  createConnection,
  createMessageConnection,
  type Diagnostic,
  type InitializeParams,
  type InitializeResult,
  type MessageConnection,
  ProposedFeatures,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { openPrivateFacts } from '../../server/src/bin/private.ts';
import type { ServicesParts } from '../../server/src/connected/editor/connections/services.ts';
import { connectedEditor } from '../../server/src/connected/editor/extensions.ts';
import { createOpening, type Initialize } from '../../server/src/editor/opening.ts';
import { serve } from '../../server/src/editor/server.ts';
import { createMemoryCache } from '../../server/src/engine/facts/cache/cache.ts';
import { createInsights } from '../../server/src/engine/facts/store/fact-store.ts';
import { createHttp } from '../../server/src/engine/http/client.ts';
import type { Http } from '../../server/src/engine/http/types.ts';
import { fileOnDisk } from '../../server/src/engine/lookup/file-on-disk.ts';
import type { ReadGraph } from '../../server/src/engine/model/graph/read-graph.ts';
import type { Clock, Files } from '../../server/src/engine/model/ports.ts';
import type { ReadCredentials } from '../../server/src/engine/model/registries/access.ts';
import type { ReadMachine } from '../../server/src/engine/model/registry.ts';
import { findManifestsOnDisk } from '../../server/src/engine/report/scan/folders-on-disk.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { diskFiles } from '../../server/src/platform/files.ts';
import type { EditorFiles } from '../harness/browser-door.ts';
import { createLookout } from '../harness/lookout.ts';
import { breaches, type Sent } from './announced.ts';

const userAgent = 'package-insights-test';
const usualHttp = createHttp({ clock: systemClock, userAgent });

/** How long, in ms, something may take on a slow machine. */
const patience = 60_000;

/** A client that writes down all that the server sends, and holds it against what it announced. */
export interface StrictClient {
  readonly connection: MessageConnection;
  readonly offered: InitializeResult;
  readonly sent: readonly Sent[];
  /** @param languageId default: `json` */
  open(uri: string, text: string, languageId?: string): Promise<void>;
  /** Replaces the whole text of an open document. */
  change(uri: string, version: number, text: string): Promise<void>;
  close(uri: string): Promise<void>;
  ask<T>(method: string, uri: string, params?: object): Promise<T>;
  /** Resolves with the first thing of what was sent, now or later, that is being looked for. */
  until<T>(look: (sent: readonly Sent[]) => T | undefined): Promise<T>;
  /** Resolves when the diagnostics pushed last for a document satisfy the condition. */
  pushed(uri: string, holds: (all: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]>;
  /** Says goodbye, and fails where something was sent that had not been announced. */
  stop(): Promise<void>;
}

export interface StrictOptions {
  readonly capabilities?: ClientCapabilities;
  readonly initialize?: Partial<InitializeParams> & { readonly rootPath?: string | null };
  readonly settings?: object;
  /** The time of the server, where a test is about it. */
  readonly clock?: Clock;
  /** The network and the disk of the server, where a test watches one and wants nothing of the other. */
  readonly http?: Http;
  readonly files?: Files;
  /** What the machine says of registries. */
  readonly machine?: ReadMachine;
  /** The credentials that the machine keeps for private registries. */
  readonly credentials?: ReadCredentials;
  readonly services?: ServicesParts;
  /** Reads the graphs of large lockfiles. Without it they are read at once. */
  readonly readGraph?: ReadGraph;
  /** The server is that of a browser, with these files in the place of the disk. */
  readonly browser?: Partial<EditorFiles>;
  /** Answers a request of the server; without it every request is turned down. */
  readonly answer?: (method: string, params: unknown) => unknown;
}

/** The server that tests of features run with: that of a browser in a run of `browser-door.test.ts`. */
const inBrowser = process.env['PACKAGE_INSIGHTS_DOOR'] === 'browser';

interface Served {
  readonly connection: MessageConnection;
  /** Answers requests for files, which a client without them never gets. */
  readonly answerFiles: (method: string, params: unknown) => Promise<unknown> | undefined;
  close(): Promise<unknown>;
}

async function browserServer(options: StrictOptions): Promise<Served> {
  const replaced = (['clock', 'http', 'files', 'machine', 'credentials', 'services', 'readGraph'] as const).filter(
    (it) => options[it] !== undefined,
  );
  assert.deepEqual(replaced, [], 'The world of a browser cannot be replaced in part');
  const { startBrowserServer } = await import('../harness/browser-door.ts');
  const { connection, fileRequest, close } = await startBrowserServer(options.browser && { files: options.browser });
  return { connection, answerFiles: fileRequest, close };
}

function readingFiles(capabilities: ClientCapabilities): ClientCapabilities {
  return { ...capabilities, experimental: { ...capabilities.experimental, packageInsightsFiles: true } };
}

/** Whose service may be asked from a browser. */
function inBrowserWith(settings: object | undefined): object {
  const { baseUrl = '' } = (settings ?? {}) as { baseUrl?: string };
  return { lookUpInBrowser: URL.canParse(baseUrl) ? [new URL(baseUrl).host] : [], ...settings };
}

/** The server as its root makes it, in this process and over the same wire format. */
function serverHere(options: StrictOptions): Served {
  const { clock = systemClock, machine, credentials, files, services } = options;
  const http = options.http ?? (clock === systemClock ? usualHttp : createHttp({ clock, userAgent }));
  const connected = services && connectedEditor(services);
  const [up, down] = [new PassThrough(), new PassThrough()];
  const start = (served: Connection): Initialize =>
    serve({
      connection: served,
      insights: (settings) => {
        const insights = createInsights({ settings, http, clock, cache: createMemoryCache() });
        return connected?.joined(insights) ?? insights;
      },
      disk: (roots) => ({
        ...(files ?? diskFiles(roots)),
        ...(machine && { machine }),
        ...(credentials && { credentials }),
      }),
      findManifests: () => findManifestsOnDisk,
      findLocalFile: fileOnDisk,
      privateFacts: async (host) => openPrivateFacts(host, http, undefined),
      clock,
      version: '0.0.0',
      ...(connected && { extend: connected.extend }),
      ...(options.readGraph && { readGraph: options.readGraph }),
    });
  const opening = createOpening('0.0.0', async (it) => start(it));
  const served = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(up),
    new StreamMessageWriter(down),
    opening,
  );
  opening.answer(served);
  served.listen();
  const connection = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  return { connection, answerFiles: () => undefined, close: async () => {} };
}

/** Starts a server, and a client of it. */
export async function strictClient(options: StrictOptions = {}): Promise<StrictClient> {
  const { capabilities = {}, answer = refuse } = options;
  const isInBrowser = inBrowser || options.browser !== undefined;
  const { connection, answerFiles, close } = isInBrowser ? await browserServer(options) : serverHere(options);
  const sent: Sent[] = [];
  const lookout = createLookout();
  const arrived = (it: Sent): void => {
    sent.push(it);
    lookout.happened();
  };
  connection.onNotification((method, params) => arrived({ kind: 'notification', method, params }));
  connection.onRequest((method, params) => {
    const file = answerFiles(method, params);
    if (file !== undefined) return file;
    arrived({ kind: 'request', method, params });
    return answer(method, params);
  });
  connection.listen();
  const offered = await connection.sendRequest<InitializeResult>('initialize', {
    processId: null,
    rootUri: null,
    capabilities: isInBrowser ? readingFiles(capabilities) : capabilities,
    initializationOptions: isInBrowser ? inBrowserWith(options.settings) : options.settings,
    ...options.initialize,
  });
  await connection.sendNotification('initialized', {});

  const until = <T>(look: (sent: readonly Sent[]) => T | undefined): Promise<T> =>
    lookout.until(() => look(sent), patience);
  return {
    connection,
    offered,
    sent,
    open: (uri, text, languageId = 'json') =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId, version: 1, text },
      }),
    change: (uri, version, text) =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      }),
    close: (uri) => connection.sendNotification('textDocument/didClose', { textDocument: { uri } }),
    ask: (method, uri, params) => connection.sendRequest(method, { textDocument: { uri }, ...params }),
    until,
    pushed: (uri, holds) =>
      until((all) => {
        const last = all.findLast((it) => it.method === 'textDocument/publishDiagnostics' && isFor(uri, it.params));
        const { diagnostics } = (last?.params ?? {}) as Partial<PublishDiagnosticsParams>;
        return diagnostics && holds(diagnostics) ? diagnostics : undefined;
      }),
    async stop() {
      await connection.sendRequest('shutdown');
      connection.dispose();
      await close();
      assert.deepEqual(breaches(sent, capabilities, offered), []);
    },
  };
}

/** What a client answers that does not know a request. */
export function refuse(method: string): never {
  throw new Error(`this client knows no ${method}`);
}

function isFor(uri: string, params: unknown): boolean {
  return (params as PublishDiagnosticsParams).uri === uri;
}
