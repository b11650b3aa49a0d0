import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { fixAll } from '../../analysis/fixes.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { addTo } from '../../base/collections.ts';
import { fileTrouble } from '../../base/file-error.ts';
import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import type { Edit } from '../../model/finding.ts';
import { relativePath } from '../../report/build/paths.ts';
import { replaceFile } from '../replace-file.ts';
import { applyByteEdits } from './byte-edits.ts';
import { unifiedDiff } from './diff.ts';

/** The result of updating every deprecated or affected dependency of one file. */
export interface FileFix {
  /** Relative to the directory where the check was started. */
  readonly path: string;
  readonly outcome:
    | { readonly kind: 'changed'; readonly diff: string; readonly edits: number }
    /** `reason` is a clause: `it has changed meanwhile`. */
    | { readonly kind: 'refused'; readonly reason: string };
}

/**
 * Makes the edits that the editor's "Update every deprecated or affected dependency" makes, in all files at once:
 * where several manifests share a definition, it moves to the highest of their targets.
 * @param dry leaves the files as they are
 */
export async function fixFiles(snapshots: readonly Snapshot[], directory: string, dry: boolean): Promise<FileFix[]> {
  const fixes: FileFix[] = [];
  for (const [uri, edits] of editsByFile(snapshots)) {
    const text = snapshots.map((it) => it.texts.get(uri)).find((it) => it !== undefined);
    if (text === undefined) continue;
    const path = relativePath(uri, directory);
    fixes.push({ path, outcome: await fixFile(fileURLToPath(uri), path, text, edits, dry) });
  }
  return fixes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function editsByFile(snapshots: readonly Snapshot[]): ReadonlyMap<string, readonly Edit[]> {
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
  for (const snapshot of snapshots) for (const edit of fixAll(dependenciesOf(snapshot))) add(edit, snapshot);
  const byFile = new Map<string, Edit[]>();
  for (const [id, { edits, from }] of places) {
    const isAgreed = edits.every((it) => it.newText === edits[0]?.newText);
    const edit = isAgreed ? edits[0] : fixAll(from.flatMap(dependenciesOf)).find((it) => placeOf(it) === id);
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
