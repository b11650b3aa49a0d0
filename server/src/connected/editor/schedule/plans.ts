import type { Reader } from '../../../engine/base/moments.ts';
import type { EvaluatedDependency } from '../../../engine/model/evaluated-dependency.ts';
import type { PlannedEvent } from '../../model/scheduling/planned.ts';
import type { Schedule } from '../../model/scheduling/schedule.ts';
import { observedDependencies, packagesMovedBy } from '../../scheduling/planning.ts';

/** The planned updates, as far as they are known. */
export interface Plans {
  /** The next one of a dependency or definition that it has not reached. */
  of(evaluated: EvaluatedDependency): PlannedUpdateOf | undefined;
  readonly reader: Reader;
  /** The name of the calendar that is used, if it is known. Untrusted text. */
  readonly calendar?: string | undefined;
}

export interface PlannedUpdateOf {
  readonly event: PlannedEvent;
  /** The version that the dependency moves to. */
  readonly target: string;
}

/** @param folderOf the workspace folder of a file; undefined outside of them */
export function plansOf(schedule: Schedule, reader: Reader, folderOf: (uri: string) => string | undefined): Plans {
  return {
    reader,
    calendar: schedule.state().name,
    of(evaluated) {
      // What a lockfile records is moved by its manifest, and may be another copy of the package.
      if (evaluated.linked.isRecorded) return undefined;
      for (const it of packagesMovedBy(evaluated)) {
        const { uri } = it.linked;
        const folder = schedule.folderAt(uri, folderOf(uri));
        const [observed] = observedDependencies([it]);
        if (!folder || !observed) continue;
        for (const event of schedule.planned(folder.id, observed.purl)) {
          const update = event.updates.find((one) => one.purl === observed.purl);
          if (event.status === 'planned' && update && !observed.reaches(update.target, update.from))
            return { event, target: update.target };
        }
      }
      return undefined;
    },
  };
}
