import { groupBy } from '../../server/src/base/collections.ts';
import { versionId } from '../../server/src/model/keys.ts';
import { systemNames } from '../../server/src/model/system.ts';
import type { PageTexts } from '../../server/src/report/formats/page-texts.ts';
import { bestFix, type Report, type ReportedFinding, type ReportedPackage } from '../../server/src/report/report.ts';

/** The status of a row: its worst severity, else why its findings do not count. */
export type RowStatus = ReportedFinding['severity'] | 'ignored' | 'inBaseline' | 'gap' | 'none';

/** One line of the list: a finding, or a dependency with its worst finding. */
export interface Row {
  readonly severity: RowStatus;
  readonly system: string;
  readonly name: string;
  readonly version: string;
  readonly requirement: string;
  readonly license: string;
  /** Days since the version was published; undefined where unknown. */
  readonly days: number | undefined;
  readonly published: string;
  readonly default: string;
  readonly message: string;
  readonly target: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** The findings for the details. */
  readonly findings: readonly ReportedFinding[];
  /** The searched text, in lower case. */
  readonly haystack: string;
}

export type View = 'findings' | 'dependencies';

/** The lines of each view, in the order of the report. */
export function rowsOf(report: Report, texts: PageTexts): Readonly<Record<View, readonly Row[]>> {
  const byVersion = new Map(report.packages.map((it) => [versionId(it), it]));
  const byPurl = new Map(report.packages.map((it) => [it.purl, it]));
  const byPlace = groupBy(report.findings, (it) => placeOf(it.path, it.region));
  const row = (
    at: Pick<ReportedFinding, 'system' | 'name' | 'version' | 'path' | 'region'>,
    found: ReportedPackage | undefined,
    findings: readonly ReportedFinding[],
    requirement: string,
    gap?: string,
  ): Row => {
    const { system, name, version = '', path, region } = at;
    const { licenses, days, published = '', default: preferred = '' } = found ?? { licenses: [] };
    const message = findings.length > 0 ? findings.map((it) => it.message).join(' · ') : (gap ?? '');
    const license = licenses.join(', ');
    return {
      severity: findings.length === 0 && gap !== undefined ? 'gap' : statusOf(findings),
      system: systemNames[system],
      name,
      version,
      requirement,
      license: license === '' ? texts.unknown : license,
      days,
      published: published.slice(0, 10),
      default: preferred,
      message,
      target: findings.map((it) => targetOf(it, texts)).find((it) => it !== '') ?? '',
      path,
      line: region.startLine,
      column: region.startColumn,
      findings,
      haystack: [name, version, license, message, path].join('\n').toLowerCase(),
    };
  };
  return {
    findings: report.findings.map((it) =>
      row(it, byVersion.get(versionId({ ...it, version: it.version ?? '' })), [it], ''),
    ),
    dependencies: report.projects.flatMap(({ path, dependencies }) =>
      dependencies.map((it) => {
        const found = it.purl === undefined ? undefined : byPurl.get(it.purl);
        return row({ ...it, path }, found, byPlace.get(placeOf(path, it.region)) ?? [], it.requirement ?? '', it.gap);
      }),
    ),
  };
}

/** The filter of the list; empty texts match all. */
export interface Filter {
  readonly search: string;
  readonly severity: string;
  readonly system: string;
  readonly path: string;
  readonly license: string;
}

export const noFilter: Filter = { search: '', severity: '', system: '', path: '', license: '' };

/** The sort keys; each is a column. */
export type Key =
  | 'severity'
  | 'name'
  | 'version'
  | 'requirement'
  | 'license'
  | 'days'
  | 'default'
  | 'message'
  | 'target'
  | 'path';

export interface Order {
  readonly key: Key;
  readonly descending: boolean;
}

/** Filters and sorts rows. The sort is stable. */
export function select(rows: readonly Row[], filter: Filter, order: Order | undefined): Row[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const passed = rows.filter(
    (it) =>
      (filter.severity === '' || it.severity === filter.severity) &&
      (filter.system === '' || it.system === filter.system) &&
      (filter.path === '' || it.path === filter.path) &&
      (filter.license === '' || it.license === filter.license) &&
      words.every((word) => it.haystack.includes(word)),
  );
  if (order === undefined) return passed;
  const sign = order.descending ? -1 : 1;
  return passed.sort((a, b) => sign * compare(a, b, order.key));
}

/** Worst first. */
export const rowStatuses: readonly RowStatus[] = [
  'error',
  'warning',
  'information',
  'hint',
  'ignored',
  'inBaseline',
  'gap',
  'none',
];

function compare(a: Row, b: Row, key: Key): number {
  switch (key) {
    case 'severity':
      return rowStatuses.indexOf(a.severity) - rowStatuses.indexOf(b.severity);
    case 'days':
      return (a.days ?? -1) - (b.days ?? -1);
    case 'path':
      return collator.compare(a.path, b.path) || a.line - b.line;
    default:
      return collator.compare(a[key], b[key]);
  }
}

const collator = new Intl.Collator(undefined, { numeric: true });

function statusOf(findings: readonly ReportedFinding[]): RowStatus {
  const all = new Set<RowStatus>(
    findings.map(({ severity, ignored, known }) => {
      if (ignored) return 'ignored';
      return known ? 'inBaseline' : severity;
    }),
  );
  return rowStatuses.find((it) => all.has(it)) ?? 'none';
}

function targetOf(finding: ReportedFinding, texts: PageTexts): string {
  const best = bestFix(finding);
  if (best === undefined) return '';
  return best.refused === undefined ? best.version : fill(texts.byHand, best.version, best.refused);
}

/** `has 1 known advisory: …` of `lodash 4.17.15 has 1 known advisory: …`: other columns show the rest. */
export function findingOf({ message, name, version }: Row): string {
  const about = `${name} ${version}`;
  const rest = message.slice(about.length);
  const isSaid = message.slice(0, about.length).toLowerCase() === about.toLowerCase() && /^[:\s]/.test(rest);
  return isSaid ? rest.replace(/^[:\s]+/, '') : message;
}

function placeOf(path: string, { startLine, startColumn }: ReportedFinding['region']): string {
  return `${path}\n${startLine}:${startColumn}`;
}

/** Replaces `{0}`, `{1}`, … with values. */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (whole, at: string) => String(values[Number(at)] ?? whole));
}
