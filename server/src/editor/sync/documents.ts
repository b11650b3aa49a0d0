import type { TextDocument } from 'vscode-languageserver-textdocument';
import { pullsDiagnostics } from '../features/offers.ts';
import type { DiagnosticsPublisher } from '../publish/diagnostics.ts';
import type { Refresh } from '../publish/refresh.ts';
import { createStatusThrottle, publishStatus } from '../publish/status.ts';
import type { Session } from '../session.ts';
import { watchCommits } from './watched-files.ts';

/** The pause in typing after which a name counts as complete, in ms: keystrokes follow in a third of it. */
const TYPING_PAUSE_MS = 800;
/** Documents opened within this interval, in ms, are opened together, as when a window is restored. */
const BURST_MS = 250;

/** Follows open, change, save and close events. */
export function followDocuments(session: Session, diagnostics: DiagnosticsPublisher, refresh: Refresh): void {
  const { workspace, documents } = session;
  const typed = new Set<string>();
  let concernsOthers = false;
  let commitsOf: ReturnType<typeof watchCommits> | undefined;
  const publishStatusSoon = createStatusThrottle(session, () => {
    if (concernsOthers) refresh.run('changed files', refresh.all());
    else for (const uri of typed) diagnostics.publish(uri);
    typed.clear();
    concernsOthers = false;
  });

  let openedAt = Number.NEGATIVE_INFINITY;
  /** Opening a document reads the disk again, once for all documents that are opened together. */
  const isFirstOfBurst = (): boolean => {
    const before = openedAt;
    openedAt = session.clock.now();
    return Math.abs(openedAt - before) >= BURST_MS;
  };

  let cancelTypingPause = (): void => {};
  const endTyping = (): void => {
    refresh.users();
    refresh.below();
    if (!workspace.endTyping()) return;
    refresh.run('names that were typed', refresh.all());
    session.deferred.resume();
  };

  const changed = ({ document }: { readonly document: TextDocument }): void => {
    if (!session.mayBeManifest(document)) return;
    const { uri, version, languageId: language } = document;
    const isNew = workspace.textOf(uri) === undefined;
    const others = workspace.update({ uri, version, language, text: document.getText() });
    // After `update` has found the documents concerned, which are evaluated in any case.
    if (isNew && isFirstOfBurst()) {
      session.recentFiles.forget();
      if (!session.isWatching) workspace.forgetAllFiles();
    }
    // Pushed diagnostics, included files, and the hundreds of projects below that an editor may have open in the
    // background wait for the end of the word.
    concernsOthers ||= others.length > 0;
    if (isNew) {
      commitsOf ??= watchCommits(session.connection, session.client, session.files, (it) =>
        session.folders.some((folder) => it.startsWith(folder)),
      );
      commitsOf(uri);
      diagnostics.publish(uri);
      refresh.users();
      refresh.below();
      session.providers.tell((it) => it.evaluated?.());
    } else {
      session.providers.tell((it) => it.documentTyped?.(uri));
      typed.add(uri);
      cancelTypingPause();
      cancelTypingPause = session.clock.after(TYPING_PAUSE_MS, endTyping);
    }
    publishStatusSoon();
  };
  documents.onDidChangeContent(onceSettingsKnown(changed, session));
  documents.onDidOpen(({ document }) => {
    if (!pullsDiagnostics(session.client)) diagnostics.shownByEditor(document.uri);
  });
  documents.onDidSave(({ document }) => {
    session.recentFiles.forget();
    workspace.saved([document.uri]);
    session.providers.tell((it) => it.documentSaved?.(document.uri));
    endTyping();
    if (!session.isWatching) refresh.run('changed files', refresh.allFiles());
  });
  const closed = ({ document }: { readonly document: TextDocument }): void => {
    session.recentFiles.forget();
    if (!session.mayBeManifest(document)) return;
    session.providers.tell((it) => it.documentClosed?.(document.uri));
    const others = workspace.close(document.uri);
    diagnostics.documentClosed(document.uri);
    diagnostics.scanWorkspace();
    refresh.run('changed files', others.length > 0 ? refresh.all() : publishStatus(session));
  };
  documents.onDidClose(onceSettingsKnown(closed, session));
}

/** Delays events until the settings are known, in their order. */
function onceSettingsKnown<Event>(follow: (event: Event) => void, session: Session): (event: Event) => void {
  return (event) => {
    if (session.areSettingsKnown) follow(event);
    else session.settingsKnown.then(() => follow(event)).catch((it: unknown) => session.log('a document', it));
  };
}
