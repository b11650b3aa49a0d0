import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import { fixAll, fixInScope, type UpdateScope } from '../../analysis/fixes.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { verdictOf } from '../../analysis/verdict.ts';
import { targetNotes } from '../../analysis/verdict-text.ts';
import { addTo } from '../../base/collections.ts';
import { fileTrouble } from '../../base/file-error.ts';
import { type EvaluatedDependency, factsOf, spelledName } from '../../model/evaluated-dependency.ts';
import type { Edit } from '../../model/finding.ts';
import { locationsIn, relativePath } from '../../report/build/paths.ts';
import { replaceFile } from '../replace-file.ts';
import { applyByteEdits } from './byte-edits.ts';
import { unifiedDiff } from './diff.ts';

/** The result of an update of everything in a scope. */
export interface FixResult {
  /** By path. */
  readonly files: readonly FileFix[];
  /** By path and line. Each place once, with the dependency that decides about it. */
  readonly updates: readonly Update[];
  /** Dependencies that should move and cannot. */
  readonly stuck: readonly Stuck[];
}

export interface FileFix {
  /** Relative to the directory where the check was started. */
  readonly path: string;
  readonly outcome:
    | { readonly kind: 'changed'; readonly diff: string; readonly edits: number }
    /** `reason` is a clause: `it has changed meanwhile`. */
    | { readonly kind: 'refused'; readonly reason: string };
}

/** Where a dependency is declared, or its version is written. */
interface Located {
  /** `lodash 4.17.15` */
  readonly subject: string;
  /** Relative to the directory where the check was started. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

export interface Update extends Located {
  readonly to: string;
  /** `patch`, `fixes 3 advisories` */
  readonly notes: readonly string[];
}

export interface Stuck extends Located {
  /** Absent where no version is known to move to. */
  readonly to?: string;
  /** A clause: `pinned by hash`. */
  readonly reason: string;
}

/**
 * Makes the edits that the editor's updates of everything make, in all files at once: where several manifests share a
 * definition, it moves to the highest of their targets.
 * @param dry leaves the files as they are
 */
export async function fixFiles(
  snapshots: readonly Snapshot[],
  directory: string,
  scope: UpdateScope,
  dry: boolean,
): Promise<FixResult> {
  const files: FileFix[] = [];
  const edits = editsByFile(snapshots, scope);
  for (const [uri, inFile] of edits) {
    const text = snapshots.map((it) => it.texts.get(uri)).find((it) => it !== undefined);
    if (text === undefined) continue;
    const path = relativePath(uri, directory);
    files.push({ path, outcome: await fixFile(fileURLToPath(uri), path, text, inFile, dry) });
  }
  const changed = new Set(files.flatMap((it) => (it.outcome.kind === 'changed' ? it.path : [])));
  const { updates, stuck } = planOf(snapshots, directory, scope, new Set([...edits.values()].flat().map(editId)));
  return {
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    updates: updates.filter((it) => changed.has(it.path)),
    stuck,
  };
}

/** @param made the edits, by `editId` */
function planOf(
  snapshots: readonly Snapshot[],
  directory: string,
  scope: UpdateScope,
  made: ReadonlySet<string>,
): Pick<FixResult, 'updates' | 'stuck'> {
  const updates = new Map<string, Update>();
  const stuck = new Map<string, Stuck>();
  for (const snapshot of snapshots) {
    const locations = locationsIn(snapshot, directory);
    for (const evaluated of dependenciesOf(snapshot)) {
      const { linked, resolution } = evaluated;
      const verdict = verdictOf(evaluated);
      const name = spelledName(linked, factsOf(evaluated));
      const subject = resolution.kind === 'version' ? `${name} ${resolution.version}` : name;
      const at = (uri: string, span: Edit['span']): Located => {
        return { subject, path: locations.path(uri), line: locations.region(uri, span).startLine };
      };
      const fix = fixInScope(evaluated, scope);
      if (fix?.move.ok) {
        const [edit] = fix.move.edits.filter((it) => made.has(editId(it)));
        const notes = targetNotes(evaluated, fix.target, verdict);
        if (edit && !updates.has(editId(edit)))
          updates.set(editId(edit), { ...at(edit.uri, edit.span), to: fix.target.version, notes });
      } else if (!linked.isRecorded && (fix || verdict.needsMove || resolution.kind === 'no-match')) {
        const reason = fix?.move.ok === false ? fix.move.reason : reasonWithoutFix(evaluated);
        const place = { ...at(linked.uri, linked.span), ...(fix && { to: fix.target.version }), reason };
        stuck.set(JSON.stringify(place), place);
      }
    }
  }
  return { updates: [...updates.values()].sort(byPlace), stuck: [...stuck.values()].sort(byPlace) };
}

function reasonWithoutFix(evaluated: EvaluatedDependency): string {
  if (verdictOf(evaluated).isWithoutFix) return l10n.t('no fixed version');
  const { heldBack } = evaluated;
  return heldBack
    ? l10n.t('{0} is in the cooldown of {1} days', heldBack.version, heldBack.days)
    : l10n.t('no version without problems is known');
}

function byPlace(a: Located, b: Located): number {
  return a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1;
}

function editsByFile(snapshots: readonly Snapshot[], scope: UpdateScope): ReadonlyMap<string, readonly Edit[]> {
  /** The edits of each position, with the manifests that they come from. */
  const places = new Map<string, { readonly edits: Edit[]; readonly from: Snapshot[] }>();
  const add = (edit: Edit, from: Snapshot): void => {
    const id = placeOf(edit);
    const place = places.get(id) ?? { edits: [], from: [] };
    places.set(id, place);
    place.edits.push(edit);
    place.from.push(from);
  };
  // One by one, since the combined time grows with the square of the number of manifests.
  for (const snapshot of snapshots) for (const edit of fixAll(dependenciesOf(snapshot), scope)) add(edit, snapshot);
  const byFile = new Map<string, Edit[]>();
  for (const [id, { edits, from }] of places) {
    const isAgreed = edits.every((it) => it.newText === edits[0]?.newText);
    const edit = isAgreed ? edits[0] : fixAll(from.flatMap(dependenciesOf), scope).find((it) => placeOf(it) === id);
    if (edit) addTo(byFile, edit.uri, edit);
  }
  return byFile;
}

function dependenciesOf({ dependencies, included }: Snapshot): readonly EvaluatedDependency[] {
  return [...dependencies, ...included.flatMap((it) => it.dependencies)];
}

function placeOf({ uri, span }: Edit): string {
  return `${uri} ${span.start}`;
}

function editId(edit: Edit): string {
  return `${placeOf(edit)} ${edit.newText}`;
}

async function fixFile(
  file: string,
  path: string,
  text: string,
  edits: readonly Edit[],
  dry: boolean,
): Promise<FileFix['outcome']> {
  try {
    const edited = applyByteEdits(await readFile(file), text, edits);
    if (!edited.ok) return { kind: 'refused', reason: edited.reason };
    if (!dry) await replaceFile(file, edited.bytes);
    return { kind: 'changed', diff: unifiedDiff(path, text, edits), edits: edits.length };
  } catch (error) {
    return { kind: 'refused', reason: fileTrouble(error) };
  }
}
