import type { TextDocument } from 'vscode-languageserver-textdocument';
import { pullsDiagnostics } from '../features/diagnostics.ts';
import type { Changes } from './changes.ts';
import type { Screen } from './screen.ts';
import type { Session } from './session.ts';
import { statusTeller, tellStatus } from './status.ts';

/** How long nobody has typed when a name counts as whole, in ms: keystrokes follow one another in a third of it. */
const restAfter = 800;

/** Follows what a person opens, types, saves and closes. */
export function followDocuments(session: Session, { refresh, unopened }: Screen, changes: Changes): void {
  const { workspace, documents } = session;
  const typed = new Set<string>();
  let concernsOthers = false;
  const tellStatusSoon = statusTeller(session, () => {
    if (concernsOthers) changes.tell('changed files', changes.everything());
    else for (const uri of typed) refresh.document(uri);
    typed.clear();
    concernsOthers = false;
  });

  let cancelRest = (): void => {};
  const rested = (): void => {
    if (!workspace.rested()) return;
    changes.tell('names that were typed', changes.everything());
    session.postponed.resume();
  };

  const changed = ({ document }: { readonly document: TextDocument }): void => {
    if (!session.serves(document)) return;
    const { uri, version, languageId: language } = document;
    const isNew = workspace.textOf(uri) === undefined;
    const others = workspace.update({ uri, version, language, text: document.getText() });
    // Once it is known which documents the new one concerns: those are looked at in any case.
    if (isNew && !session.isWatching) workspace.changedAll();
    // What nobody asks for has time until the word is typed: thousands of findings that are pushed, what the document
    // includes, and the hundreds of projects below it that an editor may have open out of sight.
    if (!isNew) {
      typed.add(uri);
      cancelRest();
      cancelRest = session.clock.after(restAfter, rested);
      concernsOthers ||= others.length > 0;
    } else {
      for (const it of [uri, ...others]) refresh.document(it);
      if (others.length > 0) changes.tell('changed files', changes.everything());
    }
    tellStatusSoon();
  };
  documents.onDidChangeContent(onceKnown(changed, session));
  documents.onDidOpen(({ document }) => {
    session.recent.forget();
    if (!pullsDiagnostics(session.client)) unopened.taken(document.uri);
  });
  documents.onDidSave(({ document }) => {
    session.recent.forget();
    workspace.saved([document.uri]);
    rested();
    if (!session.isWatching) changes.tell('changed files', changes.files());
  });
  const closed = ({ document }: { readonly document: TextDocument }): void => {
    session.recent.forget();
    if (!session.serves(document)) return;
    const others = workspace.close(document.uri);
    refresh.closed(document.uri);
    unopened.left(document.uri);
    unopened.look();
    changes.tell('changed files', others.length > 0 ? changes.everything() : tellStatus(session));
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
