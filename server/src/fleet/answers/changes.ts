import type { RepositoryRow } from '../results/results.ts';
import type { Answer } from './answer.ts';
import type { AnswerRow } from './answer-row.ts';

/**
 * What became of a row since an earlier run. `moved`: the same package at another place of the repository; `not checked`:
 * it was there, and the later run did not check all of the repository, so it may still be there.
 */
export const changes = ['new', 'fixed', 'moved', 'not checked'] as const;
export type Change = (typeof changes)[number];

/** A row of the later run, or with `fixed` and `not checked` of the earlier one. */
export interface ChangedRow extends AnswerRow {
  readonly change: Change;
  /** With `moved`: `package.json:12` of the earlier run. */
  readonly before?: string;
}

/** The rows that differ between two runs. A row that is the same in both is not among them. */
export function changesBetween(before: Answer, after: Answer): readonly ChangedRow[] {
  const stateOf = new Map(after.repositories.map((it) => [it.name, it]));
  const [was, is] = [byPlace(before.rows), byPlace(after.rows)];
  const left = new Map<string, AnswerRow[]>();
  for (const [key, it] of was) {
    if (is.has(key)) continue;
    const subject = JSON.stringify([it.repository, it.subject]);
    left.set(subject, [...(left.get(subject) ?? []), it]);
  }
  const found: ChangedRow[] = [];
  for (const [key, it] of is) {
    const same = was.get(key);
    if (same) {
      if (same.line !== it.line) found.push({ ...it, change: 'moved', before: `${same.path}:${same.line}` });
      continue;
    }
    const former = left.get(JSON.stringify([it.repository, it.subject]))?.shift();
    found.push(former ? { ...it, change: 'moved', before: `${former.path}:${former.line}` } : { ...it, change: 'new' });
  }
  for (const it of [...left.values()].flat()) {
    found.push({ ...it, change: isWhole(stateOf.get(it.repository)) ? 'fixed' : 'not checked' });
  }
  return found;
}

/** Whether a missing row means that it is gone. */
function isWhole(repository: RepositoryRow | undefined): boolean {
  return repository?.state === 'checked';
}

function byPlace(rows: readonly AnswerRow[]): ReadonlyMap<string, AnswerRow> {
  return new Map(rows.map((it) => [JSON.stringify([it.repository, it.identity]), it]));
}
