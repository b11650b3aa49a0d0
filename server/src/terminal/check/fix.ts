import { realpath } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import {
  type Change,
  type LeftDependency,
  planUpdates,
  type UpdatePlan,
  type UpdateScope,
} from '../../engine/analysis/update-plan.ts';
import { verdictOf } from '../../engine/analysis/verdict.ts';
import { targetNotes } from '../../engine/analysis/verdict-text.ts';
import { groupBy } from '../../engine/base/collections.ts';
import { fileTrouble } from '../../engine/base/file-error.ts';
import { decode, type Encoding } from '../../engine/formats/text/decode.ts';
import { type EvaluatedDependency, factsOf, spelledName } from '../../engine/model/evaluated-dependency.ts';
import type { Edit } from '../../engine/model/finding.ts';
import type { Files, Insights } from '../../engine/model/ports.ts';
import type { Span } from '../../engine/model/span.ts';
import { locationsIn, relativePath } from '../../engine/report/build/paths.ts';
import { openForReplacement } from '../replace-file.ts';
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
  /** Where the names in the patch start, if files are outside of the directory where the check was started: `..` */
  readonly patchBase?: string;
}

export interface FileFix {
  /** Relative to the directory where the check was started. */
  readonly path: string;
  readonly outcome:
    | {
        readonly kind: 'changed';
        readonly diff: string;
        readonly edits: number;
        /** Of the bytes that a patch in UTF-8 does not match. */
        readonly encoding?: Encoding;
      }
    /** `reason` is a clause: `it has changed meanwhile`. */
    | { readonly kind: 'refused'; readonly reason: string };
}

/** Where a dependency is declared, or its version is written. */
export interface Located {
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

export interface FixContext {
  /** About the other packages that share a version. */
  readonly facts: Pick<Insights, 'version' | 'package' | 'advisory'>;
  /** The files that may be read. No other file is written. */
  readonly files: Pick<Files, 'read'>;
  readonly directory: string;
  readonly scope: UpdateScope;
  /** Leaves the files as they are. */
  readonly dry: boolean;
}

/** Makes the edits of the editor's updates of everything, in all files at once: several manifests may share a version. */
export async function fixFiles(snapshots: readonly Snapshot[], context: FixContext): Promise<FixResult> {
  const { facts, directory, scope } = context;
  const owners = new Map<EvaluatedDependency, Snapshot>();
  for (const it of snapshots) for (const evaluated of dependenciesOf(it)) owners.set(evaluated, it);
  const plan = planUpdates([...owners.keys()], scope, facts);
  const fixed: FileFix[] = [];
  const byFile = groupBy(plan.changes, (it) => it.edit.uri);
  const base = directoryAround([...byFile.keys()], directory);
  for (const [uri, changes] of byFile) {
    const text = snapshots.map((it) => it.texts.get(uri)).find((it) => it !== undefined);
    if (text === undefined) continue;
    const path = relativePath(uri, directory);
    const edits = changes.map((it) => it.edit);
    const patchPath = relativePath(uri, base);
    fixed.push({ path, outcome: await fixFile({ uri, path: patchPath, text, edits }, context) });
  }
  const changed = new Set(fixed.flatMap((it) => (it.outcome.kind === 'changed' ? it.path : [])));
  const locations = new Map<Snapshot, Locations>();
  const locate: Locate = (evaluated, uri, span) => {
    const owner = owners.get(evaluated);
    if (owner === undefined) return undefined;
    const its = locations.get(owner) ?? locationsIn(owner, directory);
    locations.set(owner, its);
    return { subject: subjectOf(evaluated), path: its.path(uri), line: its.region(uri, span).startLine };
  };
  return {
    files: fixed.sort((a, b) => (a.path < b.path ? -1 : 1)),
    updates: updatesOf(plan, locate).filter((it) => changed.has(it.path)),
    stuck: stuckOf(plan, locate),
    ...(base !== directory && { patchBase: relative(directory, base) }),
  };
}

/** Git takes no patch that leads out of a directory: the nearest one around all the files. */
function directoryAround(uris: readonly string[], directory: string): string {
  const isOutside = (it: string): boolean => relativePath(it, directory).startsWith('../');
  const above = dirname(directory);
  return above !== directory && uris.some(isOutside) ? directoryAround(uris, above) : directory;
}

type Locations = ReturnType<typeof locationsIn>;
type Locate = (evaluated: EvaluatedDependency, uri: string, span: Span) => Located | undefined;

function subjectOf(evaluated: EvaluatedDependency): string {
  const { linked, resolution } = evaluated;
  const name = spelledName(linked, factsOf(evaluated));
  return resolution.kind === 'version' ? `${name} ${resolution.version}` : name;
}

function updatesOf({ changes }: UpdatePlan, locate: Locate): Update[] {
  const updates = changes.flatMap(({ edit, fix: { evaluated, target } }: Change): Update[] => {
    const at = locate(evaluated, edit.uri, edit.span);
    const notes = targetNotes(evaluated, target);
    return at ? [{ ...at, to: target.version, notes }] : [];
  });
  return updates.sort(byPlace);
}

/** Only what a finding is about: the rest of what is left is counted in the summary. */
function stuckOf({ left }: UpdatePlan, locate: Locate): Stuck[] {
  const stuck = left.flatMap(({ evaluated, to, reason }: LeftDependency): [string, Stuck][] => {
    const { linked, resolution } = evaluated;
    const isOpen = to !== undefined || verdictOf(evaluated).needsMove || resolution.kind === 'no-match';
    const at = isOpen ? locate(evaluated, linked.uri, linked.span) : undefined;
    const place = at && { ...at, ...(to !== undefined && { to }), reason };
    return place ? [[JSON.stringify(place), place]] : [];
  });
  return [...new Map(stuck).values()].sort(byPlace);
}

function byPlace(a: Located, b: Located): number {
  return a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1;
}

function dependenciesOf({ dependencies, included }: Snapshot): readonly EvaluatedDependency[] {
  return [...dependencies, ...included.flatMap((it) => it.dependencies)];
}

/** @param change the text that the edits refer to, and the path in the patch */
async function fixFile(
  change: { readonly uri: string; readonly path: string; readonly text: string; readonly edits: readonly Edit[] },
  { files, dry }: FixContext,
): Promise<FileFix['outcome']> {
  const { uri, path, text, edits } = change;
  try {
    const real = await realpath(fileURLToPath(uri));
    // Since it was checked, the file may have been exchanged for a link to a place that may not be read.
    const isReadable = (await files.read(pathToFileURL(real).href)) !== undefined;
    const opened = isReadable ? await openForReplacement(real) : undefined;
    if (opened === undefined) return changedMeanwhile();
    const edited = applyByteEdits(opened.bytes, text, edits);
    if (!edited.ok) return { kind: 'refused', reason: edited.reason };
    if (!dry && !(await opened.replace(edited.bytes))) return changedMeanwhile();
    const { bom, encoding } = decode(opened.bytes);
    const isPlain = encoding === 'utf-8' || (encoding === 'windows-1252' && isAscii(text));
    // Lines of a patch are lines of bytes.
    const [shown, shift] = bom && encoding === 'utf-8' ? [`\uFEFF${text}`, 1] : [text, 0];
    const shifted = edits.map(({ span: { start, end }, newText }) => {
      return { span: { start: start + shift, end: end + shift }, newText };
    });
    const diff = unifiedDiff(path, shown, shifted);
    return { kind: 'changed', diff, edits: edits.length, ...(!isPlain && { encoding }) };
  } catch (error) {
    return { kind: 'refused', reason: fileTrouble(error) };
  }
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

function changedMeanwhile(): FileFix['outcome'] {
  return { kind: 'refused', reason: l10n.t('it has changed in the meantime') };
}
