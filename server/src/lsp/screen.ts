import { diagnosticsOf } from '../features/diagnostics.ts';
import { diagnosticsOfProject, isProjectFile } from './project-file.ts';
import { createRefresh, type Diagnosed, type Refresh } from './refresh.ts';
import type { Session } from './session.ts';
import { showUnopened, type Unopened } from './unopened.ts';

/** What the client shows of ours. */
export interface Screen {
  readonly refresh: Refresh;
  readonly unopened: Unopened;
}

export function screenOf(session: Session): Screen {
  const refresh = createRefresh(
    session,
    (uri) => diagnosed(session, uri),
    (uris) => unopened.covered(uris),
  );
  const unopened = showUnopened(session, refresh.included);
  return { refresh, unopened };
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
