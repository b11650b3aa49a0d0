import { groupBy } from '../../server/src/engine/base/collections.ts';
import type { FindingCode } from '../../server/src/engine/model/finding.ts';
import { versionId } from '../../server/src/engine/model/keys.ts';
import { type LicenseClass, licenseClasses } from '../../server/src/engine/model/license-policy.ts';
import type { Rating } from '../../server/src/engine/model/severity-rating.ts';
import { systemNames } from '../../server/src/engine/model/system.ts';
import type { Step } from '../../server/src/engine/model/versioning.ts';
import type { PageTexts } from '../../server/src/engine/report/formats/page-texts.ts';
import type {
  GapKind,
  Report,
  ReportedDependency,
  ReportedFinding,
  ReportedPackage,
  ReportedUpdate,
} from '../../server/src/engine/report/report.ts';

/** The status of a row: its worst severity, else why its findings do not count. */
export type RowStatus = ReportedFinding['severity'] | 'ignored' | 'inBaseline' | 'gap' | 'none';

/** What a row can be filtered by: the ratings of advisories, the other findings, and why nothing counts or is known. */
export type Problem =
  | Rating
  | Exclude<FindingCode, 'advisory'>
  | 'ignored'
  | 'inBaseline'
  | Exclude<GapKind, 'unknown'>;

/** How far the default version of a dependency is away. */
export type Distance = 'current' | Step | 'unknown';

/** One line of the list: a finding, or a dependency with its worst finding. */
export interface Row {
  readonly severity: RowStatus;
  /** Worst first; empty without a finding. */
  readonly problems: readonly Problem[];
  /** Of the worst vulnerability that counts. */
  readonly rating?: Rating;
  /** CVSS base score of the worst vulnerability that counts. */
  readonly score?: number;
  readonly exploited?: true;
  readonly system: string;
  readonly name: string;
  /** As the manifest spells it. */
  readonly declared: string;
  readonly version: string;
  readonly requirement: string;
  readonly license: string;
  readonly licenseClass: LicenseClass;
  /** The state of its source repository; `''` if it is unknown. */
  readonly repository: string;
  /** Days since the version was published; undefined where unknown. */
  readonly days: number | undefined;
  readonly published: string;
  readonly default: string;
  readonly distance: Distance;
  readonly updates: readonly ReportedUpdate[];
  /** The version to move to, if there is one. */
  readonly update?: ReportedUpdate;
  readonly message: string;
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
  const byPurl = new Map(report.packages.map((it) => [it.purl, it]));
  const byVersion = new Map(report.packages.map((it) => [versionId(it), it]));
  const findingsAt = groupBy(report.findings, (it) => placeOf(it.path, it.region));
  const declaredAt = new Map(
    report.projects.flatMap(({ path, dependencies }) =>
      dependencies.map((it) => [`${placeOf(path, it.region)}\n${it.name}`, it] as const),
    ),
  );
  return {
    findings: report.findings.filter(isFinding).map((it) => {
      const found = byVersion.get(versionId({ ...it, version: it.version ?? '' }));
      return rowOf(it, declaredAt.get(`${placeOf(it.path, it.region)}\n${it.name}`), found, [it], texts);
    }),
    dependencies: report.projects.flatMap(({ path, dependencies }) =>
      dependencies.map((it) => {
        const found = it.purl === undefined ? undefined : byPurl.get(it.purl);
        return rowOf({ ...it, path }, it, found, findingsAt.get(placeOf(path, it.region)) ?? [], texts);
      }),
    ),
  };
}

/** Unknown packages are dependencies that were not checked, unless a setting makes them more than a hint. */
function isFinding({ code, severity }: ReportedFinding): boolean {
  return code !== 'not-found' || severity !== 'hint';
}

/** The rows of a view before the filter. What is ignored or in the baseline is listed where its bar is chosen. */
export function rowsIn(
  view: View,
  rows: Readonly<Record<View, readonly Row[]>>,
  { problems: chosen }: Filter,
): readonly Row[] {
  if (view === 'dependencies') return rows.dependencies;
  return rows.findings.filter((it) => isOpen(it) || it.problems.some((one) => chosen.includes(one)));
}

/** Whether a finding counts: neither ignored nor in the baseline. */
export function isOpen({ severity }: Row): boolean {
  return severity !== 'ignored' && severity !== 'inBaseline';
}

function rowOf(
  {
    system,
    name,
    version = '',
    path,
    region,
  }: Pick<ReportedFinding, 'system' | 'name' | 'version' | 'path' | 'region'>,
  dependency: ReportedDependency | undefined,
  found: ReportedPackage | undefined,
  findings: readonly ReportedFinding[],
  texts: PageTexts,
): Row {
  const gap = findings.length === 0 ? dependency?.gap : undefined;
  const { licenses, licenseClass = 'unknown', days, published = '', default: preferred = '' } = found ?? {};
  const updates = dependency?.updates ?? [];
  const update = updates.find((it) => it.recommended);
  const license = (licenses ?? []).join(', ');
  const worst = worstAdvisory(findings);
  // What a dependency brings has its advisories elsewhere.
  const rating = findings.some((it) => it.code === 'malicious' && isCounted(it)) ? 'malicious' : worst?.rating;
  const message = findings.length > 0 ? findings.map((it) => it.message).join(' · ') : (gap ?? '');
  return {
    severity: gap === undefined ? statusOf(findings) : 'gap',
    problems: problemsOf(findings, dependency?.gapKind),
    ...(rating && { rating }),
    ...(worst?.score !== undefined && { score: worst.score }),
    ...(worst?.exploited && { exploited: true }),
    system: systemNames[system],
    name,
    declared: dependency?.declared ?? name,
    version,
    requirement: dependency?.requirement ?? '',
    license: license === '' ? texts.unknown : license,
    licenseClass,
    days,
    published: published.slice(0, 10),
    repository: found?.repository?.text ?? '',
    default: preferred,
    distance: distanceOf(dependency),
    updates,
    ...(update && { update }),
    message,
    path,
    line: region.startLine,
    column: region.startColumn,
    findings,
    haystack: [name, version, license, texts.classNames[licenseClass], message, path].join('\n').toLowerCase(),
  };
}

/** The worst vulnerability of the findings that count. */
function worstAdvisory(findings: readonly ReportedFinding[]) {
  return findings
    .filter(isCounted)
    .flatMap((it) => it.advisories)
    .sort((a, b) => rankOf(a) - rankOf(b) || (b.score ?? 0) - (a.score ?? 0))[0];
}

/** Of one rating what is exploited comes first. */
function rankOf({ rating, exploited }: Pick<Row, 'rating' | 'exploited'>): number {
  return rating === undefined ? 2 * problems.length : 2 * problems.indexOf(rating) - Number(exploited ?? false);
}

function isCounted({ known, ignored }: ReportedFinding): boolean {
  return !known && ignored === undefined;
}

function problemsOf(findings: readonly ReportedFinding[], gap: GapKind | undefined): Problem[] {
  const all = new Set(findings.map(problemOf));
  if (gap !== undefined) all.add(gap === 'unknown' ? 'not-found' : gap);
  return problems.filter((it) => all.has(it));
}

function problemOf(finding: ReportedFinding): Problem {
  if (finding.ignored) return 'ignored';
  if (finding.known) return 'inBaseline';
  return finding.code === 'advisory' ? (worstAdvisory([finding])?.rating ?? 'unrated') : finding.code;
}

/** Worst first. */
export const problems: readonly Problem[] = [
  'malicious',
  'critical',
  'high',
  'medium',
  'low',
  'unrated',
  'advisory-below',
  'license',
  'deprecated',
  'no-match',
  'license-mismatch',
  'archived',
  'young-version',
  'provenance-lost',
  'install-script',
  'low-score',
  'similar-name',
  'ignored',
  'inBaseline',
  'withheld',
  'not-found',
  'listed',
  'failed',
  'unchecked',
];

/** Why a dependency was not checked: its bars count dependencies, the others findings. */
export const gaps: readonly Problem[] = ['withheld', 'not-found', 'listed', 'failed', 'unchecked'];

export const distances: readonly Distance[] = ['current', 'patch', 'minor', 'major', 'unknown'];

function distanceOf(dependency: ReportedDependency | undefined): Distance {
  const target = dependency?.updates.find((it) => it.kinds.includes('default'));
  return target?.step ?? (dependency?.upToDate ? 'current' : 'unknown');
}

/** The filter of the list; an empty text or list matches all. */
export interface Filter {
  readonly search: string;
  readonly system: string;
  readonly path: string;
  readonly license: string;
  readonly problems: readonly string[];
  readonly classes: readonly string[];
  readonly distances: readonly string[];
}

export const noFilter: Filter = {
  search: '',
  system: '',
  path: '',
  license: '',
  problems: [],
  classes: [],
  distances: [],
};

/** The sort keys; each is a column. */
export type Key =
  | 'severity'
  | 'score'
  | 'name'
  | 'version'
  | 'requirement'
  | 'license'
  | 'days'
  | 'update'
  | 'message'
  | 'path';

export interface Order {
  readonly key: Key;
  readonly descending: boolean;
}

/** The keys whose largest value is of most interest. */
export const descendingKeys: readonly Key[] = ['severity', 'score', 'days', 'update'];

export const worstFirst: Order = { key: 'severity', descending: true };

/** Filters and sorts rows. The sort is stable. */
export function select(rows: readonly Row[], filter: Filter, order: Order | undefined): Row[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const passed = rows.filter(
    (it) =>
      (filter.system === '' || it.system === filter.system) &&
      (filter.path === '' || it.path === filter.path) &&
      (filter.license === '' || it.license === filter.license) &&
      (filter.problems.length === 0 || it.problems.some((one) => filter.problems.includes(one))) &&
      (filter.classes.length === 0 || filter.classes.includes(it.licenseClass)) &&
      (filter.distances.length === 0 || filter.distances.includes(it.distance)) &&
      words.every((word) => it.haystack.includes(word)),
  );
  if (order === undefined) return passed;
  const sign = order.descending ? -1 : 1;
  return passed.sort((a, b) => sign * compare(a, b, order.key));
}

/** Worst first. */
const rowStatuses: readonly RowStatus[] = [
  'error',
  'warning',
  'information',
  'hint',
  'gap',
  'ignored',
  'inBaseline',
  'none',
];

function compare(a: Row, b: Row, key: Key): number {
  switch (key) {
    case 'severity':
      return (
        rowStatuses.indexOf(b.severity) - rowStatuses.indexOf(a.severity) ||
        rankOf(b) - rankOf(a) ||
        scoreOf(a) - scoreOf(b)
      );
    case 'score':
      return scoreOf(a) - scoreOf(b);
    case 'days':
      return (a.days ?? -1) - (b.days ?? -1);
    case 'update':
      return stepRank(a) - stepRank(b) || collator.compare(a.update?.version ?? '', b.update?.version ?? '');
    case 'license':
      return licenseClasses.indexOf(a.licenseClass) - licenseClasses.indexOf(b.licenseClass) || byText(a, b, key);
    case 'path':
      return byText(a, b, key) || a.line - b.line;
    default:
      return byText(a, b, key);
  }
}

function byText(a: Row, b: Row, key: 'name' | 'version' | 'requirement' | 'license' | 'message' | 'path'): number {
  return collator.compare(a[key], b[key]);
}

/** An advisory without a score is worse than none, and malware worse than all. */
function scoreOf({ score, rating }: Row): number {
  if (rating === 'malicious') return Number.POSITIVE_INFINITY;
  return score ?? (rating === undefined ? -1 : 0);
}

function stepRank({ update }: Row): number {
  return update ? distances.indexOf(update.step ?? 'patch') : -1;
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

/** Advisories are rated, the other findings have a severity. */
export function severityText({ rating, severity, exploited }: Row, texts: PageTexts): string {
  if (rating) return exploited ? fill(texts.exploited, texts.problemNames[rating]) : texts.problemNames[rating];
  return severity === 'none' ? '' : texts[severity];
}

/** `4.17.21 · patch`; what speaks against it follows. */
export function updateText({ version, step, refused }: ReportedUpdate, texts: PageTexts): string {
  const text = step === undefined ? version : `${version} · ${texts.stepNames[step]}`;
  return refused === undefined ? text : fill(texts.byHand, text, refused);
}

/** `has 1 known vulnerability: …` of `lodash 4.17.15 has 1 known vulnerability: …`: other columns show the rest. */
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
