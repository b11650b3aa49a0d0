import { sameUri } from '../../base/uri.ts';
import type { Insights } from '../../model/ports.ts';
import { findManifestsInFolders, scanInPortions } from '../../report/scan/folders.ts';
import { diagnosticsOf, pullsDiagnostics } from '../features/diagnostics.ts';
import type { Session } from '../session.ts';
import { throttle } from '../util/throttle.ts';

/**
 * The findings of manifests that no editor shows by itself, where a person asks for them by a setting: of those that
 * nobody has open, and of those that an editor has open and never asks about. VS Code's own extension for npm opens
 * every package.json. They appear portion by portion, while the others are being looked at, and what stays as it was is
 * not sent again.
 */
export interface WorkspaceDiagnostics {
  /** Something changed that they depend on: they are looked for again, after a moment. */
  look(): void;
  /** The editor shows this one by itself from now on: it asked for its findings, or has them pushed while it is open. */
  taken(uri: string): void;
  /** These are shown, or were cleared, with a document that includes them. */
  covered(uris: readonly string[]): void;
  /** It is open no longer. */
  left(uri: string): void;
  /** Nothing is looked for any more. */
  close(): void;
}

/** In ms. Files change in swarms: a branch is checked out, a tool writes its lockfiles. */
const limits = { quiet: 500, patience: 120_000 } as const;

/** @param included the files that are shown with an open document already */
export function createWorkspaceDiagnostics(session: Session, included: () => readonly string[]): WorkspaceDiagnostics {
  const { connection, clock } = session;
  /** What was sent, by `sameUri`: the address as it was, and the findings as JSON. */
  const shown = new Map<string, { readonly uri: string; readonly findings: string }>();
  const taken = new Set<string>();
  let underway = new AbortController();
  let cancel = () => {};

  const show = async (uri: string, diagnostics: ReturnType<typeof diagnosticsOf>): Promise<void> => {
    const same = sameUri(uri);
    const findings = JSON.stringify(diagnostics);
    if (findings === (shown.get(same)?.findings ?? '[]')) return;
    if (diagnostics.length === 0) shown.delete(same);
    else shown.set(same, { uri, findings });
    await connection.sendDiagnostics({ uri, diagnostics });
  };

  const scan = async (): Promise<void> => {
    const { settings, foldersOnDisk, files, isTrusted, history } = session;
    const folders = settings.workspaceDiagnostics ? foldersOnDisk : [];
    const { signal } = underway;
    const context = {
      files,
      insights: { ...session.insights, want: inBackground(session.insights) },
      settings,
      clock,
      isTrusted,
      history,
      patience: limits.patience,
      signal,
      progress: () => {},
    };
    const { manifests } = folders.length > 0 ? await findManifestsInFolders(folders) : { manifests: [] };
    if (signal.aborted) return;
    const found = new Set(manifests);
    for (const { uri } of shown.values()) if (!found.has(uri)) await show(uri, []);
    for await (const portion of scanInPortions(manifests, context)) {
      if (signal.aborted) return;
      const known = new Map(portion.snapshots.map((it) => [it.uri, it]));
      for (const uri of portion.manifests) {
        const same = sameUri(uri);
        // An open document is shown as it is, not as it was saved; and editors spell addresses otherwise than we do.
        if (taken.has(same) || included().some((it) => sameUri(it) === same)) continue;
        const snapshot = known.get(uri);
        await show(uri, snapshot ? diagnosticsOf(snapshot.dependencies, session.contextFor(snapshot)) : []);
      }
    }
  };

  const again = throttle(
    clock,
    () => scan().catch((error: unknown) => session.log('the workspace', error)),
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
    taken(uri) {
      const same = sameUri(uri);
      taken.add(same);
      const sent = shown.get(same)?.uri;
      shown.delete(same);
      // A client that asks keeps what it was sent beside what it asked for.
      if (sent === undefined || !pullsDiagnostics(session.client)) return;
      connection
        .sendDiagnostics({ uri: sent, diagnostics: [] })
        .catch((it: unknown) => session.log('the workspace', it));
    },
    covered(uris) {
      for (const it of uris) shown.delete(sameUri(it));
    },
    left(uri) {
      taken.delete(sameUri(uri));
    },
    close() {
      underway.abort();
      cancel();
    },
  };
}

/** Whatever is open comes first. */
function inBackground(insights: Insights): Insights['request'] {
  return (owner, wanted, background = []) => insights.request(owner, [], [...wanted, ...background]);
}
