import { pullsDiagnostics } from '../features/diagnostics.ts';
import type { Changes } from './changes.ts';
import type { Screen } from './screen.ts';
import type { Session } from './session.ts';
import { statusTeller, tellStatus } from './status.ts';

/** Follows what a person opens, types, saves and closes. */
export function followDocuments(session: Session, { refreshing, unopened }: Screen, changes: Changes): void {
  const { workspace, documents } = session;
  const typed = new Set<string>();
  const tellStatusSoon = statusTeller(session, () => {
    for (const uri of typed) refreshing().document(uri);
    typed.clear();
  });

  documents.onDidChangeContent(({ document }) => {
    if (!session.serves(document)) return;
    const { uri, version, languageId: language } = document;
    const isTyped = workspace.textOf(uri) !== undefined && pullsDiagnostics(session.client);
    const others = workspace.update({ uri, version, language, text: document.getText() });
    // A client that asks begins with what is in view: what the document includes has time until the word is typed.
    if (isTyped) typed.add(uri);
    for (const it of isTyped ? others : [uri, ...others]) refreshing().document(it);
    if (others.length > 0) changes.tell('changed files', changes.everything());
    tellStatusSoon();
  });
  documents.onDidOpen(({ document }) => {
    session.recent.forget();
    if (!pullsDiagnostics(session.client)) unopened.taken(document.uri);
    if (!session.isWatching) workspace.changedAll();
  });
  documents.onDidSave(() => {
    if (!session.isWatching) changes.tell('changed files', changes.files());
  });
  documents.onDidClose(({ document }) => {
    session.recent.forget();
    if (!session.serves(document)) return;
    const others = workspace.close(document.uri);
    refreshing().closed(document.uri);
    unopened.left(document.uri);
    unopened.look();
    changes.tell('changed files', others.length > 0 ? changes.everything() : tellStatus(session));
  });
}
