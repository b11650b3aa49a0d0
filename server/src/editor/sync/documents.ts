import type { TextDocument } from 'vscode-languageserver-textdocument';
import { pullsDiagnostics } from '../features/offers.ts';
import type { DiagnosticsPublisher } from '../publish/diagnostics.ts';
import type { Refresh } from '../publish/refresh.ts';
import { createStatusThrottle, publishStatus } from '../publish/status.ts';
import type { ServerState } from '../state/server-state.ts';
import { watchCommits } from './watched-files.ts';

/** The pause in typing after which a name counts as complete, in ms: keystrokes follow in a third of it. */
const TYPING_PAUSE_MS = 800;
/** Documents opened within this interval, in ms, are opened together, as when a window is restored. */
const BURST_MS = 250;

/** Follows open, change, save and close events. */
export function followDocuments(server: ServerState, diagnostics: DiagnosticsPublisher, refresh: Refresh): void {
  const { workspace } = server.engine;
  const { documents } = server.client;
  const typed = new Set<string>();
  let concernsOthers = false;
  let commitsOf: ReturnType<typeof watchCommits> | undefined;
  const publishStatusSoon = createStatusThrottle(server, () => {
    if (concernsOthers) refresh.run('changed files', refresh.all());
    else for (const uri of typed) diagnostics.publish(uri);
    typed.clear();
    concernsOthers = false;
  });

  let openedAt = Number.NEGATIVE_INFINITY;
  /** Opening a document reads the disk again, once for all documents that are opened together. */
  const isFirstOfBurst = (): boolean => {
    const before = openedAt;
    openedAt = server.engine.clock.now();
    return Math.abs(openedAt - before) >= BURST_MS;
  };

  let cancelTypingPause = (): void => {};
  const endTyping = (): void => {
    refresh.users();
    refresh.below();
    if (!workspace.endTyping()) return;
    refresh.run('names that were typed', refresh.all());
    server.engine.deferred.resume();
  };

  const changed = ({ document }: { readonly document: TextDocument }): void => {
    if (!server.folders.mayBeManifest(document)) return;
    const { uri, version, languageId: language } = document;
    const isNew = workspace.textOf(uri) === undefined;
    const others = workspace.update({ uri, version, language, text: document.getText() });
    // After `update` has found the documents concerned, which are evaluated in any case.
    if (isNew && isFirstOfBurst()) {
      server.engine.recentFiles.forget();
      if (!server.client.isWatching) workspace.forgetAllFiles();
    }
    // Pushed diagnostics, included files, and the hundreds of projects below that an editor may have open in the
    // background wait for the end of the word.
    concernsOthers ||= others.length > 0;
    if (isNew) {
      commitsOf ??= watchCommits(server.client.connection, server.client.capabilities, server.engine.files, (it) =>
        server.folders.all.some((folder) => it.startsWith(folder)),
      );
      commitsOf(uri);
      diagnostics.publish(uri);
      refresh.users();
      refresh.below();
      server.providers.tell((it) => it.evaluated?.());
    } else {
      server.providers.tell((it) => it.documentTyped?.(uri));
      typed.add(uri);
      cancelTypingPause();
      cancelTypingPause = server.engine.clock.after(TYPING_PAUSE_MS, endTyping);
    }
    publishStatusSoon();
  };
  documents.onDidChangeContent(onceSettingsKnown(changed, server));
  documents.onDidOpen(({ document }) => {
    if (!pullsDiagnostics(server.client.capabilities)) diagnostics.shownByEditor(document.uri);
  });
  documents.onDidSave(({ document }) => {
    server.engine.recentFiles.forget();
    workspace.saved([document.uri]);
    server.providers.tell((it) => it.documentSaved?.(document.uri));
    endTyping();
    if (!server.client.isWatching) refresh.run('changed files', refresh.allFiles());
  });
  const closed = ({ document }: { readonly document: TextDocument }): void => {
    server.engine.recentFiles.forget();
    if (!server.folders.mayBeManifest(document)) return;
    server.providers.tell((it) => it.documentClosed?.(document.uri));
    const others = workspace.close(document.uri);
    diagnostics.documentClosed(document.uri);
    diagnostics.scanWorkspace();
    refresh.run('changed files', others.length > 0 ? refresh.all() : publishStatus(server));
  };
  documents.onDidClose(onceSettingsKnown(closed, server));
}

/** Delays events until the settings are known, in their order. */
function onceSettingsKnown<Event>(
  follow: (event: Event) => void,
  { client, settings }: ServerState,
): (event: Event) => void {
  return (event) => {
    if (settings.areKnown) follow(event);
    else settings.known.then(() => follow(event)).catch((it: unknown) => client.log('a document', it));
  };
}
