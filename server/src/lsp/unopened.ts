import { diagnosticsOf, pullsDiagnostics } from '../features/diagnostics.ts';
import type { Insights } from '../model/ports.ts';
import { findInFolders } from '../survey/folders.ts';
import type { Session } from './session.ts';
import { unhurried } from './unhurried.ts';

/** The findings of manifests that nobody has open, where a person asks for them by a setting. */
export interface Unopened {
  /** Something changed that they depend on: they are looked for again, after a moment. */
  look(): void;
  /** The editor shows this one by itself from now on. */
  opened(uri: string): void;
  /** Nothing is looked for any more. */
  close(): void;
}

/** In ms. Files change in swarms: a branch is checked out, a tool writes its lockfiles. */
const limits = { quiet: 500, patience: 120_000 } as const;

/** @param included the files that are shown with an open document already */
export function showUnopened(session: Session, included: () => ReadonlySet<string>): Unopened {
  const { connection, clock, workspace } = session;
  const shown = new Set<string>();
  let underway = new AbortController();
  let cancel = () => {};

  const show = async (uri: string, diagnostics: ReturnType<typeof diagnosticsOf>): Promise<void> => {
    if (diagnostics.length === 0 && !shown.has(uri)) return;
    if (diagnostics.length === 0) shown.delete(uri);
    else shown.add(uri);
    await connection.sendDiagnostics({ uri, diagnostics });
  };

  const survey = async (): Promise<void> => {
    const { settings, folders, files, isTrusted } = session;
    const onDisk = settings.workspaceDiagnostics ? folders.filter((it) => /^file:/i.test(it)) : [];
    const { signal } = underway;
    const surveying = {
      files,
      insights: { ...session.insights, want: inBackground(session.insights) },
      settings,
      clock,
      isTrusted,
      patience: limits.patience,
      signal,
      progress: () => {},
    };
    const { snapshots } = onDisk.length > 0 ? await findInFolders(onDisk, surveying, 'unopened') : { snapshots: [] };
    if (signal.aborted) return;
    const found = new Set(snapshots.map((it) => it.uri));
    for (const uri of shown) if (!found.has(uri)) await show(uri, []);
    for (const snapshot of snapshots) {
      const { uri, subjects } = snapshot;
      // An open document is shown as it is, not as it was saved.
      if (workspace.textOf(uri) !== undefined || included().has(uri)) continue;
      await show(uri, diagnosticsOf(subjects, session.contextFor(snapshot)));
    }
  };

  const again = unhurried(
    clock,
    () => survey().catch((error: unknown) => session.log('the workspace', error)),
    () => limits.quiet,
  );
  return {
    look() {
      if (!session.settings.workspaceDiagnostics && shown.size === 0) return;
      underway.abort();
      underway = new AbortController();
      cancel();
      cancel = clock.after(limits.quiet, again);
    },
    opened(uri) {
      // A client that asks keeps what it was sent beside what it asked for.
      if (!shown.delete(uri) || !pullsDiagnostics(session.client)) return;
      connection.sendDiagnostics({ uri, diagnostics: [] }).catch((it: unknown) => session.log('the workspace', it));
    },
    close() {
      underway.abort();
      cancel();
    },
  };
}

/** Whatever is open comes first. */
function inBackground(insights: Insights): Insights['want'] {
  return (owner, wanted, background = []) => insights.want(owner, [], [...wanted, ...background]);
}
