import * as l10n from '@vscode/l10n';
import type { Snapshot } from '../engine/snapshot.ts';
import { packageId } from '../model/keys.ts';
import type { Subject } from '../model/subject.ts';
import type { Terminal } from './command.ts';

/**
 * Says how many packages a list of all of them lacks since the service does not know them. Those whose names stay private
 * are told of apart.
 */
export function printMissing(
  snapshots: readonly Snapshot[],
  isMissing: (subject: Subject) => boolean,
  command: string,
  { error }: Terminal,
): void {
  const subjects = snapshots.flatMap((it) => [...it.subjects, ...it.included.flatMap((file) => file.subjects)]);
  const { size } = new Set(subjects.filter(isMissing).map((it) => packageId(it.linked.key)));
  if (size === 0) return;
  const said =
    size === 1
      ? l10n.t('1 package is missing, since the service does not know it')
      : l10n.t('{0} packages are missing, since the service does not know them', size);
  error(`package-insights ${command}: ${said}`);
}

/** Whether the service does not know a package, or not in the version that a lockfile has. */
export function isUnknown({ resolution, version }: Subject): boolean {
  return resolution.kind === 'unknown' || resolution.kind === 'unlisted' || version?.state === 'unknown';
}
