import { observedDependencies } from '../../connected/scheduling/planning.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { relativeTo, sameUri } from '../../engine/base/uri.ts';
import { formatPurl } from '../../engine/model/purl.ts';
import type { Session } from '../session.ts';

/** Closes events whose target the open manifests have reached. Nothing is done until a calendar is chosen. */
export interface Observing {
  /** A document differs from its file: typing is no decision. */
  typed(uri: string): void;
  /** A document is as its file is. */
  saved(uri: string): void;
  closed(uri: string): void;
  /** Facts, files or events have changed. */
  look(): void;
}

/** How long nothing must have changed, in ms: editors save while a version is typed, and an undo follows soon. */
const REST_MS = 3000;

export function createObserving(session: Session): Observing {
  const unsaved = new Set<string>();
  /** What was observed last of each document, with the events of that time. */
  const observed = new Map<string, string>();
  let cancel = (): void => {};

  function look(): void {
    const { schedule } = session;
    if (schedule?.state().calendar === undefined) return;
    cancel();
    cancel = session.clock.after(REST_MS, () => {
      observe().catch((it: unknown) => session.log('planned updates', it));
    });
  }

  async function observe(): Promise<void> {
    const { schedule, workspace } = session;
    if (schedule?.state().calendar === undefined) return;
    for (const { uri } of workspace.documents) {
      if (unsaved.has(sameUri(uri))) continue;
      const snapshot = await workspace.snapshot(uri);
      const isTyped = snapshot?.chain.files.some((it) => unsaved.has(sameUri(it.uri)));
      if (!snapshot || isTyped || snapshot.format.record !== undefined) continue;
      const dependencies = snapshot.dependencies.filter((it) => it.linked.uri === uri);
      const folder = await schedule.folderOf(uri, session.folderOf(uri));
      const isPlanned = dependencies.some((it) =>
        schedule.planned(folder.id, formatPurl(it.linked.key)).some((event) => event.status === 'planned'),
      );
      const path = relativeTo(folder.root, uri);
      const state = stateOf(dependencies, schedule.revision());
      if (!isPlanned || path === undefined || observed.get(uri) === state || unsaved.has(sameUri(uri))) continue;
      observed.set(uri, state);
      schedule.observe(folder.id, path, observedDependencies(dependencies));
    }
  }

  return {
    typed(uri) {
      unsaved.add(sameUri(uri));
    },
    saved(uri) {
      unsaved.delete(sameUri(uri));
      look();
    },
    closed(uri) {
      unsaved.delete(sameUri(uri));
      observed.delete(uri);
    },
    look,
  };
}

/** The versions in use, with the state of the events. */
function stateOf(dependencies: Snapshot['dependencies'], revision: number): string {
  const versions = dependencies.map(({ linked, resolution }) => {
    return [linked.key.name, resolution.kind === 'version' ? resolution.version : resolution.kind];
  });
  return JSON.stringify([revision, versions]);
}
