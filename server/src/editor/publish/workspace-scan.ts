import type { Diagnostic } from 'vscode-languageserver';
import type { Insights } from '../../engine/model/ports.ts';
import { scanInBatches } from '../../engine/report/folders.ts';
import { diagnosticsOf } from '../features/diagnostics.ts';
import type { ServerState } from '../state/server-state.ts';
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
export function createWorkspaceScan(
  { client, engine, folders, settings }: ServerState,
  { shown, publish }: ScanTarget,
): WorkspaceScan {
  const { clock } = engine;
  let underway = new AbortController();
  let cancel = () => {};

  async function scan(): Promise<void> {
    const { files, history } = engine;
    const { isTrusted } = client;
    const scanned = settings.current.workspaceDiagnostics ? folders.all : [];
    const { signal } = underway;
    const context = {
      files,
      insights: { ...engine.insights, request: inBackground(engine.insights) },
      settings: settings.current,
      clock,
      isTrusted,
      history,
      patience: SCAN_TIMEOUT_MS,
      signal,
      progress: () => {},
    };
    const { manifests } = scanned.length > 0 ? await engine.findManifests(scanned) : { manifests: [] };
    if (signal.aborted) return;
    const found = new Set(manifests);
    for (const uri of shown()) if (!found.has(uri)) await publish(uri, []);
    for await (const batch of scanInBatches(manifests, context)) {
      if (signal.aborted) return;
      const snapshots = new Map(batch.snapshots.map((it) => [it.uri, it]));
      for (const uri of batch.manifests) {
        const snapshot = snapshots.get(uri);
        await publish(uri, snapshot ? diagnosticsOf(snapshot.dependencies, engine.contextFor(snapshot)) : []);
      }
    }
    if (signal.aborted || manifests.length === 0) return;
    // What is not open is in no subscription: a version that turns out to be malware would be known at the next change.
    cancel = clock.after(engine.insights.versionLifetime(), start);
  }

  const run = throttle(
    clock,
    () => scan().catch((error: unknown) => client.log('the workspace', error)),
    () => PAUSE_MS,
  );
  function start(): void {
    if (!settings.current.workspaceDiagnostics && shown().length === 0) return;
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
