import type { Snapshot } from '../engine/snapshot.ts';
import { isoDay } from '../model/day.ts';
import { expiredIn, type ProjectReading } from '../project/read.ts';
import { visible } from '../report/words.ts';
import { relativePath } from '../survey/view.ts';
import { positionsIn } from '../text/positions.ts';
import type { Terminal } from './command.ts';

/** Says what is wrong in the project files that took part: what does not count there would else go unnoticed. */
export function printProjectProblems(snapshots: readonly Snapshot[], { directory, clock, error }: Terminal): void {
  const files = new Map<string, ProjectReading>();
  for (const { project } of snapshots) if (project) files.set(project.project.uri, project);
  const today = isoDay(clock.now());
  for (const [uri, { text, problems }] of files) {
    const positions = positionsIn(text);
    for (const { span, message } of [...problems, ...expiredIn(text, today)]) {
      const { line, character } = positions.at(span.start);
      error(visible(`package-insights: ${relativePath(uri, directory)}:${line + 1}:${character + 1}: ${message}`));
    }
  }
}
