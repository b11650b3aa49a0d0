import type { TextDocument } from 'vscode-languageserver-textdocument';
import { pullsDiagnostics } from '../features/diagnostics.ts';
import type { DiagnosticsPublisher } from '../publish/diagnostics.ts';
import type { Refresh } from '../publish/refresh.ts';
import { publishStatus, throttledStatus } from '../publish/status.ts';
import type { Session } from '../session.ts';

/** How long nobody has typed when a name counts as whole, in ms: keystrokes follow one another in a third of it. */
const restAfter = 800;
/** Documents that follow one another so soon, in ms, are opened together, as when a window is restored. */
const burst = 250;

/** Follows what a person opens, types, saves and closes. */
export function followDocuments(session: Session, diagnostics: DiagnosticsPublisher, refresh: Refresh): void {
  const { workspace, documents } = session;
  const typed = new Set<string>();
  let concernsOthers = false;
  const tellStatusSoon = throttledStatus(session, () => {
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
    return Math.abs(openedAt - before) >= burst;
  };

  let cancelRest = (): void => {};
  const rested = (): void => {
    if (!workspace.rested()) return;
    refresh.run('names that were typed', refresh.all());
    session.deferred.resume();
  };

  const changed = ({ document }: { readonly document: TextDocument }): void => {
    if (!session.serves(document)) return;
    const { uri, version, languageId: language } = document;
    const isNew = workspace.textOf(uri) === undefined;
    const others = workspace.update({ uri, version, language, text: document.getText() });
    // Once it is known which documents the new one concerns: those are looked at in any case.
    if (isNew && isFirstOfBurst()) {
      session.recent.forget();
      if (!session.isWatching) workspace.changedAll();
    }
    // What nobody asks for has time until the word is typed: thousands of findings that are pushed, what the document
    // includes, and the hundreds of projects below it that an editor may have open out of sight.
    concernsOthers ||= others.length > 0;
    if (isNew) diagnostics.publish(uri);
    else {
      typed.add(uri);
      cancelRest();
      cancelRest = session.clock.after(restAfter, rested);
    }
    tellStatusSoon();
  };
  documents.onDidChangeContent(onceKnown(changed, session));
  documents.onDidOpen(({ document }) => {
    if (!pullsDiagnostics(session.client)) diagnostics.shownByEditor(document.uri);
  });
  documents.onDidSave(({ document }) => {
    session.recent.forget();
    workspace.saved([document.uri]);
    rested();
    if (!session.isWatching) refresh.run('changed files', refresh.allFiles());
  });
  const closed = ({ document }: { readonly document: TextDocument }): void => {
    session.recent.forget();
    if (!session.serves(document)) return;
    const others = workspace.close(document.uri);
    diagnostics.closed(document.uri);
    diagnostics.scanWorkspace();
    refresh.run('changed files', others.length > 0 ? refresh.all() : publishStatus(session));
  };
  documents.onDidClose(onceKnown(closed, session));
}

/** Follows what happens once the settings are known, in the order in which it happens. */
function onceKnown<Event>(follow: (event: Event) => void, session: Session): (event: Event) => void {
  return (event) => {
    if (session.isKnown) follow(event);
    else session.known.then(() => follow(event)).catch((it: unknown) => session.log('a document', it));
  };
}
