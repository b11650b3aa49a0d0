import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { Snapshot } from '../../../engine/analysis/snapshot.ts';
import { verdictOf } from '../../../engine/analysis/verdict.ts';
import { fileUri } from '../../../engine/base/uri.ts';
import type { EvaluatedDependency } from '../../../engine/model/evaluated-dependency.ts';
import { canonicalName } from '../../../engine/model/keys.ts';
import { locationsIn } from '../../../engine/report/build/paths.ts';
import type { EventDraft, ScheduledFolder, UpdateDraft } from '../../model/scheduling/planned.ts';
import type { Schedule } from '../../model/scheduling/schedule.ts';
import { plannedTarget, updateDraft, worstFirst } from '../../scheduling/planning.ts';

/** What belongs into one event. */
export const groupings = ['package', 'manifest', 'all'] as const;
export type Grouping = (typeof groupings)[number];

/** An event without its time. */
export type UntimedDraft = Pick<EventDraft, 'folder' | 'updates'>;

export interface Drafts {
  readonly drafts: readonly UntimedDraft[];
  /** Names that no manifest has, or that have no version to move to: clauses. */
  readonly left: readonly string[];
}

/** Updates of one event: so many fit. */
const MAX_UPDATES = 50;

/**
 * The updates of some packages, or of all that are deprecated or have advisories.
 * @param packages names; undefined for all with problems
 * @param directory the folder of manifests outside of repositories
 */
export async function draftUpdates(
  snapshots: readonly Snapshot[],
  packages: readonly string[] | undefined,
  grouping: Grouping,
  schedule: Pick<Schedule, 'folderOf'>,
  directory: string,
): Promise<Drafts> {
  const found = new Map<string, { readonly folder: ScheduledFolder; readonly update: UpdateDraft }>();
  const left = new Map<string, string>();
  const names = new Set<string>();
  for (const snapshot of snapshots) {
    const dependencies = [...snapshot.dependencies, ...snapshot.included.flatMap((it) => it.dependencies)];
    for (const it of dependencies) {
      const name = packages?.find((typed) => isNamed(it, typed));
      const verdict = verdictOf(it);
      if (packages === undefined ? !verdict.needsMove : name === undefined) continue;
      if (name !== undefined) names.add(name);
      // A package that is named may move without a need, as in an editor.
      const usual = plannedTarget(it);
      const target = packages === undefined ? usual && verdict.recommended : usual;
      if (target === undefined) {
        left.set(it.linked.key.name, l10n.t('{0}: no version to move to is known', it.linked.key.name));
        continue;
      }
      const folder = await schedule.folderOf(it.linked.uri, workspaceOf(it.linked.uri, directory));
      const at = locationsIn(snapshot, fileURLToPath(folder.root));
      const place = { path: at.path(it.linked.uri), line: at.region(it.linked.uri, it.linked.span).startLine };
      const update = updateDraft(it, target, [place]);
      const id = JSON.stringify([folder.id, update.purl, update.target]);
      const before = found.get(id);
      const isKnown = before?.update.places.some((its) => its.path === place.path && its.line === place.line);
      if (!before) found.set(id, { folder, update });
      else if (!isKnown)
        found.set(id, { folder, update: { ...before.update, places: [...before.update.places, place] } });
    }
  }
  for (const it of packages ?? []) if (!names.has(it)) left.set(it, l10n.t('{0}: no manifest has it', it));
  const planned = new Set([...found.values()].map((it) => it.update.name));
  return {
    drafts: grouped(
      [...found.values()].toSorted((a, b) => worstFirst(a.update, b.update)),
      grouping,
    ),
    left: [...left].flatMap(([name, reason]) => (planned.has(name) ? [] : [reason])),
  };
}

function isNamed({ linked: { key, dependency } }: EvaluatedDependency, typed: string): boolean {
  const name = canonicalName(key.system, typed);
  return name === canonicalName(key.system, key.name) || typed === dependency.name;
}

/** The folder of manifests outside of repositories; undefined for those outside of the working directory. */
export function workspaceOf(uri: string, directory: string): string | undefined {
  const folder = `${fileUri(directory)}/`;
  return uri.startsWith(folder) ? folder : undefined;
}

function grouped(
  found: readonly { readonly folder: ScheduledFolder; readonly update: UpdateDraft }[],
  grouping: Grouping,
): readonly UntimedDraft[] {
  const groups = new Map<string, { readonly folder: string; readonly updates: UpdateDraft[] }>();
  for (const { folder, update } of found) {
    const parts = {
      package: [update.purl, update.target],
      manifest: [update.places[0]?.path ?? ''],
      all: [],
    } as const satisfies Readonly<Record<Grouping, readonly string[]>>;
    const id = JSON.stringify([folder.id, ...parts[grouping]]);
    const group = groups.get(id) ?? { folder: folder.id, updates: [] };
    group.updates.push(update);
    groups.set(id, group);
  }
  return [...groups.values()].flatMap(({ folder, updates }) => {
    const sorted = updates.toSorted((a, b) => (a.purl < b.purl ? -1 : 1));
    const parts = Array.from({ length: Math.ceil(sorted.length / MAX_UPDATES) }, (_, at) => at * MAX_UPDATES);
    return parts.map((at) => ({ folder, updates: sorted.slice(at, at + MAX_UPDATES) }));
  });
}
