import { groupBy } from '../../engine/base/collections.ts';
import { byText } from '../../engine/base/text.ts';
import { type Severity, severities } from '../../engine/model/finding.ts';
import { systemNames } from '../../engine/model/system.ts';
import type { AnswerRow } from './answer-row.ts';

/** By what rows are put together. */
export const groupings = ['package', 'advisory', 'license', 'repository', 'owner'] as const;
export type Grouping = (typeof groupings)[number];

export interface Group {
  /** `npm:lodash`, `GHSA-…`, `MIT`, the name of a repository, an owner; `''` for no owner, or no known license. */
  readonly key: string;
  readonly repositories: number;
  readonly places: number;
  /** The worst. */
  readonly severity?: Severity;
  readonly score?: number;
  readonly isMalicious?: true;
  /** Each once, the most frequent first. */
  readonly versions: readonly string[];
  readonly targets: readonly string[];
  readonly advisories: readonly string[];
  readonly owners: readonly string[];
}

const keysOf = {
  package: (it) => [`${systemNames[it.system].toLowerCase()}:${it.name}`],
  advisory: (it) => it.advisories,
  license: (it) => (it.licenses === undefined || it.licenses.length === 0 ? [''] : it.licenses),
  repository: (it) => [it.repository],
  owner: (it) => (it.owners.length === 0 ? [''] : it.owners),
} as const satisfies Record<Grouping, (row: AnswerRow) => readonly string[]>;

/** The groups of rows, the worst first: malware, then by score, severity, then the number of repositories. */
export function groupRows(rows: readonly AnswerRow[], by: Grouping): readonly Group[] {
  const keyed = rows.flatMap((row) => keysOf[by](row).map((key) => ({ key, row })));
  return [...groupBy(keyed, (it) => it.key)]
    .map(([key, all]) =>
      groupOf(
        key,
        all.map((it) => it.row),
      ),
    )
    .sort(
      (a, b) =>
        Number(b.isMalicious ?? false) - Number(a.isMalicious ?? false) ||
        (b.score ?? -1) - (a.score ?? -1) ||
        severityRank(a) - severityRank(b) ||
        b.repositories - a.repositories ||
        byText(a.key, b.key),
    );
}

function groupOf(key: string, rows: readonly AnswerRow[]): Group {
  const score = Math.max(-1, ...rows.map((it) => it.score ?? -1));
  const severity = severities.find((it) => rows.some((row) => row.severity === it));
  return {
    key,
    repositories: new Set(rows.map((it) => it.repository)).size,
    places: rows.length,
    ...(severity && { severity }),
    ...(score >= 0 && { score }),
    ...(rows.some((it) => it.code === 'malicious') && { isMalicious: true }),
    versions: frequent(rows.map((it) => it.version)),
    targets: frequent(rows.map((it) => ('version' in it.fix ? it.fix.version : undefined))),
    advisories: frequent(rows.flatMap((it) => it.advisories)),
    owners: frequent(rows.flatMap((it) => it.owners)),
  };
}

function severityRank({ severity }: Group): number {
  return severity === undefined ? severities.length : severities.indexOf(severity);
}

function frequent(texts: readonly (string | undefined)[]): string[] {
  const counts = new Map<string, number>();
  for (const it of texts) if (it !== undefined) counts.set(it, (counts.get(it) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || byText(a, b)).map(([it]) => it);
}
