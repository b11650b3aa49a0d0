import type { Coverage } from '../../engine/report/report.ts';
import type { RepositoryState } from '../results/result.ts';
import type { Answer } from './answer.ts';
import type { AnswerRow } from './answer-row.ts';

/** What was checked in a run, and what was not. Every format has it. */
export interface Summary {
  readonly run: string;
  /** `2026-01-01T12:00:00.000Z` */
  readonly at: string;
  readonly repositories: Readonly<Record<RepositoryState | 'pending', number>> & { readonly total: number };
  /** Repositories that were read and have no manifest. */
  readonly withoutManifests: number;
  /** Lines of the list that are no repositories. */
  readonly badLines: number;
  readonly manifests: number;
  /** The sums of all repositories. */
  readonly coverage: Omit<Coverage, 'below'> & { readonly below: NonNullable<Coverage['below']> };
  /** Places of packages whose version is not known, so that it is unknown whether they are part of the answer. */
  readonly withoutVersion: number;
  /** Places in the answer, and repositories that have them. */
  readonly places: number;
  readonly affected: number;
  /** The repositories that are not checked, or not whole. */
  readonly notChecked: readonly NotChecked[];
}

export interface NotChecked {
  readonly repository: string;
  readonly state: RepositoryState | 'pending';
  readonly reasons: readonly string[];
}

/** @param rows those that are shown */
export function summaryOf(
  { run, repositories, withoutVersion }: Answer,
  rows: readonly Pick<AnswerRow, 'repository'>[],
): Summary {
  const states = { checked: 0, incomplete: 0, failed: 0, 'set-aside': 0, pending: 0 };
  const coverage = {
    ...{
      total: 0,
      lookedUp: 0,
      withheld: 0,
      unreadable: 0,
      unknown: 0,
      withoutAdvisories: 0,
      listed: 0,
      failed: 0,
      unchecked: 0,
    },
    ...{ fromWorkspace: 0, old: 0, unread: 0, unclear: 0, leftOut: 0 },
  };
  const below = { total: 0, withheld: 0, unknown: 0, listed: 0, failed: 0 };
  for (const it of repositories) {
    states[it.state]++;
    addTo(coverage, it.coverage ?? {});
    addTo(below, it.coverage?.below ?? {});
  }
  return {
    run: run.id,
    at: run.at,
    repositories: { total: repositories.length, ...states },
    withoutManifests: repositories.filter((it) => it.coverage !== undefined && it.manifests === 0).length,
    badLines: run.bad.length,
    manifests: repositories.reduce((sum, it) => sum + it.manifests, 0),
    coverage: { ...coverage, below },
    withoutVersion,
    places: rows.length,
    affected: new Set(rows.map((it) => it.repository)).size,
    notChecked: repositories
      .filter((it) => it.state !== 'checked')
      .map(({ name, state, reasons }) => ({ repository: name, state, reasons })),
  };
}

function addTo(sum: Record<string, number>, more: object): void {
  for (const [name, value] of Object.entries(more))
    if (name in sum && typeof value === 'number') sum[name] = (sum[name] ?? 0) + value;
}

/** Whether nothing is left to check. */
export function isWholeFleet({ repositories, badLines }: Summary): boolean {
  return repositories.checked === repositories.total && badLines === 0;
}
