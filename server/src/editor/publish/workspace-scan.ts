import type { Diagnostic } from 'vscode-languageserver';
import type { Insights } from '../../engine/model/ports.ts';
import { scanInBatches } from '../../engine/report/folders.ts';
import { diagnosticsOf } from '../features/diagnostics.ts';
import type { Session } from '../session.ts';
import { throttle } from '../util/throttle.ts';

/** Files change in groups: a branch is checked out, a tool writes its lockfiles. In ms. */
const PAUSE_MS = 500;
/** How long one scan may wait for the service, in ms. */
const SCAN_TIMEOUT_MS = 120_000;

export interface WorkspaceScan {
  /** Scans after a pause, in place of a scan that is under way, and again whenever answers may have become old. */
  start(): void;
  close(): void;
}

/** Where the diagnostics of a scan go. */
export interface ScanTarget {
  /** The files that show diagnostics of an earlier scan. */
  readonly shown: () => readonly string[];
  readonly publish: (uri: string, diagnostics: Diagnostic[]) => Promise<void>;
}

/**
 * Scans the manifests of the workspace folders, if the person chose to see their diagnostics, and publishes them portion
 * by portion. This includes manifests that an editor opens without showing them: VS Code's npm extension opens every
 * package.json.
 */
export function createWorkspaceScan(session: Session, { shown, publish }: ScanTarget): WorkspaceScan {
  const { clock } = session;
  let underway = new AbortController();
  let cancel = () => {};

  async function scan(): Promise<void> {
    const { settings, folders: all, files, isTrusted, history } = session;
    const folders = settings.workspaceDiagnostics ? all : [];
    const { signal } = underway;
    const context = {
      files,
      insights: { ...session.insights, request: inBackground(session.insights) },
      settings,
      clock,
      isTrusted,
      history,
      patience: SCAN_TIMEOUT_MS,
      signal,
      progress: () => {},
    };
    const { manifests } = folders.length > 0 ? await session.findManifests(folders, isTrusted) : { manifests: [] };
    if (signal.aborted) return;
    const found = new Set(manifests);
    for (const uri of shown()) if (!found.has(uri)) await publish(uri, []);
    for await (const batch of scanInBatches(manifests, context)) {
      if (signal.aborted) return;
      const snapshots = new Map(batch.snapshots.map((it) => [it.uri, it]));
      for (const uri of batch.manifests) {
        const snapshot = snapshots.get(uri);
        await publish(uri, snapshot ? diagnosticsOf(snapshot.dependencies, session.contextFor(snapshot)) : []);
      }
    }
    if (signal.aborted || manifests.length === 0) return;
    // What is not open is in no subscription: a version that turns out to be malware would be known at the next change.
    cancel = clock.after(session.insights.versionLifetime(), start);
  }

  const run = throttle(
    clock,
    () => scan().catch((error: unknown) => session.log('the workspace', error)),
    () => PAUSE_MS,
  );
  function start(): void {
    if (!session.settings.workspaceDiagnostics && shown().length === 0) return;
    underway.abort();
    underway = new AbortController();
    cancel();
    cancel = clock.after(PAUSE_MS, run);
  }

  return {
    start,
    close() {
      underway.abort();
      cancel();
    },
  };
}

/** Open documents come first. */
function inBackground(insights: Insights): Insights['request'] {
  return (owner, wanted, background = []) => insights.request(owner, [], [...wanted, ...background]);
}
