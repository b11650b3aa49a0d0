import * as l10n from '@vscode/l10n';
import { installOf } from '../../../engine/analysis/install.ts';
import type { Snapshot } from '../../../engine/analysis/snapshot.ts';
import { verdictOf } from '../../../engine/analysis/verdict.ts';
import { answerNotes } from '../../../engine/analysis/verdict-text.ts';
import { momentText } from '../../../engine/base/moments.ts';
import { oneLine } from '../../../engine/base/text.ts';
import { nameOf, relativeTo } from '../../../engine/base/uri.ts';
import type { EvaluatedDependency } from '../../../engine/model/evaluated-dependency.ts';
import type { Step } from '../../../engine/model/versioning.ts';
import type { FolderId, ManifestPlace, UpdateDraft } from '../../model/scheduling/planned.ts';
import type { Schedule } from '../../model/scheduling/schedule.ts';
import { packagesMovedBy, plannedTarget, updateDraft, worstFirst } from '../../scheduling/planning.ts';
import type { Calendar } from './calendar.ts';

/** An update that can be planned. A client returns `folder` and `draft` as they are. */
export interface PlannableUpdate {
  readonly folder: FolderId;
  readonly draft: UpdateDraft;
  /** What happens with it, as plain texts: `patch`, `fixes 3 advisories`. */
  readonly notes: readonly string[];
  readonly step?: Step;
  /** It is affected or deprecated now. */
  readonly needsMove: boolean;
  /** When it is planned already: `Tue 24 Nov 14:00`. */
  readonly planned?: string;
}

/** The update of a dependency or of a definition: one for each package behind it. Empty if it has nowhere to go. */
export async function plannableUpdate(
  evaluated: EvaluatedDependency,
  version: string | undefined,
  snapshot: Snapshot,
  schedule: Schedule,
  calendar: Calendar,
): Promise<readonly PlannableUpdate[]> {
  const verdict = verdictOf(evaluated);
  const target = verdict.targets.find((it) => it.version === version && it.isChecked) ?? plannedTarget(evaluated);
  if (target === undefined) return [];
  const install = installOf(snapshot)?.command;
  const how =
    install === undefined
      ? undefined
      : l10n.t('change the version there to {0}, then run {1}', target.version, install);
  const planned = calendar.plans?.of(evaluated);
  const made: PlannableUpdate[] = [];
  for (const it of packagesMovedBy(evaluated)) {
    const { uri } = it.linked;
    const folder = await schedule.folderOf(uri, calendar.server.folders.of(uri));
    made.push({
      folder: folder.id,
      draft: {
        ...updateDraft(it, target, placesOf(it, folder.root, snapshot, calendar)),
        ...(how !== undefined && { how }),
      },
      notes: answerNotes(evaluated, target).map((note) => oneLine(note)),
      ...(target.step && { step: target.step }),
      needsMove: verdict.needsMove,
      ...(planned && calendar.plans && { planned: whenPlanned(planned.event, calendar.plans.reader) }),
    });
  }
  return made;
}

function whenPlanned(
  { start, isAllDay }: { readonly start: number; readonly isAllDay?: true },
  reader: Parameters<typeof momentText>[1],
): string {
  return momentText({ at: start, isAllDay }, reader);
}

/** All updates of some manifests, worst first; each package and target of a folder once, with all its places. */
export async function plannableUpdates(
  snapshots: readonly Snapshot[],
  schedule: Schedule,
  calendar: Calendar,
): Promise<readonly PlannableUpdate[]> {
  const merged = new Map<string, PlannableUpdate>();
  for (const snapshot of snapshots) {
    for (const evaluated of snapshot.dependencies) {
      for (const it of await plannableUpdate(evaluated, undefined, snapshot, schedule, calendar)) {
        const id = JSON.stringify([it.folder, it.draft.purl, it.draft.target]);
        const other = merged.get(id);
        merged.set(id, other ? withPlaces(other, it.draft.places) : it);
      }
    }
  }
  return [...merged.values()].toSorted((a, b) => worstFirst(a.draft, b.draft));
}

function withPlaces(update: PlannableUpdate, more: readonly ManifestPlace[]): PlannableUpdate {
  const known = new Set(update.draft.places.map((it) => `${it.path}:${it.line}`));
  const places = [...update.draft.places, ...more.filter((it) => !known.has(`${it.path}:${it.line}`))];
  return { ...update, draft: { ...update.draft, places } };
}

/** All places of the manifest that declare the package. */
function placesOf(
  { linked: { key, uri } }: EvaluatedDependency,
  root: string,
  snapshot: Snapshot,
  calendar: Calendar,
): readonly ManifestPlace[] {
  const context = calendar.server.engine.contextFor(snapshot);
  const path = relativeTo(root, uri) ?? nameOf(uri);
  if (!snapshot.texts.has(uri)) return [{ path }];
  const lines = snapshot.dependencies
    .filter(({ linked }) => linked.uri === uri && linked.key.system === key.system && linked.key.name === key.name)
    .map(({ linked }) => context.positions(uri).at(linked.span.start).line + 1);
  return lines.length === 0 ? [{ path }] : [...new Set(lines)].map((line) => ({ path, line }));
}
