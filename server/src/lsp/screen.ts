import { diagnosticsOf } from '../features/diagnostics.ts';
import { diagnosticsOfProject, isProjectFile } from './project-file.ts';
import { type Diagnosed, type Refresh, refresh } from './refresh.ts';
import type { Session } from './session.ts';
import { showUnopened, type Unopened } from './unopened.ts';

/** What the client shows of ours. */
export interface Screen {
  /** Tells the client to show things anew. */
  refreshing(): Refresh;
  readonly unopened: Unopened;
}

export function screenOf(session: Session): Screen {
  const { connection, workspace } = session;
  const included = new Map<string, readonly string[]>();
  const pushed = new Map<string, string>();
  const unopened = showUnopened(session, () => new Set([...included.values()].flat()));
  return {
    unopened,
    refreshing: () =>
      refresh(connection, session.client, {
        open: workspace.documents.map((it) => it.uri),
        lenses: () => [session.settings, ...session.folderSettings.values()].some((it) => it.codeLens),
        diagnostics: (uri) => diagnosed(session, uri),
        included,
        pushed,
        covered: (uris) => unopened.covered(uris),
      }),
  };
}

async function diagnosed(session: Session, uri: string): Promise<Diagnosed | undefined> {
  const document = isProjectFile(uri) ? session.documents.get(uri) : undefined;
  if (document) {
    const items = () => diagnosticsOfProject(uri, document.getText(), session);
    return { version: document.version, items, included: [], isUnasked: true };
  }
  const snapshot = await session.workspace.snapshot(uri);
  // An answer about an older text would come after the one about the newer.
  if (!snapshot || snapshot.version !== session.documents.get(uri)?.version) return undefined;
  const context = session.contextFor(snapshot);
  return {
    version: snapshot.version,
    items: () => diagnosticsOf(snapshot.subjects, context),
    included: snapshot.included.map((it) => ({ uri: it.uri, items: diagnosticsOf(it.subjects, context) })),
  };
}
