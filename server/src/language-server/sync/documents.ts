import type { TextDocument } from 'vscode-languageserver-textdocument';
import { pullsDiagnostics } from '../features/diagnostics.ts';
import type { DiagnosticsPublisher } from '../publish/diagnostics.ts';
import type { Refresh } from '../publish/refresh.ts';
import { createStatusThrottle, publishStatus } from '../publish/status.ts';
import type { Session } from '../session.ts';

/** How long nobody has typed when a name counts as whole, in ms: keystrokes follow one another in a third of it. */
const TYPING_PAUSE_MS = 800;
/** Documents that follow one another so soon, in ms, are opened together, as when a window is restored. */
const BURST_MS = 250;

/** Follows what a person opens, types, saves and closes. */
export function followDocuments(session: Session, diagnostics: DiagnosticsPublisher, refresh: Refresh): void {
  const { workspace, documents } = session;
  const typed = new Set<string>();
  let concernsOthers = false;
  const publishStatusSoon = createStatusThrottle(session, () => {
    if (concernsOthers) refresh.run('changed files', refresh.all());
    else for (const uri of typed) diagnostics.publish(uri);
    typed.clear();
    concernsOthers = false;
  });

  let openedAt = Number.NEGATIVE_INFINITY;
  /** Opening a document is an occasion to look at the disk again: one for all documents that are opened together. */
  const isFirstOfBurst = (): boolean => {
    const before = openedAt;
    openedAt = session.clock.now();
    return Math.abs(openedAt - before) >= BURST_MS;
  };

  let cancelTypingPause = (): void => {};
  const endTyping = (): void => {
    if (!workspace.endTyping()) return;
    refresh.run('names that were typed', refresh.all());
    session.deferred.resume();
  };

  const changed = ({ document }: { readonly document: TextDocument }): void => {
    if (!session.mayBeManifest(document)) return;
    const { uri, version, languageId: language } = document;
    const isNew = workspace.textOf(uri) === undefined;
    const others = workspace.update({ uri, version, language, text: document.getText() });
    // Once it is known which documents the new one concerns: those are looked at in any case.
    if (isNew && isFirstOfBurst()) {
      session.recentFiles.forget();
      if (!session.isWatching) workspace.forgetAllFiles();
    }
    // What nobody asks for has time until the word is typed: thousands of findings that are pushed, what the document
    // includes, and the hundreds of projects below it that an editor may have open out of sight.
    concernsOthers ||= others.length > 0;
    if (isNew) diagnostics.publish(uri);
    else {
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
    endTyping();
    if (!session.isWatching) refresh.run('changed files', refresh.allFiles());
  });
  const closed = ({ document }: { readonly document: TextDocument }): void => {
    session.recentFiles.forget();
    if (!session.mayBeManifest(document)) return;
    const others = workspace.close(document.uri);
    diagnostics.documentClosed(document.uri);
    diagnostics.scanWorkspace();
    refresh.run('changed files', others.length > 0 ? refresh.all() : publishStatus(session));
  };
  documents.onDidClose(onceSettingsKnown(closed, session));
}

/** Follows what happens once the settings are known, in the order in which it happens. */
function onceSettingsKnown<Event>(follow: (event: Event) => void, session: Session): (event: Event) => void {
  return (event) => {
    if (session.areSettingsKnown) follow(event);
    else session.settingsKnown.then(() => follow(event)).catch((it: unknown) => session.log('a document', it));
  };
}
