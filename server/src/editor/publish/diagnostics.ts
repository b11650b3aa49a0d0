import type { Diagnostic } from 'vscode-languageserver';
import { messageOf } from '../../engine/base/text.ts';
import { sameUri } from '../../engine/base/uri.ts';
import { diagnosticsOf, diagnosticsOfDocument, diagnostics as feature } from '../features/diagnostics.ts';
import { pullsDiagnostics } from '../features/offers.ts';
import type { ServerState } from '../state/server-state.ts';
import { diagnosticsOfProject, isProjectFile } from './project-file.ts';
import { createWorkspaceScan } from './workspace-scan.ts';

/**
 * Publishes the diagnostics of all files:
 *
 *     open       documents, for a client that does not pull them
 *     included   files that an open document includes and that are not open themselves
 *     workspace  manifests that are not open, if the person chose to see them
 *
 * Each file has one source at a time, the first of these that applies. Unchanged diagnostics are not sent again.
 */
export interface DiagnosticsPublisher {
  /** Facts or settings have changed: publishes those of every open document, or has the client pull them again. */
  publishAll(): void;
  /** A document was opened or edited. A client that pulls does so by itself. */
  publish(uri: string): void;
  documentClosed(uri: string): void;
  /** The editor shows this file from now on: it pulled the diagnostics, or has the document open. */
  shownByEditor(uri: string): void;
  /** Files, facts or settings have changed: scans the manifests that are not open, after a pause. */
  scanWorkspace(): void;
  /** Ends the scan. */
  close(): void;
}

type Source = 'open' | 'included' | 'workspace';

export function createDiagnosticsPublisher(server: ServerState): DiagnosticsPublisher {
  const { connection } = server.client;
  const { workspace } = server.engine;
  /** What the client shows, by `sameUri`. */
  const shown = new Map<string, { readonly uri: string; readonly source: Source; readonly content: string }>();
  /** The files that each open document includes. */
  const includedBy = new Map<string, readonly string[]>();
  /** The files that the editor shows by itself, by `sameUri`. */
  const editors = new Set<string>();

  const pulls = (): boolean => pullsDiagnostics(server.client.capabilities);
  const takesPushed = (): boolean => !pulls() || Boolean(server.client.capabilities.textDocument?.publishDiagnostics);
  const log = (work: Promise<unknown>): void => {
    work.catch((it: unknown) => connection.console.log(`the client turned down diagnostics: ${messageOf(it)}`));
  };

  async function show(source: Source, uri: string, diagnostics: Diagnostic[], version?: number): Promise<void> {
    const same = sameUri(uri);
    const before = shown.get(same);
    const content = JSON.stringify([version, diagnostics]);
    if (source === 'workspace' && diagnostics.length === 0) {
      if (before === undefined) return;
      shown.delete(same);
    } else shown.set(same, { uri, source, content });
    if (before?.content === content) return;
    const isVersioned =
      version !== undefined && server.client.capabilities.textDocument?.publishDiagnostics?.versionSupport;
    await connection.sendDiagnostics({ uri, ...(isVersioned && { version }), diagnostics });
  }

  function withdraw(uri: string): Promise<void> {
    shown.delete(sameUri(uri));
    return connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  /** Does nothing for what is not a manifest, and for a text that was replaced meanwhile: its own diagnostics follow. */
  async function publishOpen(uri: string): Promise<void> {
    const document = server.client.documents.get(uri);
    if (document && isProjectFile(uri)) {
      // The client pulls diagnostics of manifests alone.
      if (takesPushed())
        await show('open', uri, diagnosticsOfProject(uri, document.getText(), server), document.version);
      return;
    }
    const version = document?.version;
    const isNeeded = (): boolean => server.client.documents.get(uri)?.version === version;
    const snapshot = await workspace.snapshot(uri, isNeeded);
    if (!isNeeded()) return;
    if (!snapshot) return publishOfOthers(uri, version);
    if (snapshot.version !== version) return;
    const context = server.engine.contextFor(snapshot);
    const included = snapshot.included.map((it) => ({
      uri: it.uri,
      diagnostics: diagnosticsOf(it.dependencies, context),
    }));
    // Nothing is awaited in between, so the document is not closed between its own diagnostics and those of the files.
    await Promise.all([
      !pulls() && show('open', uri, diagnosticsOfDocument(snapshot, context), snapshot.version),
      takesPushed() && publishIncluded(uri, included),
    ]);
  }

  /** A document of a provider, or one that was one before. */
  async function publishOfOthers(uri: string, version: number | undefined): Promise<void> {
    if (pulls()) return;
    const params = { textDocument: { uri } };
    const answer = await server.providers.answer(feature, params, new AbortController().signal);
    if (answer?.kind !== 'full') {
      if (shown.get(sameUri(uri))?.source === 'open') await show('open', uri, []);
    } else if (version === server.client.documents.get(uri)?.version) await show('open', uri, answer.items, version);
  }

  async function publishIncluded(
    uri: string,
    files: readonly { readonly uri: string; readonly diagnostics: Diagnostic[] }[],
  ): Promise<void> {
    const before = includedBy.get(uri) ?? [];
    includedBy.set(
      uri,
      files.map((it) => it.uri),
    );
    // Other documents may include the same file.
    const included = new Set([...includedBy.values()].flat());
    const gone = before.filter((it) => !included.has(it));
    // A file that was opened meanwhile has its own diagnostics pushed.
    const open = new Set(pulls() ? [] : workspace.documents.map((it) => sameUri(it.uri)));
    await Promise.all([
      ...gone.filter((it) => !open.has(sameUri(it))).map(withdraw),
      ...files.map((it) => show('included', it.uri, it.diagnostics)),
    ]);
  }

  const scan = createWorkspaceScan(server, {
    shown: () => [...shown.values()].filter((it) => it.source === 'workspace').map((it) => it.uri),
    async publish(uri, diagnostics) {
      const same = sameUri(uri);
      const source = shown.get(same)?.source ?? 'workspace';
      if (source === 'workspace' && !editors.has(same)) await show('workspace', uri, diagnostics);
    },
  });

  return {
    publishAll() {
      for (const { uri } of workspace.documents) log(publishOpen(uri));
      if (pulls() && server.client.capabilities.workspace?.diagnostics?.refreshSupport) {
        log(connection.languages.diagnostics.refresh());
      }
    },
    publish: (uri) => log(publishOpen(uri)),
    documentClosed(uri) {
      editors.delete(sameUri(uri));
      if (!pulls() || (takesPushed() && isProjectFile(uri))) log(withdraw(uri));
      log(publishIncluded(uri, []).then(() => includedBy.delete(uri)));
    },
    shownByEditor(uri) {
      const same = sameUri(uri);
      editors.add(same);
      const before = shown.get(same);
      if (before?.source !== 'workspace') return;
      shown.delete(same);
      // A client that pulls keeps what was pushed beside it.
      if (pulls()) log(connection.sendDiagnostics({ uri: before.uri, diagnostics: [] }));
    },
    scanWorkspace: scan.start,
    close: scan.close,
  };
}
