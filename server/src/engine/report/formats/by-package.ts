import { groupBy } from '../../base/collections.ts';
import { byText } from '../../base/text.ts';
import { type Severity, severities } from '../../model/finding.ts';
import { allRatings, byRating } from '../../model/severity-rating.ts';
import { bestFix, type ReportedAdvisory, type ReportedFinding, type ReportedFix } from '../report.ts';

/** All findings of one version of a package, wherever it is declared. */
export interface PackageFindings {
  /** `lodash 4.17.15` */
  readonly subject: string;
  /** The worst. */
  readonly severity: Severity;
  /** Of the worst vulnerability; absent where none has one. */
  readonly score?: number;
  /** Worst first, each once. */
  readonly advisories: readonly ReportedAdvisory[];
  /** By file and place. */
  readonly findings: readonly ReportedFinding[];
  /** The places by their answer, the most frequent first. Not empty. */
  readonly answers: readonly Answer[];
}

/** What to do with a package, and where. */
export interface Answer {
  readonly fix?: ReportedFix;
  /** Each once. Not empty. */
  readonly places: readonly Place[];
}

export type Place = Pick<ReportedFinding, 'path' | 'region' | 'condition'>;

/**
 * Groups findings by package and version, worst first: by severity and rating, then those with an update that can be
 * applied, then by score, then by the number of places.
 */
export function findingsByPackage(findings: readonly ReportedFinding[]): PackageFindings[] {
  // Without a version there is one group for each requirement.
  const keyOf = ({ system, name, version, summary }: ReportedFinding): string =>
    JSON.stringify([system, name.toLowerCase(), version ?? [summary]]);
  const groups = [...groupBy(findings, keyOf).values()].map(packageOf);
  return groups.sort(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      rankOf(a) - rankOf(b) ||
      Number(isFixable(b)) - Number(isFixable(a)) ||
      (b.score ?? 0) - (a.score ?? 0) ||
      placesOf(b).length - placesOf(a).length ||
      byText(a.subject, b.subject),
  );
}

/** Malware first; of one rating what is exploited. */
function rankOf({ advisories, findings }: PackageFindings): number {
  if (findings.some((it) => it.code === 'malicious')) return -1;
  const [worst] = advisories;
  if (worst === undefined) return 2 * allRatings.length;
  return 2 * allRatings.indexOf(worst.rating) - Number(worst.exploited ?? false);
}

function isFixable({ answers }: PackageFindings): boolean {
  return answers.some(({ fix }) => fix !== undefined && fix.refused === undefined);
}

export function placesOf({ answers }: PackageFindings): Place[] {
  return answers.flatMap((it) => it.places);
}

function packageOf(findings: readonly ReportedFinding[]): PackageFindings {
  const [first] = findings;
  const advisories = new Map(findings.flatMap((it) => it.advisories).map((it) => [it.id, it]));
  const worst = [...advisories.values()].sort((a, b) => byRating(a, b) || byText(a.id, b.id));
  const score = worst[0]?.score;
  const severity = severities.find((it) => findings.some((finding) => finding.severity === it)) ?? 'hint';
  return {
    subject: first ? subjectOf(first) : '',
    severity,
    ...(score !== undefined && { score }),
    advisories: worst,
    findings,
    answers: answersOf(findings),
  };
}

function subjectOf({ name, version }: ReportedFinding): string {
  return version === undefined ? name : `${name} ${version}`;
}

function answersOf(findings: readonly ReportedFinding[]): Answer[] {
  const byPlace = groupBy(findings, ({ path, region, condition }) =>
    JSON.stringify([path, region.startLine, region.startColumn, condition]),
  );
  const places = [...byPlace.values()].map((all) => {
    const fix = all.map(usefulFix).find((it) => it !== undefined);
    return { ...(fix && { fix }), place: all[0] };
  });
  const sameAnswer = groupBy(places, ({ fix }) => JSON.stringify([fix?.version, fix?.notes, fix?.refused]));
  return [...sameAnswer.values()]
    .map((all) => ({
      ...(all[0]?.fix && { fix: all[0].fix }),
      places: all.flatMap(({ place }) => place ?? []),
    }))
    .sort((a, b) => b.places.length - a.places.length);
}

/** The fix to show. A target that has the same problem is no answer. */
export function usefulFix(finding: Pick<ReportedFinding, 'fixes'>): ReportedFix | undefined {
  const best = bestFix(finding);
  return best === undefined || best.recommended || best.flaw === undefined || best.fixed > 0 ? best : undefined;
}
