import { canonicalName } from '../../engine/model/keys.ts';
import type { Failure, Report, ReportedFinding, ReportedPackage, ReportedProject } from '../../engine/report/report.ts';
import type { Results } from '../results/results.ts';
import type { Answer } from './answer.ts';
import type { AnswerRow } from './answer-row.ts';
import { type Summary, summaryOf } from './summary.ts';

/** Dependencies on one page: a browser searches and sorts them in memory. */
export const MAX_PAGE_DEPENDENCIES = 50_000;

/** One report of all repositories, whose paths begin with the name of the repository. */
export type MergedReport =
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'too many dependencies' };

/**
 * Joins the reports of a run.
 * @param answered its rows alone are in the report, if `isRestricted`; what was not checked always is
 */
export async function mergeReports(results: Results, answered: Answer, isRestricted: boolean): Promise<MergedReport> {
  const { run, rows } = answered;
  const summary = summaryOf(answered, rows);
  const wanted = isRestricted ? new Set(rows.map(placeOf)) : undefined;
  const names = new Set(answered.repositories.map((it) => it.name));
  const projects: ReportedProject[] = [];
  const packages = new Map<string, ReportedPackage>();
  const findings: ReportedFinding[] = [];
  const failures = new Map<string, number>();
  const gaps = createGaps();
  let dependencies = 0;
  for await (const { repository, report } of results.reports(run.id)) {
    if (!names.has(repository)) continue;
    const within = (path: string): string => `${repository}/${path}`;
    const isWanted = ({ path, region, system, name }: Located): boolean =>
      wanted === undefined ||
      wanted.has(JSON.stringify([repository, path, region.startLine, canonicalName(system, name)]));
    const purls = new Set<string>();
    for (const it of report.projects) {
      const kept = it.dependencies.filter((dependency) => isWanted({ ...dependency, path: it.path }));
      if (kept.length === 0 && wanted) continue;
      dependencies += kept.length;
      if (dependencies > MAX_PAGE_DEPENDENCIES) return { kind: 'too many dependencies' };
      for (const { purl } of kept) if (purl !== undefined) purls.add(purl);
      projects.push({ ...it, path: within(it.path), dependencies: kept });
    }
    for (const it of report.packages) if (purls.has(it.purl) && !packages.has(it.purl)) packages.set(it.purl, it);
    for (const it of report.findings) {
      if (isWanted(it)) findings.push(located(it, within));
    }
    for (const { reason, count } of report.failures) failures.set(reason, (failures.get(reason) ?? 0) + count);
    gaps.add(report, within);
  }
  const unread = notRead(summary);
  return {
    kind: 'report',
    report: {
      manifests: summary.manifests,
      dependencies,
      coverage: { ...summary.coverage, unread: summary.coverage.unread + unread.length },
      at: run.at,
      projects,
      packages: [...packages.values()],
      findings,
      failures: [...failures].map(([reason, count]): Failure => ({ reason, count })),
      ...gaps.all(unread),
    },
  };
}

type Located = Pick<ReportedFinding, 'path' | 'region' | 'system' | 'name'>;

/** The direct dependency of a row. */
function placeOf({ repository, path, line, fixAt, system, name, via }: AnswerRow): string {
  return JSON.stringify([repository, fixAt?.path ?? path, fixAt?.line ?? line, canonicalName(system, via ?? name)]);
}

function located(finding: ReportedFinding, within: (path: string) => string): ReportedFinding {
  const { below } = finding;
  return {
    ...finding,
    path: within(finding.path),
    ...(below && { below: below.map((it) => ({ ...it, lockfile: within(it.lockfile) })) }),
    // An update is made in the repository, not in the page.
    fixes: finding.fixes.map((it) => ({ ...it, edits: [] })),
  };
}

/** `shop: no such file or folder`, for each repository of which nothing was read. */
function notRead({ notChecked, badLines }: Summary): readonly string[] {
  const whole = notChecked.filter((it) => it.state !== 'incomplete');
  return [
    ...whole.map(({ repository, state, reasons }) => `${repository}: ${reasons.join('; ') || state}`),
    ...(badLines > 0 ? [`${badLines} invalid ${badLines === 1 ? 'line' : 'lines'} of the list`] : []),
  ];
}

type Gaps = Pick<Report, 'withheld' | 'unchecked' | 'unclear' | 'unread'>;

/** Sums what was not checked by its reason. */
function createGaps() {
  const withheld = new Map<string, Report['withheld'][number]>();
  const unchecked = new Map<string, Report['unchecked'][number]>();
  const unclear: Report['unclear'][number][] = [];
  const unread: string[] = [];
  return {
    add(report: Report, within: (path: string) => string): void {
      for (const it of report.withheld)
        withheld.set(it.origin, { ...it, count: it.count + (withheld.get(it.origin)?.count ?? 0) });
      for (const it of report.unchecked) {
        const before = unchecked.get(it.reason);
        const first = before?.first ?? { ...it.first, path: within(it.first.path) };
        unchecked.set(it.reason, { ...it, first, count: it.count + (before?.count ?? 0) });
      }
      unclear.push(...report.unclear.map((it) => ({ ...it, path: within(it.path) })));
      unread.push(...report.unread.map(within));
    },
    all: (more: readonly string[]): Gaps => ({
      withheld: [...withheld.values()].sort((a, b) => b.count - a.count),
      unchecked: [...unchecked.values()].sort((a, b) => b.count - a.count),
      unclear,
      unread: [...more, ...unread],
    }),
  };
}
