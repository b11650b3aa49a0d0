import type { Snapshot } from '../../../engine/analysis/snapshot.ts';
import { relativeTo, sameUri } from '../../../engine/base/uri.ts';
import { formatPurl } from '../../../engine/model/purl.ts';
import { observedDependencies } from '../../scheduling/planning.ts';
import type { Calendar } from './calendar.ts';

/** How long nothing must have changed, in ms: editors save while a version is typed, and an undo follows soon. */
const REST_MS = 3000;

/** Closes events whose target the open manifests have reached. Nothing is done until a calendar is chosen. */
export class Observing {
  readonly #calendar: Calendar;
  readonly #unsaved = new Set<string>();
  /** What was observed last of each document, with the events of that time. */
  readonly #observed = new Map<string, string>();
  #cancel = (): void => {};

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
  }

  /** A document differs from its file: typing is no decision. */
  typed(uri: string): void {
    this.#unsaved.add(sameUri(uri));
  }

  /** A document is as its file is. */
  saved(uri: string): void {
    this.#unsaved.delete(sameUri(uri));
    this.look();
  }

  closed(uri: string): void {
    this.#unsaved.delete(sameUri(uri));
    this.#observed.delete(uri);
  }

  /** Facts, files or events have changed. */
  look(): void {
    const { schedule, server } = this.#calendar;
    if (schedule?.state().calendar === undefined) return;
    this.#cancel();
    this.#cancel = server.engine.clock.after(REST_MS, () => {
      this.#observe().catch((it: unknown) => server.client.log('planned updates', it));
    });
  }

  async #observe(): Promise<void> {
    const { schedule, server } = this.#calendar;
    const { workspace } = server.engine;
    if (schedule?.state().calendar === undefined) return;
    for (const { uri } of workspace.documents) {
      if (this.#unsaved.has(sameUri(uri))) continue;
      const snapshot = await workspace.snapshot(uri);
      const isTyped = snapshot?.chain.files.some((it) => this.#unsaved.has(sameUri(it.uri)));
      if (!snapshot || isTyped || snapshot.format.record !== undefined) continue;
      const dependencies = snapshot.dependencies.filter((it) => it.linked.uri === uri);
      const folder = await schedule.folderOf(uri, server.folders.of(uri));
      const isPlanned = dependencies.some((it) =>
        schedule.planned(folder.id, formatPurl(it.linked.key)).some((event) => event.status === 'planned'),
      );
      const path = relativeTo(folder.root, uri);
      const state = stateOf(dependencies, schedule.revision());
      if (!isPlanned || path === undefined || this.#observed.get(uri) === state || this.#unsaved.has(sameUri(uri)))
        continue;
      this.#observed.set(uri, state);
      schedule.observe(folder.id, path, observedDependencies(dependencies));
    }
  }
}

/** The versions in use, with the state of the events. */
function stateOf(dependencies: Snapshot['dependencies'], revision: number): string {
  const versions = dependencies.map(({ linked, resolution }) => {
    return [linked.key.name, resolution.kind === 'version' ? resolution.version : resolution.kind];
  });
  return JSON.stringify([revision, versions]);
}
